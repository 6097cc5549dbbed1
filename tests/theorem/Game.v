(* The game in the header of a table file: positions, moves and the end of the game (FORMAT.md, sections 4 and 5). *)
From Coq Require Import List Arith NArith Bool.
From Morpion Require Import Meaning. Import ListNotations. Open Scope N_scope.
(* A set of cells is a mask: bit c is true if it contains cell c. *)
Inductive oldest := First | BeforeLines | AfterLines.
Inductive effect := Move | Push (way : list N) | Replace (when : oldest) | Pass.    (* a way begins at the end that opens *)
Record step := Step { from : option N; to : N; clear : N; own : N; other : N; taken : N; does : effect }.
Record layer := Layer { pieces : nat * nat; hands : N * N; phase : N; ended : bool; columns : N; offset : N }.
Record game := Game { size : nat; lines : list (N * N);                             (* a line, and the cells that extend it *)
  phases : list (list step); layers : list layer; line : result; blocked : option result;    (* None: it passes *)
  full : option (option result); takes : option N; own_lines : bool }.
(* The pieces of a side: on the board, the oldest first if they age (else an empty list), and in hand.
   A position has the mover's pieces, then the waiter's. *)
Record side := Side { on : N; ages : list N; hand : N }.
Definition position : Type := side * side.
Definition has (m c : N) : bool := N.testbit m c.
Definition subset (a b : N) : bool := N.land a b =? a.
Definition apart (a b : N) : bool := N.land a b =? 0.
Section Game.
Variable G : game.
Definition cells : list N := map N.of_nat (seq 0 (size G)).
Definition bits (m : N) : list N := filter (has m) cells.
Definition count (m : N) : nat := length (bits m).
Definition aging : bool := existsb (existsb (fun s => match does s with Replace _ => true | _ => false end)) (phases G).
Definition owns (m : N) (l : N * N) : bool := subset (fst l) m && apart (snd l) m.
Definition lined (m : N) : bool := existsb (owns m) (lines G).
(* Lines through a cell: one or more; two of different cells. *)
Definition in_line (m c : N) : bool := existsb (fun l => has (fst l) c && owns m l) (lines G).
Definition in_two (m c : N) : bool := existsb (fun l => has (fst l) c && owns m l &&
  existsb (fun k => has (fst k) c && owns m k && negb (fst k =? fst l)) (lines G)) (lines G).
Definition layer_of (p : position) : option layer :=
  let (m, w) := p in let a := count (on m) in let b := count (on w) in
  find (fun l => let (i, j) := pieces l in let (h, k) := hands l in
    if (i =? a)%nat then if (j =? b)%nat then (h =? hand m) && (k =? hand w) else false else false) (layers G).

(** * Moves *)
Definition lift (c : N) (s : side) := Side (N.clearbit (on s) c) (filter (fun a => negb (a =? c)) (ages s)) (hand s).
Definition put (c : N) (s : side) := Side (N.setbit (on s) c) (if aging then ages s ++ [c] else []) (hand s).
Definition unhand (s : side) := Side (on s) (ages s) (N.pred (hand s)).
Definition drop (s : side) := match ages s with [] => s | c :: _ => lift c s end.
(* The mover's pieces after it has moved to c. *)
Definition moved (s : step) (c : N) (m : side) : side :=
  let m := match from s with Some a => lift a m | None => unhand m end in
  match does s with
  | Replace First => put c (drop m)
  | Replace BeforeLines => drop (put c m)
  | Replace AfterLines => if lined (on (put c m)) then put c m else drop (put c m)
  | _ => put c m
  end.
(* The waiter's pieces after each way to take some of them. *)
Definition first {A} (l m : list A) : list A := match l with [] => m | _ => l end.
Definition victims (k : N) (w : side) : list N :=
  let out := filter (fun c => negb (in_line (on w) c)) (bits (on w)) in
  match k mod 3 with 0 => bits (on w) | 1 => out | _ => first out (bits (on w)) end.
Definition taking (m : side) (c : N) (w : side) : list side :=
  match takes G with
  | None => [w]
  | Some k =>
      if negb (in_line (on m) c) then [w] else
      let one := victims k w in
      let two := if (3 <=? k) && in_two (on m) c then
        flat_map (fun v => map (fun u => lift u (lift v w)) (filter (fun u => negb (u =? v)) one)) one else [] in
      first two (first (map (fun v => lift v w) one) [w])
  end.
(* Every piece on the way goes to the cell before it. *)
Fixpoint shift (m : N) (way : list N) : N :=
  match way with
  | [] => m
  | a :: rest => let m' := shift m rest in
      if match rest with b :: _ => has m b | [] => false end then N.setbit m' a else N.clearbit m' a
  end.
Definition holds (s : step) (m w : N) : bool :=
  apart (clear s) (N.lor m w) && subset (own s) m && subset (other s) w && subset (taken s) (N.lor m w).
Definition free (m w : N) (c : N) : bool := negb (has m c) && negb (has w c).
Definition can (s : step) (m w : side) : bool :=
  if match does s, from s with
     | Push (a :: _), _ => negb (has (on w) a)
     | Push [], _ => false
     | _, Some a => has (on m) a
     | _, None => true
     end then holds s (on m) (on w) else false.
(* The positions after a piece has landed, with the pieces that are in its way. *)
Definition landed (s : step) (there m w : side) : list position :=
  flat_map (fun c => map (fun w' => (w', moved s c m)) (taking (moved s c m) c w))
           (filter (fun c => has (to s) c && free (on there) (on w) c) cells).
Definition by_step (p : position) (s : step) : list position :=
  let (m, w) := p in
  if can s m w then
    match does s with
    | Pass => [(w, m)]
    | Push way => [(Side (shift (on w) way) (ages w) (hand w), Side (N.lor (shift (on m) way) (to s)) (ages m) (hand m))]
    | Replace First => landed s (drop m) m w
    | _ => landed s m m w
    end
  else [].
Definition moves (p : position) : list position :=
  match layer_of p with Some l => flat_map (by_step p) (nth (N.to_nat (phase l)) (phases G) []) | None => [] end.
(* A side that is not over and has no move passes. *)
Definition turns (p : position) : list position := first (moves p) [(snd p, fst p)].

(** * The end of the game *)
Definition opposite (v : result) : result := match v with Win => Loss | Loss => Win | Draw => Draw end.
Definition over_with (p : position) (ms : list position) : option result :=
  let (m, w) := p in
  if if own_lines G then lined (on m) else false then Some (opposite (line G)) else
  if match takes G with None => lined (on w) | Some _ => false end then Some (line G) else
  if match layer_of p with Some l => ended l | None => false end then Some Loss else
  match ms, full G with
  | _ :: _, _ => None
  | [], Some v => if (count (on m) + count (on w) =? size G)%nat then v else blocked G
  | [], None => blocked G
  end.
Definition over (p : position) : option result := over_with p (moves p).
(* Such positions are in no game: lines end it, and the mover cannot have made one. *)
Definition absent (p : position) : bool :=
  match takes G with None => negb (own_lines G) && lined (on (fst p)) | Some _ => false end.
End Game.
