#!/bin/sh
# Builds the C library and installs it:  install.sh [PREFIX]   (default /usr/local)
# PREFIX/lib/libmorpion.so, libmorpion.a, PREFIX/lib/pkgconfig/morpion.pc, PREFIX/include/morpion.h
set -eu
prefix=${1:-/usr/local}
here=$(cd "$(dirname "$0")" && pwd)
cargo build --release --manifest-path "$here/Cargo.toml"
target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$here/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
version=$(cargo metadata --no-deps --format-version 1 --manifest-path "$here/Cargo.toml" |
    sed 's/.*"name":"morpion-c","version":"\([^"]*\)".*/\1/')
install -d "$prefix/lib/pkgconfig" "$prefix/include"
for library in libmorpion.so libmorpion.dylib libmorpion.a; do
    if [ -f "$target/release/$library" ]; then
        install -m 644 "$target/release/$library" "$prefix/lib/"
    fi
done
install -m 644 "$here/include/morpion.h" "$prefix/include/"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$here/morpion.pc.in" > "$prefix/lib/pkgconfig/morpion.pc"
