(* Symmetries, and tables with one entry for all positions that symmetries map to each other. *)
From Coq Require Import List Arith Lia Bool.
From Morpion Require Import Meaning.
Import ListNotations.

(* Related positions of two games have the same result if finished, and else their moves lead to related positions. *)
Definition same_play {P Q : Type} moves over moves' over' (R : P -> Q -> Prop) : Prop :=
  forall p p', R p p' -> (over p : option result) = over' p' /\ (over p = None ->
    (forall q, In q (moves p) -> exists q', In q' (moves' p') /\ R q q') /\
    (forall q', In q' (moves' p') -> exists q, In q (moves p) /\ R q q')).

Section Half.
Context {P Q : Type} (moves : P -> list P) (over : P -> option result) (moves' : Q -> list Q) (over' : Q -> option result).
Variable R : P -> Q -> Prop.
Hypothesis same : same_play moves over moves' over' R.

Lemma same_forced n : forall p p', R p p' ->
  (wins moves over n p <-> wins moves' over' n p') /\ (loses moves over n p <-> loses moves' over' n p').
Proof.
  induction n as [|n IH]; intros p p' r; destruct (same p p' r) as [O M]; repeat split; intro F; inversion F; subst;
    try (constructor; congruence); destruct M as [there back]; try congruence.
  - destruct (there q) as [q' [I r']]; auto. apply wins_by with q'; try congruence. now apply (IH q q').
  - destruct (back q) as [q' [I r']]; auto. apply wins_by with q'; try congruence. now apply (IH q' q).
  - apply loses_by; try congruence. intros q' I. destruct (back q' I) as [q [J r']]. apply (IH q q'); auto.
  - apply loses_by; try congruence. intros q I. destruct (there q I) as [q' [J r']]. apply (IH q q'); auto.
Qed.
Lemma same_draw p p' : R p p' -> draw moves over p <-> draw moves' over' p'.
Proof. intro r. split; intros Dr n; destruct (Dr n), (same_forced n p p' r); tauto. Qed.
Lemma same_ends p : ends moves over p -> forall p', R p p' -> ends moves' over' p'.
Proof.
  induction 1 as [p O | p O Dr _ IH]; intros p' r; destruct (same p p' r) as [O' M].
  - apply ends_now. congruence.
  - apply ends_by; [congruence | now apply (same_draw p) |]. intros q' I Dq.
    destruct (proj2 (M O) q' I) as [q [J r']]. apply (IH q J); auto. now apply (same_draw q q').
Qed.
End Half.

Theorem same_means {P Q : Type} moves over moves' over' (R : P -> Q -> Prop) : same_play moves over moves' over' R ->
  forall c p p', R p p' -> means moves over c p <-> means moves' over' c p'.
Proof.
  intros S c p p' r.
  assert (S' : same_play moves' over' moves over (fun p' p => R p p')).
  { intros x' x rx. destruct (S x x' rx) as [O M]. split; auto. intro O'. destruct M; [congruence | auto]. }
  pose proof (fun n => same_forced _ _ _ _ R S n p p' r) as F. pose proof (same_draw _ _ _ _ R S p p' r) as Dr.
  assert (E : ends moves over p <-> ends moves' over' p').
  { split; intro E; [exact (same_ends _ _ _ _ R S p E p' r) | exact (same_ends _ _ _ _ _ S' p' E p r)]. }
  assert (L : forall A B : nat -> Prop, (forall n, A n <-> B n) -> forall n, least A n <-> least B n).
  { intros A B H n. unfold least. rewrite H. now setoid_rewrite H. }
  destruct c; simpl; rewrite ?Dr, ?E; try tauto; apply L; intro n; apply F.
Qed.

Section Orbits.
Context {P : Type} (moves : P -> list P) (over : P -> option result) (D : P -> Prop).
Hypothesis closed : forall p q, D p -> over p = None -> In q (moves p) -> D q.

Definition symmetry (s : P -> P) : Prop := forall p, D p -> D (s p) /\ over (s p) = over p /\
  (over p = None -> forall q', In q' (moves (s p)) <-> exists q, In q (moves p) /\ s q = q').

Lemma composed s u : symmetry s -> symmetry u -> symmetry (fun p => u (s p)).
Proof.
  intros S U p Dp. destruct (S p Dp) as [Ds [Os Ms]], (U (s p) Ds) as [Du [Ou Mu]].
  split; [auto | split; [congruence |]]. intros O q'. rewrite Mu by congruence. split.
  - intros [v [I <-]]. apply Ms in I; auto. destruct I as [q [I <-]]. eauto 8.
  - intros [q [I <-]]. exists (s q). split; auto. apply Ms; eauto.
Qed.

(* The representative of a position may be any image of it: it need not be the least, nor the same for all images. *)
Theorem orbits (rep : P -> P) : (forall p, D p -> exists s, symmetry s /\ rep p = s p) ->
  forall c p, D p -> means moves over c p <-> means (fun p => map rep (moves p)) over c (rep p).
Proof.
  intros Rep c p Dp.
  apply same_means with (R := fun p p' => D p /\ exists s, symmetry s /\ p' = s p); [| auto].
  clear p Dp. intros p p' [Dp [s [S ->]]]. destruct (S p Dp) as [Ds [Os Ms]]. split; auto. intro O. specialize (Ms O).
  assert (R : forall q, In q (moves p) -> exists u, symmetry u /\ rep (s q) = u q).
  { intros q I. destruct (Rep (s q)) as [u [U E]]; [apply S; eauto |]. eauto using composed. }
  split.
  - intros q I. exists (rep (s q)). split; [apply in_map, Ms |]; eauto.
  - intros q' I'. apply in_map_iff in I'. destruct I' as [v [<- I]]. apply Ms in I. destruct I as [q [I <-]]. eauto 8.
Qed.
End Orbits.

Print Assumptions same_means.
Print Assumptions orbits.
