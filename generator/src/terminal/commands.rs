//! A macro that declares commands with the functions that run them. It needs the prelude.

/// Declares an enum of commands: the arguments of each command, and the function that runs it.
macro_rules! commands {
    (
        $(#[$about:meta])*
        $Commands:ident {
            $(
                $(#[cfg($($condition:tt)*)])?
                $(#[command($($setting:tt)*)])?
                $Name:ident($Args:ty) => $run:expr,
            )+
        }
    ) => {
        $(#[$about])*
        #[derive(clap::Subcommand)]
        pub enum $Commands {
            $($(#[cfg($($condition)*)])? $(#[command($($setting)*)])? $Name($Args),)+
        }

        impl $Commands {
            /// Runs the command. The caller flushes its output.
            pub fn run(self, out: &mut Output) -> Result<()> {
                match self {
                    $($(#[cfg($($condition)*)])? $Commands::$Name(args) => ($run)(args, out),)+
                }
            }
        }
    };
}

pub(crate) use commands;
