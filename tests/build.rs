//! Sets a cfg for every tool that is installed (`has_node`, …), so that tests without their tools are listed as ignored. With
//! `MORPION_REQUIRE_TOOLS=1` the cfgs of all tools are set: their tests run, and fail if the tool is missing.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "tools.rs"]
mod tools;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=tools.rs");
    for variable in ["PATH", "PYTHON", "MORPION_REQUIRE_TOOLS"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let required = std::env::var_os("MORPION_REQUIRE_TOOLS").is_some_and(|wish| wish == "1");
    let machine = tools::MACHINE.iter().map(|tool| (tool, false));
    for ((name, is_there), required) in
        tools::TOOLS.iter().map(|tool| (tool, required)).chain(machine)
    {
        let cfg = format!("has_{}", name.replace('-', "_"));
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if required || is_there() {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}
