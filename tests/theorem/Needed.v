(* Every condition is needed: without it, a wrong table of at most four positions is accepted. *)
From Coq Require Import List Arith Bool.
From Morpion Require Import Meaning. Import ListNotations.

(* A position: its result if it is finished, its moves as indices in the list, and its code in the right table. *)
Definition small : Type := list (option result * list nat * code).
Definition accepts (without : nat) (g : small) (codes : list code) : bool :=
  let rank c p := match c, p with CEnds, (None, _, _) => 1 | _, _ => 0 end in
  let e q := let c := nth q codes CCycle in (c, rank c (nth q g (None, [], c))) in
  forallb (fun p => let '(o, l, _) := nth p g (None, [], CCycle) in
    forallb (fun k => (fst k =? without) || snd k) (conditions o (fst (e p)) (snd (e p)) (map e l))) (seq 0 (length g)).
(* The first position gets a wrong code, all others have their right code. No condition has number 0. *)
Definition needed (x : nat * small * code) : bool :=
  let '(i, g, wrong) := x in let right := map snd g in
  accepts 0 g right && accepts i g (wrong :: tl right) && negb (accepts 0 g (wrong :: tl right)).

Definition over (v : result) : option result * list nat * code := (Some v, [], final v).
Definition goes (l : list nat) (c : code) : option result * list nat * code := (None, l, c).
Theorem all_needed : map (fun x => (fst (fst x), needed x)) [
  (1, [over Loss], CWin 0); (2, [goes [1] (CWin 1); over Loss], CWin 0); (3, [goes [0] CCycle], CWin 1);
  (4, [goes [1; 2] (CWin 1); over Loss; goes [3] (CLoss 2); goes [1] (CWin 1)], CWin 3);
  (5, [goes [1] (CLoss 2); goes [2] (CWin 1); over Loss], CLoss 4); (6, [goes [0; 1] CCycle; over Win], CLoss 1);
  (7, [goes [1; 2] (CLoss 2); over Win; goes [3] (CWin 1); over Loss], CLoss 1); (8, [goes [1] (CLoss 1); over Win], CEnds);
  (9, [goes [1; 2] (CWin 1); over Loss; over Draw], CEnds); (10, [goes [1; 2] CCycle; over Draw; goes [2] CCycle], CEnds);
  (11, [goes [0] CCycle], CEnds); (12, [goes [1] CEnds; over Draw], CCycle);
  (13, [goes [1; 2] (CWin 1); over Loss; goes [2] CCycle], CCycle)]
  = map (fun i => (i, true)) (seq 1 13).
Proof. vm_compute. reflexivity. Qed.
Print Assumptions all_needed.
