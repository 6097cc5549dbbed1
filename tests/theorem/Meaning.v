(* What entries mean, and the theorem: a table whose entries agree with their children means what it says. *)
From Coq Require Import List Arith Lia Bool. Import ListNotations.

(** * Meaning *)
(* Everything is seen from the side to move. After a move the other side is to move. *)
Inductive result := Win | Loss | Draw.
Inductive code := CWin (plies : nat) | CLoss (plies : nat) | CEnds | CCycle.

Section Game.
Context {P : Type} (moves : P -> list P) (over : P -> option result).

(* The mover can force a win within n plies, or loses within n plies whatever it does. *)
Inductive wins : nat -> P -> Prop :=
| wins_now n p : over p = Some Win -> wins n p
| wins_by n p q : over p = None -> In q (moves p) -> loses n q -> wins (S n) p
with loses : nat -> P -> Prop :=
| loses_now n p : over p = Some Loss -> loses n p
| loses_by n p : over p = None -> (forall q, In q (moves p) -> wins n q) -> loses (S n) p.

Definition least (A : nat -> Prop) n := A n /\ forall m, A m -> n <= m.
Definition draw p := forall n, ~ wins n p /\ ~ loses n p.

(* The least set with the finished draws and every draw whose moves to draws all lead into the set. *)
Inductive ends : P -> Prop :=
| ends_now p : over p = Some Draw -> ends p
| ends_by p : over p = None -> draw p -> (forall q, In q (moves p) -> draw q -> ends q) -> ends p.

Definition means (c : code) (p : P) : Prop :=
  match c with
  | CWin n => least (fun n => wins n p) n
  | CLoss n => least (fun n => loses n p) n
  | CEnds => draw p /\ ends p
  | CCycle => draw p /\ ~ ends p
  end.

(** * Agreement of an entry with its children *)
Definition is (c d : code) : bool :=
  match c, d with
  | CWin n, CWin m | CLoss n, CLoss m => n =? m
  | CEnds, CEnds | CCycle, CCycle => true
  | _, _ => false
  end.
Global Arguments is : simpl never.
Definition final (v : result) : code := match v with Win => CWin 0 | Loss => CLoss 0 | Draw => CEnds end.

(* An entry is a code and a rank, which is evidence for draws that end and is ignored otherwise.
   The conditions on an entry, with their numbers: o is the result if the position is finished, kids are the entries
   after the moves. *)
Definition conditions (o : option result) (c : code) (r : nat) (kids : list (code * nat)) : list (nat * bool) :=
  let some d := existsb (fun k => is d (fst k)) kids in
  let all f := forallb (fun k => f (fst k)) kids in
  match o, c with
  | Some v, _ => [(1, is (final v) c)]                                              (* the rules decide *)
  | None, (CWin 0 | CLoss 0) => [(2, false)]                                        (* the game goes on *)
  | None, CWin (S d) =>
      [(3, some (CLoss d));
       (4, all (fun k => match k with CLoss e => d <=? e | _ => true end))]         (* no loss is nearer *)
  | None, CLoss (S d) =>
      [(5, some (CWin d));
       (6, all (fun k => match k with CWin _ => true | _ => false end));
       (7, all (fun k => match k with CWin e => e <=? d | _ => true end))]          (* no win is farther *)
  | None, CEnds =>
      [(8, some CEnds);
       (9, all (fun k => match k with CLoss _ => false | _ => true end));
       (10, all (fun k => negb (is CCycle k)));
       (11, forallb (fun k => negb (is CEnds (fst k)) || (snd k <? r)) kids)]       (* the rank falls *)
  | None, CCycle =>
      [(12, some CCycle);
       (13, all (fun k => match k with CLoss _ => false | _ => true end))]
  end.

(* e: the table. D: the positions that it covers, in which play stays. *)
Variables (e : P -> code * nat) (D : P -> Prop).
Definition t p := fst (e p).
Definition agrees (p : P) : bool := forallb snd (conditions (over p) (t p) (snd (e p)) (map e (moves p))).
Hypothesis closed : forall p q, D p -> over p = None -> In q (moves p) -> D q.
Hypothesis agreed : forall p, D p -> agrees p = true.

(** * The theorem *)
Lemma is_true c d : is c d = true <-> d = c.
Proof. unfold is. destruct c, d; split; try easy; rewrite ?Nat.eqb_eq; congruence. Qed.
Lemma some_kid c l : existsb (fun k => is c (fst k)) (map e l) = true <-> exists q, In q l /\ t q = c.
Proof. rewrite existsb_exists.
  split; [intros [k [I T]]; apply in_map_iff in I; destruct I as [q [<- I]] | intros [q [I T]]].
  - exists q. now apply is_true in T.
  - exists (e q). now rewrite is_true, in_map_iff; eauto. Qed.
Lemma all_kids f l : forallb f (map e l) = true <-> forall q, In q l -> f (e q) = true.
Proof. rewrite forallb_forall. setoid_rewrite in_map_iff. split; [eauto | intros A k [q [<- I]]; auto]. Qed.
(* Unfolds the conditions on p, in the cases that they allow. The child w shows the value. *)
Ltac look p Dp :=
  let A := fresh "A" in pose proof (agreed p Dp) as A; unfold agrees in A;
  destruct (over p) as [[]|] eqn:?, (t p) as [[]|[]| |] eqn:?; simpl in A; try discriminate A;
  rewrite ?andb_true_iff, ?some_kid, ?all_kids in A;
  repeat match goal with
  | A : _ /\ _ |- _ => destruct A
  | A : exists q, In q _ /\ _ |- _ => let w := fresh "w" in destruct A as [w [? ?]]
  end.
(* Applies the conditions on all children to the child q. *)
Ltac kid q := repeat match goal with
  | A : forall q, In q (moves ?p) -> _ = true, I : In q (moves ?p) |- _ => specialize (A q I); fold (t q) in A
  end; destruct (t q) eqn:?; try discriminate; rewrite ?Nat.leb_le, ?Nat.ltb_lt in *.
Lemma later n : forall m p, n <= m -> (wins n p -> wins m p) /\ (loses n p -> loses m p).
Proof. induction n as [|n IH]; intros m p le; split; intro H; inversion H; subst; try (now constructor);
    destruct m as [|m]; try lia.
  - apply wins_by with q; auto. apply (IH m q); auto; lia.
  - apply loses_by; auto. intros q I. apply (IH m q); auto; lia. Qed.
(* What the table says is forced. *)
Lemma said n : forall p, D p -> (t p = CWin n -> wins n p) /\ (t p = CLoss n -> loses n p).
Proof. induction n as [n IH] using lt_wf_ind; intros p Dp; split; intro T;
    look p Dp; inversion T; subst; try (now constructor).
  - apply wins_by with w; auto. apply (IH n0); eauto.
  - apply loses_by; auto. intros q I. kid q. apply later with plies; auto. apply (IH plies); eauto. lia. Qed.
(* What is forced is said. *)
Lemma forced n : forall p, D p ->
  (wins n p -> exists m, m <= n /\ t p = CWin m) /\ (loses n p -> exists m, m <= n /\ t p = CLoss m).
Proof. induction n as [|n IH]; intros p Dp; split; intro F; inversion F; subst; look p Dp; try discriminate;
    try (now exists 0; split; [lia|]). 1-4: destruct (proj2 (IH q ltac:(eauto))) as [m [le Tq]]; auto; kid q; try congruence.
  1: injection Tq as ->; exists (S n0); split; [lia | easy].
  all: destruct (proj1 (IH w ltac:(eauto))) as [m [le Tw]]; auto; try congruence.
  exists (S n0). split; [assert (n0 = m) by congruence; lia | easy]. Qed.
Lemma draws p : D p -> (draw p <-> t p = CEnds \/ t p = CCycle).
Proof. intro Dp. split.
  - intro Dr. destruct (t p) eqn:T; auto; destruct (Dr plies), (said plies p Dp); tauto.
  - intros T n. split; intro F; apply (forced n p Dp) in F; destruct F as [m [_ Tm]], T; congruence. Qed.
Lemma said_ends n : forall p, D p -> snd (e p) < n -> t p = CEnds -> ends p.
Proof. induction n as [|n IH]; [lia|]. intros p Dp lt T. assert (Dr : draw p) by (apply draws; auto).
  look p Dp; try discriminate; [now apply ends_now|]. apply ends_by; auto. intros q I Dq.
  apply draws in Dq; eauto. kid q; destruct Dq; try discriminate.
  apply IH; eauto. unfold is in *. simpl in *. rewrite Nat.ltb_lt in *. lia. Qed.
Lemma ends_said p : ends p -> D p -> t p <> CCycle.
Proof. induction 1 as [p O | p O _ _ IH]; intros Dp T; look p Dp; try discriminate.
  apply (IH w); eauto. apply draws; eauto. Qed.

Theorem agrees_means p : D p -> forall c, t p = c <-> means c p.
Proof. intro Dp. assert (M : means (t p) p). { destruct (t p) eqn:T; simpl; unfold least.
    1,2: split; [now apply said | intros m F; apply (forced m p Dp) in F; destruct F as [k [le Tk]]].
    1,2: replace plies with k by congruence; auto.
    - split; [apply draws; auto | eapply said_ends; eauto].
    - split; [apply draws; auto | intro E; now apply (ends_said p)]. }
  intro c. split; [now intros <- |]. intro C. destruct c; simpl in C; unfold least in C.
  1,2: destruct C as [F L]; apply (forced plies p Dp) in F; destruct F as [m [le T]];
    rewrite T in *; f_equal; apply Nat.le_antisymm; auto; apply L, said; auto.
  1,2: destruct C as [Dr E]; apply draws in Dr; auto; destruct Dr as [T|T]; rewrite T in *; simpl in M; tauto. Qed.

(** * Play by the table *)
(* A perfect move leads to a position of the best value: the nearest loss, a draw of the same kind, or the farthest win. *)
Definition best (c : code) : code := match c with CWin (S d) => CLoss d | CLoss (S d) => CWin d | c => c end.
Definition perfect p q := In q (moves p) /\ t q = best (t p).

(* One side makes perfect moves: the mover of p if me is true. The other side makes any moves. *)
Definition choices (me : bool) p q := if me then perfect p q else In q (moves p).
(* The first side has won after at most n plies. *)
Fixpoint won (me : bool) (n : nat) p : Prop :=
  over p = Some (if me then Win else Loss) \/
  match n with 0 => False | S n => over p = None /\ forall q, choices me p q -> won (negb me) n q end.
(* The first side has not lost after fewer than n plies. *)
Fixpoint safe (me : bool) (n : nat) p : Prop :=
  match n with
  | 0 => True
  | S n => over p <> Some (if me then Loss else Win) /\
           (over p = None -> forall q, choices me p q -> safe (negb me) n q)
  end.

Lemma won_later n : forall me m p, n <= m -> won me n p -> won me m p.
Proof. induction n as [|n IH]; intros me [|m] p le; simpl; try lia; [tauto | tauto |].
  intros [O|[O W]]; [auto | right; split; auto; intros q C; apply IH; auto; lia]. Qed.

Theorem perfect_exists p : D p -> over p = None -> exists q, perfect p q.
Proof. intros Dp O. unfold perfect. look p Dp; try discriminate; exists w; auto. Qed.

Theorem perfect_wins n : forall (me : bool) p, D p -> t p = (if me then CWin n else CLoss n) -> won me n p.
Proof. induction n as [n IH] using lt_wf_ind; intros me p Dp T.
  destruct me; look p Dp; inversion T; subst; try (now left); right; split; auto; intros q C.
  - destruct C as [I B]. rewrite Heqc in B. apply (IH n0); eauto.
  - simpl in C. kid q. apply won_later with plies; [lia |]. apply (IH plies); eauto. lia. Qed.

(* A side that makes perfect moves loses only where the table says so, and not sooner. *)
Theorem perfect_safe n : forall (me : bool) p, D p ->
  (forall k, t p = (if me then CLoss k else CWin k) -> n <= k) -> safe me n p.
Proof. induction n as [|n IH]; intros me p Dp T; simpl; auto. split.
  - intro O. look p Dp; destruct me; try discriminate; specialize (T 0 eq_refl); lia.
  - intros O q C. assert (I : In q (moves p)) by (destruct me; [apply C | exact C]).
    apply IH; eauto. intros k Tq. apply le_S_n. destruct me; simpl in Tq.
    + destruct C as [_ B]. apply T. rewrite Tq in B. look p Dp; simpl in B; congruence.
    + look p Dp; try discriminate; kid q; try discriminate. specialize (T _ eq_refl). injection Tq as ->. lia. Qed.

(* Play that keeps the draw and never ends. *)
CoInductive forever : P -> Prop := on p q : over p = None -> draw p -> In q (moves p) -> forever q -> forever p.
Theorem cycle_forever : forall p, D p -> t p = CCycle -> forever p.
Proof. cofix go. intros p Dp T. assert (draw p) by (apply draws; auto). look p Dp; try discriminate.
  apply (on p w); auto. apply go; eauto. Qed.
End Game.

Definition theorems := (@agrees_means, @perfect_exists, @perfect_wins, @perfect_safe, @cycle_forever).
Print Assumptions theorems.
