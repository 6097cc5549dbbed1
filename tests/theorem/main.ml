(* Checks table files with what Coq extracted. `./check TABLE...` prints the value of the position in which each game begins, or WRONG.
   `./check --changed TABLE` changes every entry, one at a time, to the codes beside its own and to both draws, and counts the tables that pass. *)
let read path =
  let file = open_in_bin path in
  Bytes.of_string (really_input_string file (in_channel_length file))

let verdict bytes = Check.verdict (fun i -> if i < Bytes.length bytes then Bytes.get_uint8 bytes i else 0)

let text = function
  | Some Check.CEnds -> "draw that ends"
  | Some Check.CCycle -> "draw by cycle"
  | Some (Check.CWin n) -> Printf.sprintf "win in %d %s" n (if n = 1 then "ply" else "plies")
  | Some (Check.CLoss n) -> Printf.sprintf "loss in %d %s" n (if n = 1 then "ply" else "plies")
  | None -> "WRONG"

let passes bytes at code =
  let changed = Bytes.copy bytes in
  Bytes.set_uint8 changed at code;
  verdict changed <> None

let changes bytes at =
  let old = Bytes.get_uint8 bytes at in
  let codes = List.sort_uniq compare [ (old + 1) land 255; (old - 1) land 255; 0; 127 ] in
  List.map (passes bytes at) (List.filter (( <> ) old) codes)

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "--changed"; path ] ->
      let bytes = read path in
      let passes = List.concat_map (changes bytes) (Check.entries (fun i -> Bytes.get_uint8 bytes i)) in
      Printf.printf "%d of %d pass\n" (List.length (List.filter Fun.id passes)) (List.length passes)
  | paths -> List.iter (fun path -> Printf.printf "%s: %s\n%!" (Filename.basename path) (text (verdict (read path)))) paths
