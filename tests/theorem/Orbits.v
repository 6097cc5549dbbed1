(* Symmetries, and tables with one entry for all positions that symmetries map to each other. *)
From Coq Require Import List Arith Lia Bool.
From Morpion Require Import Meaning. Import ListNotations.
(* Two games on the same positions: related positions have the same result if finished, and otherwise their moves lead
   to related positions. *)
Definition same_play {P : Type} (over : P -> option result) moves moves' (R : P -> P -> Prop) : Prop :=
  forall p p', R p p' -> over p = over p' /\ (over p = None ->
    (forall q, In q (moves p) -> exists q', In q' (moves' p') /\ R q q') /\
    (forall q', In q' (moves' p') -> exists q, In q (moves p) /\ R q q')).
Section Half.
Context {P : Type} (over : P -> option result) (moves moves' : P -> list P) (R : P -> P -> Prop).
Hypothesis same : same_play over moves moves' R.
Lemma same_forced n : forall p p', R p p' ->
  (wins moves over n p -> wins moves' over n p') /\ (loses moves over n p -> loses moves' over n p').
Proof.
  induction n as [|n IH]; intros p p' r; destruct (same p p' r) as [O M]; split; intro F; inversion F; subst; try
    (constructor; congruence); destruct M as [there back]; auto.
  - destruct (there q) as [q' [I r']]; auto. apply wins_by with q'; try congruence. now apply (IH q q').
  - apply loses_by; try congruence. intros q' I. destruct (back q' I) as [q [J r']]. apply (IH q q'); auto. Qed.
Lemma same_ends p : (forall q q', R q q' -> draw moves over q <-> draw moves' over q') ->
  ends moves over p -> forall p', R p p' -> ends moves' over p'.
Proof. intro D. induction 1 as [p O | p O Dr _ IH]; intros p' r; destruct (same p p' r) as [O' M].
  - apply ends_now. congruence.
  - apply ends_by; [congruence | now apply (D p) |]. intros q' I Dq. destruct (proj2 (M O) q' I) as [q [J r']].
    apply (IH q J); auto. now apply (D q q'). Qed.
End Half.
Theorem same_means {P : Type} over moves moves' (R : P -> P -> Prop) : same_play over moves moves' R ->
  forall c p p', R p p' -> means moves over c p <-> means moves' over c p'.
Proof. intros S c p p' r. assert (S' : same_play over moves' moves (fun p' p => R p p')).
  { intros x' x rx. destruct (S x x' rx) as [O M]. split; auto. intro O'. destruct M; [congruence | auto]. }
  assert (F : forall n q q', R q q' -> (wins moves over n q <-> wins moves' over n q') /\ (loses moves over n q <-> loses
    moves' over n q')).
  { intros n q q' rq. pose proof (same_forced _ _ _ _ S n q q' rq). pose proof (same_forced _ _ _ _ S' n q' q rq). tauto. }
  assert (D : forall q q', R q q' -> draw moves over q <-> draw moves' over q').
  { intros q q' rq. unfold draw. split; intros Dr n; specialize (Dr n); specialize (F n q q' rq); tauto. }
  assert (E : ends moves over p <-> ends moves' over p').
  { split; intro E; [exact (same_ends _ _ _ _ S p D E p' r) | refine (same_ends _ _ _ _ S' p' _ E p r)]. intros. symmetry.
    now apply D. }
  assert (L : forall A B : nat -> Prop, (forall n, A n <-> B n) -> forall n, least A n <-> least B n).
  { intros A B H n. unfold least. rewrite H. now setoid_rewrite H. }
  destruct c; simpl; rewrite ?(D p p' r), ?E; try tauto; apply L; intro; now apply F. Qed.
Section Orbits.
Context {P : Type} (moves : P -> list P) (over : P -> option result).
Definition symmetry (s : P -> P) : Prop := forall p, over (s p) = over p /\
  (over p = None -> forall q', In q' (moves (s p)) <-> exists q, s q = q' /\ In q (moves p)).
Lemma composed s u : symmetry s -> symmetry u -> symmetry (fun p => u (s p)).
Proof. intros S U p. destruct (S p) as [Os Ms], (U (s p)) as [Ou Mu]. split; [congruence |]. intros O q'.
  rewrite Mu by congruence. setoid_rewrite Ms; auto. split; [intros [v [<- [q [<- I]]]] | intros [q [<- I]]]; eauto. Qed.
(* The representative of a position may be any image of it: it need not be the least, nor the same for all images. *)
Theorem orbits (rep : P -> P) : (forall p, exists s, symmetry s /\ rep p = s p) ->
  forall c p, means moves over c p <-> means (fun p => map rep (moves p)) over c (rep p).
Proof. intros Rep c p. apply same_means with (R := fun p p' => exists s, symmetry s /\ p' = s p); [| apply Rep]. clear p.
  intros p p' [s [S ->]]. destruct (S p) as [Os Ms]. split; auto. intro O. specialize (Ms O).
  assert (R : forall q, exists u, symmetry u /\ rep (s q) = u q).
  { intro q. destruct (Rep (s q)) as [u [U E]]. exists (fun p => u (s p)). auto using composed. }
  split.
  - intros q I. exists (rep (s q)). split; auto. apply in_map, Ms. eauto.
  - intros q' I'. apply in_map_iff in I'. destruct I' as [v [<- I]]. apply Ms in I. destruct I as [q [<- I]]. eauto. Qed.
End Orbits.
Print Assumptions orbits.
