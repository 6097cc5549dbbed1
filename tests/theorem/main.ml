(* Checks table files with what Coq extracted. `./check TABLE...` prints the value of the position in which each game begins, or WRONG.
   `./check --changed TABLE` changes every entry, one at a time, to the codes beside its own and to both draws, and counts the tables that pass. *)
let read path =
  let file = open_in_bin path in
  Bytes.of_string (really_input_string file (in_channel_length file))

let byte bytes i = if i < Bytes.length bytes then Bytes.get_uint8 bytes i else 0

let plies n = if n = 1 then "1 ply" else Printf.sprintf "%d plies" n

let text = function
  | Some (Check.CWin n) -> "win in " ^ plies n
  | Some (Check.CLoss n) -> "loss in " ^ plies n
  | Some Check.CEnds -> "draw that ends"
  | Some Check.CCycle -> "draw by cycle"
  | None -> "WRONG"

let changed bytes =
  let tables at =
    let old = Bytes.get_uint8 bytes at in
    let codes = List.sort_uniq compare [ (old + 1) land 255; (old - 1) land 255; 0; 127 ] in
    let passes code =
      Bytes.set_uint8 bytes at code;
      let passes = Check.verdict (byte bytes) <> None in
      Bytes.set_uint8 bytes at old;
      passes
    in
    List.map passes (List.filter (( <> ) old) codes)
  in
  let passes = List.concat_map tables (Check.entries (byte bytes)) in
  Printf.sprintf "%d of %d pass" (List.length (List.filter Fun.id passes)) (List.length passes)

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "--changed"; path ] -> print_endline (changed (read path))
  | paths -> List.iter (fun path -> Printf.printf "%s: %s\n%!" (Filename.basename path) (text (Check.verdict (byte (read path))))) paths
