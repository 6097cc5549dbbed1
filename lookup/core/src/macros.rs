//! Macros for the names of the variants of an enum, for error types, and for constant arrays. The names are the same in rule files, on the
//! command line and in every language.

/// Adds to an enum the constant `ALL`, its variants in order, and the method `name`, which returns the name of a variant in every language.
#[macro_export]
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* }) => {
        impl $type {
            /// All variants, in order.
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

/// Makes a type an error, given an expression that writes its message. `{:?}` writes the message too, because a `main` that returns an
/// error prints it with `{:?}`.
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
