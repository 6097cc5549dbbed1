(* The values of the games of the atlas with at most nine cells. Each line checks every entry of a table. *)
From Morpion Require Import Meaning File Tables.
Theorem classic_is_a_draw_that_ends : begins classic CEnds. Proof. by_check. Qed.
Theorem misere_is_a_draw_that_ends : begins misere CEnds. Proof. by_check. Qed.
Theorem swap_is_a_draw_by_cycle : begins swap CCycle. Proof. by_check. Qed.
Theorem swap_pass_is_a_draw_by_cycle : begins swap_pass CCycle. Proof. by_check. Qed.
Theorem tapatan_is_won_in_9 : begins tapatan (CWin 9). Proof. by_check. Qed.
Theorem nine_holes_is_a_draw_by_cycle : begins nine_holes CCycle. Proof. by_check. Qed.
Theorem nine_holes_any_is_a_draw_by_cycle : begins nine_holes_any CCycle. Proof. by_check. Qed.
Theorem nine_holes_diagonals_is_won_in_9 : begins nine_holes_diagonals (CWin 9). Proof. by_check. Qed.
Theorem picaria_is_a_draw_by_cycle : begins picaria CCycle. Proof. by_check. Qed.
Theorem achi_is_won_in_11 : begins achi (CWin 11). Proof. by_check. Qed.
Theorem rota_is_a_draw_by_cycle : begins rota CCycle. Proof. by_check. Qed.
Theorem shisima_is_a_draw_by_cycle : begins shisima CCycle. Proof. by_check. Qed.
Theorem tsoro_yematatu_is_a_draw_by_cycle : begins tsoro_yematatu CCycle. Proof. by_check. Qed.
Theorem pong_hau_ki_is_a_draw_by_cycle : begins pong_hau_ki CCycle. Proof. by_check. Qed.
Theorem mu_torere_is_a_draw_by_cycle : begins mu_torere CCycle. Proof. by_check. Qed.
Theorem mu_torere_free_is_won_in_1 : begins mu_torere_free (CWin 1). Proof. by_check. Qed.
Theorem disappearing_is_won_in_13 : begins disappearing (CWin 13). Proof. by_check. Qed.
Theorem disappearing_line_first_is_won_in_9 : begins disappearing_line_first (CWin 9). Proof. by_check. Qed.
Theorem disappearing_remove_first_is_a_draw_by_cycle : begins disappearing_remove_first CCycle. Proof. by_check. Qed.
Theorem quixo3_is_won_in_7 : begins quixo3 (CWin 7). Proof. by_check. Qed.
