(* The check as an OCaml program. Numbers become machine integers: all are below 2^62. *)
From Coq Require Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From Coq Require Import NArith.
From Morpion Require Import Meaning File.
Extract Inlined Constant N.land => "(land)". Extract Inlined Constant N.lor => "(lor)".
Extract Inlined Constant N.testbit => "(fun a n -> (a lsr n) land 1 = 1)".
Extract Inlined Constant N.setbit => "(fun a n -> a lor (1 lsl n))".
Extract Inlined Constant N.clearbit => "(fun a n -> a land lnot (1 lsl n))". Extract Inlined Constant N.shiftr => "(lsr)".
Extract Inlined Constant N.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant N.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant N.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant N.pow => "(fun a b -> assert (a = 2); 1 lsl b)".
Extract Inlined Constant N.of_nat => "(fun n -> n)". Extract Inlined Constant N.to_nat => "(fun n -> n)".
Extract Inlined Constant N.succ_pos => "succ". Extract Inlined Constant andb => "(&&)".
Extract Inlined Constant orb => "(||)".
Extraction "check.ml" verdict entries.
