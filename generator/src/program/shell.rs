//! `morpion completions` and `morpion man`: completion scripts and manual pages.

use crate::terminal::prelude::*;
use clap::Command;
use clap_complete::Shell;

/// Print the completion script of a shell
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(clap::Args)]
pub struct ManArgs {
    /// Folder for the pages: morpion.1, morpion-build.1, …
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub fn completions(args: CompletionsArgs, mut program: Command, out: &mut Output) -> Result<()> {
    // Buffered, since clap panics if writing fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "morpion", &mut script);
    out.write_all(&script)?;
    Ok(())
}

pub fn man(args: ManArgs, program: Command, out: &mut Output) -> Result<()> {
    let Some(folder) = args.folder else {
        clap_mangen::Man::new(program).render(out)?;
        return Ok(());
    };
    let written =
        std::fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(program, &folder));
    written.with_context(|| folder.display().to_string())?;
    Ok(writeln!(out, "manual pages written to {}", Shown(folder.display()))?)
}
