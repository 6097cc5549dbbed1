//! Names of the variants of an enum, the same in rule files, on the command line and in every language.

macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* }) => {
        impl $type {
            /// Every variant, in their order.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$variant),*];

            /// The name of the variant, the same in every language.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }
        }
    };
}
