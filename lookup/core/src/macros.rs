//! Macros: names of the variants of an enum, the same in rule files, on the command line and in every language; errors; constant arrays.

/// Adds to an enum `ALL`, its variants in their order, and `name`, the name of each, the same in every language.
#[macro_export]
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* }) => {
        impl $type {
            /// Every variant, in their order.
            #[doc(hidden)]
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$variant),*];

            /// The name of the variant, the same in every language.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }
        }
    };
}

/// Makes a type an error, with a way to write its message, also as `{:?}`: a `main` that returns the error prints it so.
#[macro_export]
macro_rules! error {
    ($type:ty, |$error:ident, $f:ident| $write:expr) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, $f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $error = self;
                $write
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl core::error::Error for $type {}
    };
}

/// An array of `length` elements, each computed from its index by the compiler. `blank` is any value of their type.
macro_rules! array {
    ($blank:expr; $length:expr, |$index:ident| $element:expr) => {{
        let (mut array, mut $index) = ([$blank; $length], 0);
        while $index < $length {
            array[$index] = $element;
            $index += 1;
        }
        array
    }};
}
