(* The table file: its header, the entry of a position, and a check of all entries, as FORMAT.md defines them. *)
From Coq Require Import List Arith NArith PArith Bool Lia FMapPositive.
From Morpion Require Import Meaning Orbits Game Symmetry. Import ListNotations. Open Scope N_scope.

(** * Bytes and fields (sections 1 and 2) *)
Section File. Variable data : N -> N.                    (* the byte at an offset *)
Fixpoint number (k : nat) (i : N) : N := match k with O => 0 | S k => data i + 256 * number k (N.succ i) end.
Definition parser A : Type := N -> option (A * N).
Definition give {A} (a : A) : parser A := fun i => Some (a, i). Definition refuse {A} : parser A := fun _ => None.
Definition bind {A B} (p : parser A) (q : A -> parser B) : parser B :=
  fun i => match p i with Some (a, j) => q a j | None => None end.
Notation "x <- p ; q" := (bind p (fun x => q)) (at level 61, p at next level, right associativity).
Definition u (k : nat) : parser N := fun i => Some (number k i, i + N.of_nat k).
Fixpoint times {A} (k : nat) (p : parser A) : parser (list A) :=
  match k with O => give [] | S k => a <- p; l <- times k p; give (a :: l) end.
Definition list_of {A} (p : parser A) : parser (list A) := k <- u 8; if k <=? 65535 then times (N.to_nat k) p else refuse.
Definition text : parser unit := k <- u 8; fun i => Some (tt, i + k).
(* One of several cases, by a number of k bytes. *)
Definition choice {A} (k : nat) (cases : list (parser A)) : parser A := i <- u k; nth (N.to_nat i) cases refuse.
Definition option_of {A} (p : parser A) : parser (option A) := choice 1 [give None; a <- p; give (Some a)].
Definition value : parser result := choice 4 [give Win; give Draw; give Loss].
Definition outcome : parser (option result) := choice 4 [give (Some Win); give (Some Draw); give (Some Loss); give None].
Definition members (m : N) : list N := filter (has m) (map N.of_nat (seq 0 36)).
(* The number of cells. *)
Definition board : parser nat := choice 4 [a <- u 1; b <- u 1; give (N.to_nat (a * b)); a <- u 1; give (N.to_nat a);
  _ <- u 2; squares <- times 16 (u 1); give (length (flat_map members squares))].
Definition a_step : parser step :=
  a <- option_of (u 1); b <- u 8; clear <- u 8; own <- u 8; other <- u 8; taken <- u 8;
  let begins way := hd 0 way =? match a with Some c => c | None => 0 end in
  e <- choice 4 [give Move;
    path <- u 8; let way := members path in give (Push (if begins way then way else rev way));
    when <- choice 4 [give First; give BeforeLines; give AfterLines]; give (Replace when);
    give Pass];
  give (Step a b clear own other taken e).
Definition a_layer : parser layer :=
  m <- u 1; w <- u 1; hm <- u 1; hw <- u 1; phase <- u 1; _ <- option_of (u 4); e <- u 1;
  give (Layer (N.to_nat m, N.to_nat w) (hm, hw) phase (e =? 1) 0 0).
(* Places: the maps, then the layers in reverse order, each at the next multiple of 64. *)
Definition pascal : list (list N) := Eval vm_compute in
  let next row := map (fun ab => fst ab + snd ab) (combine (0 :: row) (row ++ [0])) in
  map (fun k => Nat.iter k next [1]) (seq 0 37).
Definition choose (j k : nat) : N := nth k (nth j pascal []) 0.
Fixpoint factorial (k : nat) : N := match k with O => 1 | S j => N.of_nat k * factorial j end.
Definition orders_of (G : game) (k : nat) : N := if aging G then factorial k else 1.
Fixpoint places (at_ : N) (lengths : list N) : list N :=
  match lengths with [] => [] | l :: ls => let i := (at_ + 63) / 64 * 64 in i :: places (i + l) ls end.
Definition laid_out (G : game) (bytes : N) (begin : N) (rows : list N) : list (N * N) * list layer :=
  let sizes := rev (nodup Nat.eq_dec (rev (map (fun l => fst (pieces l)) (filter (fun l => negb (ended l)) (layers G))))) in
  let columns (l : layer) := let (m, w) := pieces l in choose (size G - m) w * orders_of G w in
  let rows_of (m : nat) := fold_right (fun x k => if Nat.eqb (fst x) m then snd x else k) 0 (combine sizes rows) in
  let length_of (l : layer) := let m := fst (pieces l) in
    if ended l then 0 else rows_of m * orders_of G m * columns l * bytes in
  let offsets := places begin (map (fun k => 4 * choose (size G) k) sizes ++ map length_of (rev (layers G))) in
  (combine (map N.of_nat sizes) offsets,
   map (fun x : layer * N => let (l, i) := x in Layer (pieces l) (hands l) (phase l) (ended l) (columns l) i)
       (combine (layers G) (rev (skipn (length sizes) offsets)))).
Record table := Table { rules : game; start : (N * N) * N; bytes : N; perms : list (list N); maps : list (N * N) }.
Definition header : parser table :=
  _ <- text; _ <- text; _ <- text; size <- board; _ <- list_of text; _ <- list_of (u 4);
  x <- u 8; o <- u 8; side <- u 4; lines <- list_of (u 8); with_ <- list_of (u 8); phases <- list_of (list_of a_step);
  layers <- list_of a_layer; line <- value; blocked <- outcome; _ <- u 4; full <- option_of outcome; takes <- option_of (u 4);
  own <- u 1; encoding <- u 4; _ <- u 4; perms <- list_of (list_of (u 1)); rows <- list_of (u 4);
  let extended := combine lines (match with_ with [] => map (fun _ => 0) lines | l => l end) in
  let G layers := Game size extended phases layers line blocked full takes (own =? 1) in
  let (maps, layers) := laid_out (G layers) (1 + encoding) (24 + number 4 12) rows in
  if encoding <? 2 then give (Table (G layers) (x, o, side) (1 + encoding) perms maps) else refuse.
Definition file : option table :=
  let known := (number 4 0 =? 0x524F4D89) && (number 4 4 =? 0x4E4F4950) && (number 4 8 =? 5) in
  match header 16 with Some (T, i) => if known && (i =? 16 + number 4 12) then Some T else None | None => None end.

(** * Entries (sections 3 and 4) *)
Fixpoint rank_from (j k : nat) (l : list N) (m : N) : N := match l with [] => 0 | c :: l =>
  if has m c then choose j (S k) + rank_from (S j) (S k) l m else rank_from (S j) k l m end.
Definition rank := rank_from 0 0.
Fixpoint order (l : list N) : N :=
  match l with [] => 0 | c :: l => N.of_nat (length (filter (fun a => a <? c) l)) * factorial (length l) + order l end.
Variable T : table.
Notation G := (rules T). Notation cells := (cells G).
Definition width : N := N.log2_up (N.of_nat (length (perms T))).
(* The entry of a set in its map: a row, and the symmetry that leads to the representative. The identity comes first. *)
Definition map_entry (m : N) : N :=
  let a := N.of_nat (count G m) in
  match find (fun x => fst x =? a) (maps T) with Some x => number 4 (snd x + 4 * rank cells m) | None => 0 end.
Definition row (entry : N) : N := entry / 2 ^ width.
Definition move (entry : N) (p : position) : position :=
  let i := entry mod 2 ^ width in
  if i =? 0 then p else match nth_error (perms T) (N.to_nat i) with Some l => image G l p | None => p end.
Definition decode (v : N) : option code :=
  let most := if bytes T =? 2 then 32767 else 127 in
  let plies i first := N.to_nat (if (bytes T =? 1) && (16 <? i) then first + 2 * (i - 17) else i) in
  if v =? 0 then Some CCycle else if v <? most then Some (CWin (plies (v - 1) 17)) else if v =? most then Some CEnds
  else if v <=? 2 * most then Some (CLoss (plies (v - most - 1) 18)) else None.
(* The offset of the entry of a representative in a row, and the entry. *)
Definition place (row : N) (l : layer) (p : position) : N :=
  let (m, w) := p in let (a, b) := pieces l in
  let waiter := rank (filter (fun c => negb (has (on m) c)) cells) (on w) in
  let key := (row * orders_of G a + order (ages m)) * columns l + waiter * orders_of G b + order (ages w) in
  offset l + bytes T * key.
Definition code_at (i : N) : option code := decode (number (N.to_nat (bytes T)) i).
(* Positions of the game: pieces on different cells of the board, of a layer, with an order if they age. *)
Definition set_of (l : list N) : N := fold_right (fun c m => N.setbit m c) 0 l.
Definition inside (m : N) : bool := set_of (bits G m) =? m.
Fixpoint ordered (l : list N) (m : N) : bool :=
  match l with [] => m =? 0 | c :: l => existsb (N.eqb c) (bits G m) && ordered l (N.clearbit m c) end.
Definition valid_side (s : side) : bool :=
  inside (on s) &&
  if aging G then (length (ages s) =? count G (on s))%nat && ordered (ages s) (on s)
  else match ages s with [] => true | _ => false end.
Definition valid (p : position) : bool := valid_side (fst p) && valid_side (snd p) && apart (on (fst p)) (on (snd p)).
(* Ranks of draws that end, by the offset of their entry: evidence that need not be trusted. *)
Variable evidence : N -> nat.
(* The code that a reader finds for a position, with its rank.
   None: there is no such position, or its set has a wrong entry in the map. *)
Definition locate (p : position) : N * position := let e := map_entry (on (fst p)) in (row e, move e p).
Definition is_rep (m : N) (r : N) : bool := let e := map_entry m in (e mod 2 ^ width =? 0) && (row e =? r).
Definition look (x : N * position) : option (code * nat) :=
  let (r, p) := x in
  match (if is_rep (on (fst p)) r then if valid p then layer_of G p else None else None) with
  | None => None
  | Some l =>
      if ended l then option_map (fun v => (final v, 0%nat)) (over G p) else
      if absent G p then None else let i := place r l p in
      option_map (fun c => (c, match c with CEnds => evidence i | _ => 0%nat end)) (code_at i)
  end.
Definition read (p : position) : option (code * nat) := look (locate p).

(** * Check of all entries *)
(* The sets of k of the cells l, without those of x. *)
Fixpoint subsets (x : N) (l : list N) (k : nat) : list N := match l, k with _, O => [0] | [], _ => [] | c :: l, S j =>
  subsets x l k ++ if has x c then [] else map (fun m => N.setbit m c) (subsets x l j) end.
Fixpoint orders (k : nat) (m : N) : list (list N) :=
  match k with O => [[]] | S k => flat_map (fun c => map (cons c) (orders k (N.clearbit m c))) (bits G m) end.
Definition sides (h m : N) : list side := if aging G then map (fun o => Side m o h) (orders (count G m) m) else [Side m [] h].
Definition some {A} (o : option A) : bool := match o with Some _ => true | None => false end.
Definition or_any (o : option (code * nat)) : code * nat := match o with Some x => x | None => (CCycle, 0%nat) end.
Definition right (p : position) : bool :=
  if absent G p then
    match layer_of G p with Some l => negb (some (code_at (place (fst (locate p)) l p))) | None => false end else
  let ms := moves G p in
  let o := over_with G p ms in
  let kids := map read (first ms [(snd p, fst p)]) in
  match read p with
  | None => false
  | Some (c, r) => (if o then true else forallb some kids) && forallb snd (conditions o c r (map or_any kids))
  end.
(* All positions of a layer whose mover's set represents its orbit. *)
Definition each {A} (l : layer) (f : position -> list A) : list A :=
  if ended l then [] else flat_map (fun m => if map_entry m mod 2 ^ width =? 0 then
    flat_map (fun w => flat_map (fun s => flat_map (fun r => f (s, r)) (sides (snd (hands l)) w)) (sides (fst (hands l)) m))
             (subsets m cells (snd (pieces l))) else []) (subsets 0 cells (fst (pieces l))).
Definition check_layer (l : layer) : bool :=
  match each l (fun p => if right p then [] else [p]) with [] => true | _ => false end.
Definition check : bool := forallb (keeps_rules G) (perms T) && forallb check_layer (layers G).

(** * The theorem about files *)
Hypothesis C : check = true.
Lemma checked : (forall l, In l (perms T) -> keeps_rules G l = true) /\ forall l, In l (layers G) -> check_layer l = true.
Proof. unfold check in C. now rewrite andb_true_iff, !forallb_forall in C. Qed.
Lemma move_symmetry e : symmetry (turns G) (over G) (move e).
Proof. assert (I : symmetry (turns G) (over G) (fun p => p)).
  { intro p. split; auto. intros _ q. split; [intro; exists q | intros [r [<- ?]]]; auto. }
  unfold move. destruct (e mod 2 ^ width =? 0); auto. destruct (nth_error (perms T) _) as [l|] eqn:E; auto.
  apply header_symmetry, checked. eapply nth_error_In, E. Qed.
(* All positions of a layer are enumerated. *)
Lemma subsets_complete x m l : (forall c, has m c = true -> has x c = false) ->
  In (set_of (filter (has m) l)) (subsets x l (length (filter (has m) l))).
Proof. intro A. induction l as [|c l IH]; simpl; auto. destruct (has m c) eqn:H; simpl.
  - rewrite (A c H). apply in_or_app. right. apply (in_map (fun m => N.setbit m c)), IH.
  - destruct (length (filter (has m) l)) eqn:E; [| apply in_or_app; now left]. apply length_zero_iff_nil in E. rewrite E.
    now left. Qed.
Lemma sides_complete s : valid_side s = true -> In s (sides (hand s) (on s)).
Proof. unfold valid_side, sides. rewrite andb_true_iff. intros [_ V]. destruct s as [m l h]. simpl in *.
  destruct (aging G); [| destruct l; [now left | easy]]. apply (in_map (fun o => Side m o h)).
  rewrite andb_true_iff, Nat.eqb_eq in V. destruct V as [<- O]. revert m O.
  induction l as [|c l IH]; intros m O; [now left |]. simpl in O. rewrite andb_true_iff, existsb_exists in O.
  destruct O as [[a [B E]] O]. apply N.eqb_eq in E as <-. apply in_flat_map. exists c. split; auto. apply in_map; auto. Qed.
Lemma enumerated p l : valid p = true -> layer_of G p = Some l -> ended l = false ->
  map_entry (on (fst p)) mod 2 ^ width = 0 -> right p = true.
Proof. destruct p as [m w]. simpl fst. unfold valid. rewrite !andb_true_iff. simpl. intros [[Vm Vw] A] L E R.
  apply find_some in L. destruct L as [L F]. destruct (pieces l) as [a b] eqn:Pl, (hands l) as [h k] eqn:Hl.
  destruct (Nat.eqb_spec a (count G (on m))), (Nat.eqb_spec b (count G (on w))); try easy.
  rewrite andb_true_iff, !N.eqb_eq in F. destruct F. pose proof (proj2 checked l L) as K. unfold check_layer, each in K.
  rewrite E, Pl, Hl in K. subst. simpl in K.
  assert (In_bits : forall x s, valid_side s = true -> (forall c, has (on s) c = true -> has x c = false) -> In (on s)
    (subsets x cells (count G (on s)))).
  { intros x s V X. pose proof (subsets_complete x (on s) cells X) as S. fold (bits G (on s)) in S.
    unfold valid_side in V. rewrite andb_true_iff in V. destruct V as [V _]. apply N.eqb_eq in V. now rewrite V in S. }
  destruct (right (m, w)) eqn:Wrong; auto.
  match type of K with match ?e with _ => _ end = _ => assert (In (m, w) e) as H; [| now destruct e] end. apply in_flat_map.
  exists (on m). split; [apply In_bits; auto; intros; apply N.bits_0 |]. rewrite R. simpl. apply in_flat_map. exists (on w).
  split; [apply In_bits; auto |].
  - intros c Hw. destruct (has (on m) c) eqn:Hm; auto. unfold apart in A. rewrite N.eqb_eq in A.
    apply (f_equal (fun k => has k c)) in A. unfold has in *. now rewrite N.land_spec, Hw, Hm, N.bits_0 in A.
  - apply in_flat_map. exists m. split; [now apply sides_complete |]. apply in_flat_map. exists w.
    split; [now apply sides_complete |]. rewrite Wrong. now left. Qed.
Definition rep (p : position) : position := snd (locate p).
Lemma read_rep p : some (read p) = true -> locate (rep p) = locate p /\ map_entry (on (fst (rep p))) mod 2 ^ width = 0.
Proof. unfold read, look, rep. destruct (locate p) as [r q]. simpl. destruct (is_rep (on (fst q)) r) eqn:R; [| easy].
  intros _. unfold is_rep in R. rewrite andb_true_iff, !N.eqb_eq in R. destruct R as [Z <-]. split; auto. unfold locate, move.
  now rewrite Z. Qed.
Definition entry (p : position) : code * nat := or_any (read p).
Definition after (p : position) : list position := map rep (turns G p).
Definition covered (p : position) : Prop := some (read p) = true /\ rep p = p.
Lemma rep_covered p : some (read p) = true -> covered (rep p) /\ read (rep p) = read p.
Proof. intro R. destruct (read_rep p R) as [E _]. unfold covered. unfold read, rep in *. now rewrite E. Qed.
Lemma covered_agrees p : covered p -> agrees after (over G) entry p = true /\
  (over G p = None -> forall q, In q (turns G p) -> some (read q) = true).
Proof. intros [R J]. destruct (read_rep p R) as [_ Z]. rewrite J in Z. unfold agrees, t.
  replace (entry p) with (or_any (read p)) by easy. destruct (read p) as [[c r]|] eqn:E; [| easy]. simpl or_any. simpl fst.
  simpl snd. pose proof E as E'. unfold read, look in E'. destruct (locate p) as [r' p'] eqn:L. unfold rep in J.
  rewrite L in J. simpl in J. subst p'. destruct (is_rep _ _); [| easy]. destruct (valid p) eqn:V; [| easy].
  destruct (layer_of G p) as [l|] eqn:Lp; [| easy].
  destruct (ended l) eqn:El; [destruct (over G p) as [v|]; [| easy]; injection E' as <- <-; split; [now destruct v | easy] |].
  destruct (absent G p) eqn:A; [easy |]. pose proof (enumerated p l V Lp El Z) as K. unfold right in K. rewrite A, E in K.
  fold (over G p) in K. fold (turns G p) in K. rewrite andb_true_iff in K. destruct K as [K1 K2].
  destruct (over G p) as [v|]; [split; [exact K2 | easy] |]. rewrite forallb_forall in K1.
  assert (S : forall q, In q (turns G p) -> some (read q) = true) by (intros q I; now apply K1, in_map). split; auto.
  unfold after. rewrite map_map. rewrite map_map in K2. erewrite map_ext_in; [exact K2 |]. intros q I. unfold entry.
  now rewrite (proj2 (rep_covered q (S q I))). Qed.
(* What a reader finds in a checked file is right. *)
Theorem checked_means p c r : read p = Some (c, r) -> means (turns G) (over G) c p.
Proof. intro R. assert (S : some (read p) = true) by now rewrite R. destruct (rep_covered p S) as [Cp E].
  rewrite (orbits (turns G) (over G) rep) by (intro q; exists (move (map_entry (on (fst q)))); split; [apply move_symmetry |
    easy]). apply (agrees_means after (over G) entry covered); auto.
  - intros q q' Cq Oq I. apply in_map_iff in I. destruct I as [x [<- I]]. apply rep_covered. eapply covered_agrees; eauto.
  - intros q Cq. now apply covered_agrees.
  - unfold t, entry. now rewrite E, R. Qed.
End File.

(** * Ranks of draws, and the bytes of a file in Coq *)
Section Ranks. Variables (data : N -> N) (T : table). Notation G := (rules T).
(* Ranks for draws that end. A draw waits for the draws after its moves that are not finished. Nothing here needs a proof. *)
Definition drawn (p : position) : bool :=
  match read data T (fun _ => 0%nat) p with Some (CEnds, _) => negb (some (over G p)) | _ => false end.
Definition spot (p : position) : N :=
  let (r, q) := locate data T p in match layer_of G q with Some l => place T r l q | None => 0 end.
Definition waiting : list (positive * list positive) :=
  let at_ p := N.succ_pos (spot p) in
  let wait p := if drawn p then [(at_ p, map at_ (filter drawn (turns G p)))] else [] in
  flat_map (fun l => each data T l wait) (layers G).
Fixpoint settle (fuel rank : nat) (others : list (positive * list positive)) (known : PositiveMap.t nat) :=
  match fuel, partition (fun x => forallb (fun i => PositiveMap.mem i known) (snd x)) others with
  | S fuel, ((_ :: _) as free, others) =>
      settle fuel (S rank) others (fold_left (fun m x => PositiveMap.add (fst x) rank m) free known)
  | _, _ => known
  end.
Definition ranks : N -> nat :=
  let w := waiting in let known := settle (length w) 1 w (PositiveMap.empty nat) in
  fun i => match PositiveMap.find (N.succ_pos i) known with Some k => k | None => 0%nat end.
(* The words of section 4. *)
Definition side_of (word : N) : side :=
  let m := word mod 2 ^ 36 in let above := word / 2 ^ 36 in
  let is_order o := order o =? above mod 2 ^ 16 in
  if aging G then Side m (hd [] (filter is_order (orders T (count G m) m))) 0 else Side m [] above.
Definition beginning : position :=
  let '(x, o, turn) := start T in if turn =? 0 then (side_of x, side_of o) else (side_of o, side_of x).
End Ranks.
(* The code of the position in which the game begins, if the whole file is right, and the offsets of all entries. *)
Definition verdict (data : N -> N) : option code :=
  match file data with None => None | Some T =>
    let evidence := ranks data T in
    if check data T evidence then option_map fst (read data T evidence (beginning T)) else None end.
Definition entries (data : N -> N) : list N :=
  match file data with None => [] | Some T =>
    flat_map (fun l => each data T l (fun p => [spot data T p])) (layers (rules T)) end.
(* The bytes of a file as print.py prints them, 64 in each number. *)
Definition load (lines : list N) : N -> N :=
  let add s := let '(m, i, l) := s in (PositiveMap.add i (l mod 256) m, Pos.succ i, l / 256) in
  let line s l := let '(m, i) := s in fst (Nat.iter 64 add (m, i, l)) in
  let m := fst (fold_left line lines (PositiveMap.empty N, 1%positive)) in
  fun i => match PositiveMap.find (N.succ_pos i) m with Some b => b | None => 0 end.
(* The game in a file begins with a position of this value. *)
Definition begins (lines : list N) (c : code) : Prop :=
  exists T, file (load lines) = Some T /\ means (turns (rules T)) (over (rules T)) c (beginning T).
Theorem verdict_begins lines c : verdict (load lines) = Some c -> begins lines c.
Proof. unfold verdict. destruct (file (load lines)) as [T|] eqn:F; [| easy]. destruct (check _ _ _) eqn:C; [| easy].
  destruct (read _ _ _ _) as [[c' r]|] eqn:R; [| easy]. injection 1 as <-. exists T. split; auto. eapply checked_means; eauto.
Qed.
Print Assumptions verdict_begins.
Ltac by_check := apply verdict_begins; match goal with |- _ = ?c => vm_cast_no_check (eq_refl c) end.
