//! The bytes of headers and other small structures: their fields in order, through bincode, which appears in this module and nowhere
//! else.
//!
//! Integers are little endian and of fixed width, lengths and counts are `u64`, variants `u32`, and an option is a byte 0 or 1 before
//! the value. `fields!`, `variants!` and `choices!` say which fields and variants a type has.

use crate::error::TableError;
use alloc::vec::Vec;
use bincode::config::{self, Config};
#[doc(hidden)]
pub use bincode::{
    Decode, Encode,
    de::{BorrowDecode, BorrowDecoder, Decoder},
    enc::Encoder,
    error::{DecodeError, EncodeError},
};

/// Maximum length of a header or census, in bytes; longer ones are refused.
pub const METADATA_LIMIT: usize = 1 << 22;

/// Makes a struct readable and writable, as its fields in this order.
#[macro_export]
macro_rules! fields {
    ($type:ident { $($field:ident),* $(,)? }) => {
        $crate::coded!($type, |value, encoder| {
            $($crate::fields::Encode::encode(&value.$field, encoder)?;)*
            Ok(())
        }, |decoder| Ok($type { $($field: $crate::fields::Decode::decode(decoder)?),* }));
    };
}

/// Makes an enum without fields readable and writable, as the number of its variant. The enum needs [`names!`](crate::names).
#[macro_export]
macro_rules! variants {
    ($($type:ident),*) => {$(
        $crate::coded!($type, |value, encoder| {
            $crate::fields::Encode::encode(&(*value as u32), encoder)
        }, |decoder| {
            let number: u32 = $crate::fields::Decode::decode(decoder)?;
            let variant = $type::ALL.get(number as usize).copied();
            variant.ok_or($crate::fields::DecodeError::Other("a choice that does not exist"))
        });
    )*};
}

/// Makes an enum with fields readable and writable: the number of the variant in this list, then its fields. A variant with one unnamed field
/// is written `Variant(name)`, with any name.
#[macro_export]
macro_rules! choices {
    ($type:ident { $($variant:ident $({ $($field:ident),* })? $(($inner:ident))?),* }) => {
        const _: () = {
            #[allow(clippy::enum_variant_names, reason = "the names of another enum")]
            enum Number { $($variant),* }
            $crate::coded!($type, |value, encoder| match value {
                $($type::$variant $({ $($field),* })? $(($inner))? => {
                    $crate::fields::Encode::encode(&(Number::$variant as u32), encoder)?;
                    $($($crate::fields::Encode::encode($field, encoder)?;)*)?
                    $($crate::fields::Encode::encode($inner, encoder)?;)?
                    Ok(())
                })*
            }, |decoder| {
                let number: u32 = $crate::fields::Decode::decode(decoder)?;
                $(if number == Number::$variant as u32 {
                    $($(let $field = $crate::fields::Decode::decode(decoder)?;)*)?
                    $(let $inner = $crate::fields::Decode::decode(decoder)?;)?
                    return Ok($type::$variant $({ $($field),* })? $(($inner))?);
                })*
                Err($crate::fields::DecodeError::Other("a choice that does not exist"))
            });
        };
    };
}

/// Implements the traits of bincode for a type, given an expression that writes a value and one that reads it.
#[doc(hidden)]
#[macro_export]
macro_rules! coded {
    ($type:ty, |$value:ident, $encoder:ident| $write:expr, |$decoder:ident| $read:expr) => {
        impl $crate::fields::Encode for $type {
            fn encode<E: $crate::fields::Encoder>(
                &self,
                $encoder: &mut E,
            ) -> Result<(), $crate::fields::EncodeError> {
                let $value = self;
                $write
            }
        }

        impl<C> $crate::fields::Decode<C> for $type {
            fn decode<D: $crate::fields::Decoder<Context = C>>(
                $decoder: &mut D,
            ) -> Result<Self, $crate::fields::DecodeError> {
                $read
            }
        }
    };
}

fn configuration() -> impl Config {
    config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<METADATA_LIMIT>()
}

/// Serialises a header or another small structure.
///
/// # Errors
/// If the result is longer than 4 MiB: longer ones could not be read.
pub fn serialise(value: &impl Encode) -> Result<Vec<u8>, TableError> {
    let bytes = bincode::encode_to_vec(value, configuration()).map_err(TableError::header)?;
    within_limit(bytes.len()).map(|()| bytes)
}

/// Refuses a header that is too long to be read.
pub(crate) fn within_limit(length: usize) -> Result<(), TableError> {
    let fault = format_args!("{length} bytes, expected at most {METADATA_LIMIT}");
    if length <= METADATA_LIMIT { Ok(()) } else { Err(TableError::header(fault)) }
}

/// Reads what [`serialise`] wrote; all bytes have to be used.
///
/// # Errors
/// If the bytes are not a structure of type `T`.
pub fn deserialise<T: Decode<()>>(bytes: &[u8]) -> Result<T, TableError> {
    let (value, used) =
        bincode::decode_from_slice(bytes, configuration()).map_err(TableError::header)?;
    if used != bytes.len() {
        return Err(TableError::header(format_args!("{} bytes, expected {used}", bytes.len())));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Group;
    use crate::position::Position;

    #[test]
    fn serialised_bytes_are_the_fields_in_order() {
        let position = Position { mover: 4, waiter: 5 };
        let expected: Vec<u8> = [4u64, 5].into_iter().flat_map(u64::to_le_bytes).collect();
        assert_eq!(serialise(&position).unwrap(), expected);
        assert_eq!(deserialise::<Position>(&expected).unwrap(), position);
        assert_eq!(
            serialise(&(Group::Board, "ab", Some(true))).unwrap(),
            [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 97, 98, 1, 1]
        );
        assert!(deserialise::<Group>(&[3, 0, 0, 0]).is_err());
    }
}
