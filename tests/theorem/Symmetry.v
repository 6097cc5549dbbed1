(* A permutation of the cells that passes a finite test on the header is a symmetry of the game. *)
From Coq Require Import List Arith NArith Bool Lia Permutation FinFun.
From Morpion Require Import Meaning Orbits Game. Import ListNotations. Open Scope N_scope.
(* The list m has the images of the members of l, and no others. *)
Definition images {A B} (h : A -> B) (l : list A) (m : list B) : Prop := forall y, In y m <-> exists x, h x = y /\ In x l.
Section Images.
Context {A B : Type} (h : A -> B) (l : list A) (m : list B) (I : images h l m).
Lemma images_nil : l = [] <-> m = [].
Proof. split; intros ->; [destruct m as [|y k] | destruct l as [|x k]]; auto.
  - now destruct (proj1 (I y) (or_introl eq_refl)) as [x [_ []]].
  - destruct (proj2 (I (h x))). exists x. split; auto. now left. Qed.
Lemma images_filter P Q : (forall x, Q (h x) = P x) -> images h (filter P l) (filter Q m).
Proof. intros E y. rewrite filter_In, (I y). setoid_rewrite filter_In. setoid_rewrite <- E.
  split; [intros [[x [<- X]] q] | intros [x [<- [X q]]]]; eauto 6. Qed.
Lemma images_existsb P Q : (forall x, Q (h x) = P x) -> existsb Q m = existsb P l.
Proof. intro E. apply eq_true_iff_eq. rewrite !existsb_exists. setoid_rewrite <- E. setoid_rewrite (fun y => I y).
  split; [intros [y [[x [<- X]] q]] | intros [x [X q]]]; eauto 6. Qed.
Lemma images_flat_map {C D} (k : C -> D) F F' :
  (forall x, images k (F x) (F' (h x))) -> images k (flat_map F l) (flat_map F' m).
Proof. intros E z. rewrite in_flat_map. setoid_rewrite in_flat_map. setoid_rewrite (fun y => I y).
  split; [intros [y [[x [<- X]] Z]]; apply E in Z; destruct Z as [c [<- Z]]; eauto | intros [c [<- [x [X Z]]]]]. exists (h x).
  split; [| apply E]; eauto. Qed.
Lemma images_map {C D} (k : C -> D) F F' : (forall x, F' (h x) = k (F x)) -> images k (map F l) (map F' m).
Proof. intros E z. rewrite in_map_iff. setoid_rewrite in_map_iff. setoid_rewrite (fun y => I y).
  split; [intros [y [<- [x [<- X]]]] | intros [c [<- [x [<- X]]]]]; eauto 6. Qed.
Lemma images_first l' m' : images h l' m' -> images h (first l l') (first m m').
Proof. pose proof images_nil as [nl nm]. unfold first. destruct l; [now rewrite nl | destruct m; auto; now discriminate nm].
Qed.
End Images.
Lemma images_nothing {A B} (h : A -> B) : images h [] []. Proof. intro y. split; [easy | now intros [x [_ []]]]. Qed.
Lemma images_one {A B} (h : A -> B) x : images h [x] [h x].
Proof. intro y. simpl. split; [intros [<- | []]; eauto | intros [z [<- [-> | []]]]; auto]. Qed.
Section Symmetry.
Variables (G : game) (l : list N).
Notation cells := (cells G). Notation bits := (bits G).
(* The image of a cell; nothing else moves. *)
Definition n := N.of_nat (size G).
Definition f (c : N) : N := if c <? n then nth (N.to_nat c) l c else c.
Definition g (c : N) : N := hd c (filter (fun a => f a =? c) cells).
Definition act (m : N) : N := fold_right (fun c k => N.setbit k (f c)) (N.shiftl (N.shiftr m n) n) (bits m).
Definition act_side (s : side) : side := Side (act (on s)) (map f (ages s)) (hand s).
Definition image (p : position) : position := (act_side (fst p), act_side (snd p)).
Definition act_line (l : N * N) : N * N := (act (fst l), act (snd l)).
Definition act_step (s : step) : step := Step (option_map f (from s)) (act (to s)) (act (clear s)) (act (own s))
  (act (other s)) (act (taken s)) (match does s with Push way => Push (map f way) | e => e end).
(* The test: f permutes the cells and keeps the lines, and the steps of each phase. *)
Definition step_dec (a b : step) : {a = b} + {a <> b}. Proof. repeat (decide equality; auto using N.eq_dec). Defined.
Definition line_dec (a b : N * N) : {a = b} + {a <> b}. Proof. decide equality; apply N.eq_dec. Defined.
Definition same_members {A} (dec : forall a b : A, {a = b} + {a <> b}) (l m : list A) : bool :=
  let within l m := forallb (fun x => if in_dec dec x m then true else false) l in within l m && within m l.
Definition keeps_rules : bool :=
  forallb (fun c => (f c <? n) && (g c <? n) && (g (f c) =? c) && (f (g c) =? c)) cells &&
  same_members line_dec (map act_line (lines G)) (lines G) &&
  forallb (fun phase => same_members step_dec (map act_step phase) phase) (phases G).
Hypothesis K : keeps_rules = true.

(** * Cells and sets *)
Lemma in_cells c : In c cells <-> c < n.
Proof. unfold Game.cells, n. rewrite in_map_iff. setoid_rewrite in_seq. split; [intros [x [<- ?]]; lia |]. intro lt.
  exists (N.to_nat c). lia. Qed.
Lemma bijective c : (f c < n <-> c < n) /\ (g c < n <-> c < n) /\ g (f c) = c /\ f (g c) = c.
Proof. unfold keeps_rules in K. rewrite !andb_true_iff, forallb_forall in K. destruct K as [[B _] _].
  repeat setoid_rewrite andb_true_iff in B. setoid_rewrite N.ltb_lt in B. setoid_rewrite N.eqb_eq in B.
  setoid_rewrite in_cells in B.
  destruct (N.lt_ge_cases c n) as [lt | ge]; [specialize (B c lt); tauto |].
  assert (F : f c = c) by (unfold f; destruct (N.ltb_spec c n); auto; lia). assert (g c = c) as E.
  { unfold g. destruct (filter _ cells) as [|a k] eqn:E; auto. assert (H : In a (a :: k)) by now left.
    rewrite <- E, filter_In, N.eqb_eq, in_cells in H. destruct H as [lt <-]. specialize (B a lt). lia. }
  rewrite F, E. tauto. Qed.
Lemma f_eqb c a : (f a =? f c) = (a =? c).
Proof. destruct (bijective a), (bijective c). apply eq_true_iff_eq. rewrite !N.eqb_eq.
  split; [intro E; apply (f_equal g) in E |]; intuition congruence. Qed.
Lemma bits_in m c : In c (bits m) <-> c < n /\ has m c = true. Proof. unfold Game.bits. now rewrite filter_In, in_cells. Qed.
Lemma act_bit m c : has (act m) c = has m (g c).
Proof. destruct (bijective c) as [_ [gn [_ fg]]].
  assert (E : has (act m) c = existsb (fun a => f a =? c) (bits m) || (n <=? c) && has m c).
  { unfold act. induction (bits m) as [|a k IH]; cbn [fold_right existsb orb].
    - unfold has. destruct (N.leb_spec n c); [| now rewrite N.shiftl_spec_low].
      now rewrite N.shiftl_spec_high', N.shiftr_spec', N.sub_add by auto.
    - rewrite <- orb_assoc, <- IH. apply N.setbit_eqb. }
  rewrite E. apply eq_true_iff_eq. rewrite orb_true_iff, existsb_exists, andb_true_iff, N.leb_le. setoid_rewrite bits_in.
  setoid_rewrite N.eqb_eq. split.
  - intros [[a [[lt h] <-]] | [ge h]]; [now destruct (bijective a) as [_ [_ [-> _]]] |]. replace (g c) with c; auto.
    unfold f in fg. destruct (N.ltb_spec (g c) n); auto; lia.
  - intro h. destruct (N.lt_ge_cases c n); [left; exists (g c); tauto | right; split; auto]. unfold f in fg.
    destruct (N.ltb_spec (g c) n); [lia | congruence]. Qed.
Lemma act_has m c : has (act m) (f c) = has m c. Proof. rewrite act_bit. now destruct (bijective c) as [_ [_ [-> _]]]. Qed.
(* Two sets are equal if they have the same images of cells. *)
Lemma act_ext a b : (forall c, has a (f c) = has b (f c)) -> a = b.
Proof. intro H. apply N.bits_inj. intro c. destruct (bijective c) as [_ [_ [_ <-]]]. apply H. Qed.
Ltac by_cells := apply act_ext; intro; rewrite act_has; unfold has;
  rewrite ?N.lor_spec, ?N.land_spec, ?N.setbit_eqb, ?N.clearbit_eqb, ?f_eqb; change N.testbit with has; now rewrite ?act_has.
Lemma act_lor a b : act (N.lor a b) = N.lor (act a) (act b). Proof. by_cells. Qed.
Lemma act_land a b : act (N.land a b) = N.land (act a) (act b). Proof. by_cells. Qed.
Lemma act_setbit m c : act (N.setbit m c) = N.setbit (act m) (f c). Proof. by_cells. Qed.
Lemma act_clearbit m c : act (N.clearbit m c) = N.clearbit (act m) (f c). Proof. by_cells. Qed.
Lemma act_0 : act 0 = 0. Proof. by_cells. Qed.
Lemma act_eqb a b : (act a =? act b) = (a =? b).
Proof. apply eq_true_iff_eq. rewrite !N.eqb_eq. split; [| congruence]. intro E. apply N.bits_inj. intro c.
  fold (has a c) (has b c). now rewrite <- act_has, E, act_has. Qed.
Lemma act_subset a b : subset (act a) (act b) = subset a b. Proof. unfold subset. now rewrite <- act_land, act_eqb. Qed.
Lemma act_apart a b : apart (act a) (act b) = apart a b.
Proof. unfold apart. rewrite <- act_land. rewrite <- act_0 at 1. apply act_eqb. Qed.
Lemma images_cells : images f cells cells.
Proof. intro y. rewrite in_cells. setoid_rewrite in_cells. destruct (bijective y) as [_ [gn [_ fg]]].
  split; [intro lt; exists (g y); tauto | intros [x [<- X]]; now apply (proj1 (bijective x))]. Qed.
Lemma images_bits m : images f (bits m) (bits (act m)).
Proof. apply images_filter; [apply images_cells |]. intros. apply act_has. Qed.
Lemma count_act m : count G (act m) = count G m.
Proof. unfold count. rewrite <- (map_length f (bits m)).
  assert (N : NoDup cells) by (apply Injective_map_NoDup; [intros x y; lia | apply seq_NoDup]).
  apply Permutation_length, NoDup_Permutation; [now apply NoDup_filter | |].
  - apply Injective_map_NoDup; [| now apply NoDup_filter]. intros x y E. apply N.eqb_eq. now rewrite <- f_eqb, E, N.eqb_refl.
  - intro y. now rewrite (images_bits m y), in_map_iff. Qed.

(** * Lines *)
Lemma same_images {A} dec (h : A -> A) k : same_members dec (map h k) k = true -> images h k k.
Proof. unfold same_members. rewrite andb_true_iff, !forallb_forall. intros [there back] y. rewrite <- in_map_iff.
  split; intro Y; [specialize (back y Y) | specialize (there y Y)]; now destruct in_dec. Qed.
Lemma images_lines : images act_line (lines G) (lines G).
Proof. unfold keeps_rules in K. rewrite !andb_true_iff in K. eapply same_images, K. Qed.
Lemma owns_act m k : owns (act m) (act_line k) = owns m k. Proof. unfold owns. simpl. now rewrite act_subset, act_apart. Qed.
Lemma lined_act m : lined G (act m) = lined G m.
Proof. apply (images_existsb act_line _ _ images_lines). intros; apply owns_act. Qed.
Lemma in_line_act m c : in_line G (act m) (f c) = in_line G m c.
Proof. apply (images_existsb act_line _ _ images_lines). intros. simpl. now rewrite owns_act, act_has. Qed.
Lemma in_two_act m c : in_two G (act m) (f c) = in_two G m c.
Proof. apply (images_existsb act_line _ _ images_lines). intros. simpl. rewrite owns_act, act_has. f_equal.
  apply (images_existsb act_line _ _ images_lines). intros. simpl. now rewrite owns_act, act_has, act_eqb. Qed.

(** * Moves *)
Lemma lift_act c s : act_side (lift c s) = lift (f c) (act_side s).
Proof. unfold act_side, lift. simpl. rewrite act_clearbit. f_equal. induction (ages s) as [|a k IH]; simpl; auto.
  rewrite f_eqb. destruct (a =? c); simpl; now rewrite IH. Qed.
Lemma put_act c s : act_side (put G c s) = put G (f c) (act_side s).
Proof. unfold act_side, put. simpl. rewrite act_setbit. destruct aging; auto. now rewrite map_app. Qed.
Lemma drop_act s : act_side (drop s) = drop (act_side s).
Proof. unfold drop. simpl. destruct (ages s); [easy | apply lift_act]. Qed.
Lemma moved_act s c m : act_side (moved G s c m) = moved G (act_step s) (f c) (act_side m).
Proof. unfold moved. set (m0 := match from s with Some a => _ | None => _ end).
  replace (match from (act_step s) with Some a => _ | None => _ end) with (act_side m0) by (unfold m0; simpl; destruct (from
    s); [apply lift_act | easy]). cbn [does act_step].
  destruct (does s) as [| | [] |]; rewrite <- ?put_act, <- ?drop_act, <- ?put_act; auto.
  change (on (act_side (put G c m0))) with (act (on (put G c m0))). rewrite lined_act. destruct lined; auto using drop_act.
Qed.
Lemma victims_images k w : images f (victims G k w) (victims G k (act_side w)).
Proof. pose proof (images_bits (on w)) as B. unfold victims. simpl.
  pose proof (images_filter _ _ _ B _ (fun c => negb (in_line G (act (on w)) c)) (fun c => f_equal negb (in_line_act (on w)
    c))) as O. destruct (k mod 3) as [|[]]; auto using images_first. Qed.
Lemma taking_images m c w : images act_side (taking G m c w) (taking G (act_side m) (f c) (act_side w)).
Proof. unfold taking. destruct (takes G) as [k|]; [| apply images_one]. change (on (act_side m)) with (act (on m)).
  rewrite in_line_act, in_two_act. destruct (in_line G (on m) c); simpl; [| apply images_one].
  pose proof (victims_images k w) as V. repeat apply images_first; [| | apply images_one].
  - destruct (_ && _); [| apply images_nothing]. apply (images_flat_map f _ _ V). intro v.
    eapply images_map; [apply images_filter; [exact V |]; intro u; now rewrite f_eqb | intro u; now rewrite !lift_act].
  - apply (images_map f _ _ V). intros. now rewrite lift_act. Qed.
Lemma shift_act m way : act (shift m way) = shift (act m) (map f way).
Proof. induction way as [|a k IH]; auto. cbn [shift map]. rewrite <- IH. destruct k as [|b k]; simpl; [apply act_clearbit |].
  rewrite act_has. destruct (has m b); auto using act_setbit, act_clearbit. Qed.
Lemma landed_images s there m w : images image (landed G s there m w)
  (landed G (act_step s) (act_side there) (act_side m) (act_side w)).
Proof. eapply images_flat_map.
  - apply images_filter; [apply images_cells |]. intros. unfold free. simpl. now rewrite !act_has.
  - intro c. rewrite <- moved_act. eapply images_map; [apply taking_images | easy]. Qed.
Lemma holds_act s m w : holds (act_step s) (act m) (act w) = holds s m w.
Proof. unfold holds. simpl. now rewrite <- !act_lor, act_apart, !act_subset. Qed.
Lemma can_act s m w : can (act_step s) (act_side m) (act_side w) = can s m w.
Proof. unfold can. simpl. rewrite holds_act. destruct (does s) as [|[]| |], (from s); simpl; now rewrite ?act_has. Qed.
Lemma by_step_images p s : images image (by_step G p s) (by_step G (image p) (act_step s)).
Proof. destruct p as [m w]. unfold by_step, image at 2. simpl fst. simpl snd. rewrite can_act.
  destruct (can s m w); [| apply images_nothing]. cbn [does act_step]. destruct (does s) as [|way|[]|]; simpl;
    rewrite <- ?drop_act; try apply landed_images; [| exact (images_one image (w, m))].
  rewrite <- !shift_act, <- act_lor. exact (images_one image (_, _)). Qed.
Lemma layer_act p : layer_of G (image p) = layer_of G p.
Proof. destruct p as [m w]. unfold layer_of, image. simpl. now rewrite !count_act. Qed.
Lemma moves_images p : images image (moves G p) (moves G (image p)).
Proof. unfold moves. rewrite layer_act. destruct (layer_of G p) as [k|]; [| apply images_nothing].
  eapply images_flat_map; [| intros; apply by_step_images].
  destruct (nth_in_or_default (N.to_nat (phase k)) (phases G) []) as [H | ->]; [| apply images_nothing].
  unfold keeps_rules in K. rewrite !andb_true_iff, !forallb_forall in K. eapply same_images, K, H. Qed.
Theorem header_symmetry : symmetry (turns G) (over G) image.
Proof. intro p. pose proof (moves_images p) as M. split.
  - pose proof (images_nil _ _ _ M) as E. unfold over, over_with. destruct (image p) as [m' w'] eqn:P, p as [m w].
    injection P as <- <-. change (act_side m, act_side w) with (image (m, w)) in *. rewrite layer_act. simpl on.
    rewrite !lined_act, !count_act. repeat match goal with |- context [if ?b then Some _ else _] => destruct b; auto end.
    destruct (moves G (m, w)), (moves G (image (m, w))); auto; [discriminate (proj1 E eq_refl) | discriminate (proj2 E
      eq_refl)].
  - intros _. exact (images_first _ _ _ M _ _ (images_one image (snd p, fst p))). Qed.
End Symmetry.
Print Assumptions header_symmetry.
