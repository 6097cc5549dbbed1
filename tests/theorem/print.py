"""Prints table files as a Coq file, each as a list of numbers of 64 bytes: `python3 print.py TABLE... > Tables.v`."""
import pathlib
import sys

print("From Coq Require Import List NArith. Import ListNotations. Open Scope N_scope.")
for path in map(pathlib.Path, sys.argv[1:]):
    data = path.read_bytes()
    lines = (f"0x{int.from_bytes(data[at:at + 64], 'little'):x}" for at in range(0, len(data), 64))
    print(f"Definition {path.stem.replace('-', '_')} : list N := [\n" + ";\n".join(lines) + "].")
