//! The options of a cluster in a program that was built without clusters. The options are refused, and the help omits them.

/// Options of `morpion build`.
#[derive(clap::Args)]
pub struct BuildArgs {
    #[command(flatten)]
    _plan: PlanArgs,
    #[arg(long = "process", hide = true, value_parser = refuse)]
    _process: Option<()>,
}

/// Options of `morpion plan`.
#[derive(clap::Args)]
pub struct PlanArgs {
    #[arg(long = "cluster", hide = true, value_parser = refuse)]
    _cluster: Option<()>,
    #[arg(long = "workers", hide = true, value_parser = refuse)]
    _workers: Option<()>,
}

fn refuse(_: &str) -> Result<(), String> {
    Err("this program was built without clusters: build it with `cargo build --release --features cluster`".into())
}
