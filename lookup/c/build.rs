//! Sets the SONAME of the shared library, so that programs load the version of the interface with which they were linked.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let [major, minor] =
        ["CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR"].map(|name| var(name).unwrap());
    // Before 1.0 every minor version may change the interface. The Makefile installs the library under this name.
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    match (var("CARGO_CFG_TARGET_VENDOR").as_deref(), var("CARGO_CFG_TARGET_FAMILY").as_deref()) {
        (Ok("apple"), _) => {
            let name = format!("@rpath/libmorpion.{interface}.dylib");
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        (_, Ok("unix")) => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmorpion.so.{interface}");
        }
        _ => {}
    }
}
