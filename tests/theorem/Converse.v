(* The converse: if a table of finitely many positions means what it says, its entries agree with their children. *)
From Coq Require Import List Arith Lia Bool.
From Morpion Require Import Meaning. Import ListNotations.
Section Converse.
Context {P : Type} (moves : P -> list P) (over : P -> option result) (t : P -> code) (all : list P).
Hypothesis closed : forall p q, In p all -> over p = None -> In q (moves p) -> In q all.
Hypothesis live : forall p, In p all -> over p = None -> moves p <> [].
Hypothesis right : forall p, In p all -> means moves over (t p) p.
Notation wins := (wins moves over). Notation loses := (loses moves over).
(* One bound for all members of a list. *)
Lemma bound (A : nat -> P -> Prop) l : (forall n m q, n <= m -> A n q -> A m q) ->
  (forall q, In q l -> exists n, A n q) -> exists n, forall q, In q l -> A n q.
Proof. intro later. induction l as [|a l IH]; intro H; [now exists 0 |].
  destruct IH as [n N], (H a) as [m M]; simpl; auto; [intros; apply H; simpl; auto |]. exists (n + m).
  intros q [<- | I]; [apply later with m | apply later with n]; auto; lia. Qed.
Lemma never_both n : forall m p, (wins n p -> loses m p -> False) /\ (loses n p -> wins m p -> False).
Proof. induction n as [|n IH]; intros m p; split; intros F G; inversion F; inversion G; subst; try congruence;
    [eapply (proj2 (IH _ q)) | eapply (proj1 (IH _ q))]; eauto. Qed.
Lemma code_of n p : In p all ->
  (wins n p -> exists e, t p = CWin e /\ e <= n) /\ (loses n p -> exists e, t p = CLoss e /\ e <= n).
Proof. intro I. pose proof (right p I) as R. split; intro F; destruct (t p) as [e|e| |]; destruct R as [X Y];
    try (now apply X in F); eauto; now apply (never_both n e p) in F. Qed.
(* The meaning of the code of a child. *)
Ltac meaning q := let T := fresh "T" in let R := fresh "R" in let Y := fresh "Y" in
  assert (R : means moves over (t q) q) by eauto; destruct (t q) eqn:T; try discriminate; destruct R as [R Y].

(* The rank of a draw that ends: the longest play that keeps the draw. *)
Definition kept p := filter (fun q => is CEnds (t q)) (moves p).
Fixpoint height n p : nat :=
  match over p, n with None, S n => S (list_max (map (height n) (kept p))) | _, _ => 0 end.
Definition stable n p := forall m, n <= m -> height m p = height n p.
Lemma stable_later n m p : n <= m -> stable n p -> stable m p.
Proof. intros le S k lt. rewrite (S k), (S m); lia. Qed.
Lemma bound_of_draws l : (forall q, In q l -> t q = CEnds -> exists n, stable n q) ->
  exists n, forall q, In q (filter (fun q => is CEnds (t q)) l) -> stable n q.
Proof. intro H. apply bound; [intros; now apply stable_later with n |].
  intros q K. apply filter_In in K. destruct K as [J T]. apply is_true in T. auto. Qed.
Lemma ends_stable p : ends moves over p -> In p all -> exists n, stable n p.
Proof. induction 1 as [p O | p O _ _ IH]; intro I; [exists 0; intros [|m] _; simpl; now rewrite O |].
  destruct (bound_of_draws (moves p)) as [n N]; [intros q J T; meaning q; eauto |].
  exists (S n). intros [|m] le; [lia |]. simpl. rewrite O. do 2 f_equal.
  apply map_ext_in. intros q K. apply (N q K). lia. Qed.
Lemma kept_bound : exists n, forall p, In p all -> t p = CEnds -> stable n p.
Proof. destruct (bound_of_draws all) as [n N]; [intros q I T; meaning q; apply ends_stable; auto |].
  exists n. intros p I T. apply N, filter_In. now rewrite is_true. Qed.

(* Codes of the children of a position that is not over. *)
Section Kids.
Context (p : P) (I : In p all) (O : over p = None).
Lemma some_kid_or_none c : (forall q, In q (moves p) -> t q <> c) \/ exists q, In q (moves p) /\ t q = c.
Proof. destruct (Exists_dec (fun q => t q = c) (moves p)) as [E | E]; [repeat decide equality | |];
    rewrite Exists_exists in E; eauto 6. Qed.
Lemma draw_kids : draw moves over p -> (forall q k, In q (moves p) -> t q <> CLoss k) /\
  ((forall q, In q (moves p) -> t q <> CEnds) -> (forall q, In q (moves p) -> t q <> CCycle) -> False).
Proof. intro Dr. assert (U : forall q k, In q (moves p) -> t q <> CLoss k).
  { intros q k J T. meaning q. injection T as ->. apply (proj1 (Dr (S k))), wins_by with q; auto. }
  split; auto. intros E C. destruct (bound wins (moves p)) as [n N]; [intros; eapply later; eauto | |].
  - intros q J. specialize (U q). meaning q; [eauto | now destruct (U plies) | now apply E in T | now apply C in T].
  - now apply (Dr (S n)), loses_by. Qed.
End Kids.
Theorem right_agrees : exists r, forall p, In p all -> agrees moves over (fun p => (t p, r p)) p = true.
Proof. destruct kept_bound as [n N]. exists (height (S n)). intros p I. unfold agrees, Meaning.t. simpl fst. simpl snd.
  pose proof (right p I) as R. destruct (over p) as [v|] eqn:O.
  { destruct v; simpl; rewrite andb_true_r, is_true.
    - destruct (proj1 (code_of 0 p I)) as [e [-> le]]; [now constructor | f_equal; lia].
    - destruct (proj2 (code_of 0 p I)) as [e [-> le]]; [now constructor | f_equal; lia].
    - destruct (t p); auto; destruct R as [F X]; try (inversion F; congruence). now destruct X; constructor. }
  destruct (t p) as [m|m| |] eqn:T; destruct R as [F X]; [inversion F as [|d ? q _ J Fq] | inversion F as [|d ? _ Fq] | |];
    try congruence; subst; simpl; rewrite ?andb_true_iff, some_kid, !all_kids; unfold Meaning.t; simpl.
  - assert (low : forall q k, In q (moves p) -> t q = CLoss k -> d <= k).
    { intros u k K Tu. apply le_S_n, X, wins_by with u; auto. meaning u. congruence. }
    destruct (proj2 (code_of d q (closed p q I O J)) Fq) as [k [Tq le]]. pose proof (low q k J Tq).
    repeat split; [exists q; split; auto; rewrite Tq; f_equal; lia |].
    intros u K. destruct (t u) eqn:Tu; auto. apply Nat.leb_le; eauto.
  - assert (high : forall q, In q (moves p) -> exists k, t q = CWin k /\ k <= d) by (intros q J; apply code_of; eauto).
    repeat split; try (intros q J; destruct (high q J) as [k [-> le]]; auto; now apply Nat.leb_le).
    destruct (some_kid_or_none p (CWin d)) as [none | W]; auto. exfalso. destruct d as [|d].
    + destruct (moves p) as [|q l] eqn:M; [now apply (live p) |].
      destruct (high q) as [k [Tq le]]; simpl; auto. apply (none q); simpl; auto. rewrite Tq. f_equal. lia.
    + enough (S (S d) <= S d) by lia. apply X, loses_by; auto. intros q J. destruct (high q J) as [k [Tq le]].
      meaning q. injection Tq as ->. apply (later moves over k d q); auto.
      enough (k <> S d) by lia. intros ->. now apply (none q J).
  - destruct (draw_kids p I O F) as [unlost kids]. inversion X as [|? _ _ E]; [congruence | subst].
    assert (cut : forall q, In q (moves p) -> t q <> CCycle) by (intros q J Tq; meaning q; now apply Y, E).
    repeat split; [destruct (some_kid_or_none p CEnds) as [none | W]; auto; now destruct kids | | |];
      intros q J; [destruct (t q) eqn:Tq; auto; now apply unlost in Tq
                  | destruct (t q) eqn:Tq; auto; now apply cut in Tq |].
    destruct (is CEnds (t q)) eqn:Tq; auto. apply is_true in Tq. apply Nat.ltb_lt.
    assert (H : height (S n) q = height n q) by (apply N; eauto). simpl in H. rewrite H. apply le_n_S.
    pose proof (proj1 (list_max_le (map (height n) (kept p)) _) (le_n _)) as M. rewrite Forall_forall in M.
    apply M, in_map, filter_In. now rewrite is_true.
  - destruct (draw_kids p I O F) as [unlost kids]. repeat split.
    + destruct (some_kid_or_none p CCycle) as [none | W]; auto. exfalso. apply X, ends_by; auto. intros q J Dq.
      meaning q; [now apply Dq in R | now apply Dq in R | auto | now apply none in T0].
    + intros q J. destruct (t q) eqn:Tq; auto. now apply unlost in Tq. Qed.
End Converse.
Theorem agrees_iff_means {P : Type} (moves : P -> list P) over (t : P -> code) all :
  (forall p q, In p all -> over p = None -> In q (moves p) -> In q all) ->
  (forall p, In p all -> over p = None -> moves p <> []) ->
  (exists r, forall p, In p all -> agrees moves over (fun p => (t p, r p)) p = true) <->
  (forall p, In p all -> forall c, t p = c <-> means moves over c p).
Proof. intros closed live. split.
  - intros [r A]. apply (agrees_means moves over (fun p => (t p, r p)) (fun p => In p all)); auto.
  - intro R. apply right_agrees; auto. intros p I. now apply R. Qed.
Print Assumptions agrees_iff_means.
