//! The error answers that a route may give, by name, for the description of the interface.
//!
//! Each name in the `responses` of a route stands for a status, a reason, and [`Error`] as the body.

use super::refusal::Error;
use axum::http::StatusCode;
use std::collections::BTreeMap;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoResponses, ToSchema};

macro_rules! reasons {
    ($($name:ident: $status:ident, $reason:literal;)*) => {$(
        #[doc = $reason]
        pub(crate) enum $name {}

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                response(StatusCode::$status, $reason)
            }
        }
    )*};
}

reasons! {
    BadText: BAD_REQUEST,
        "A name that is no text, characters that are in no position, or fields that are not understood; \
         `input` is the text in question.";
    BadHeaps: BAD_REQUEST, "Heaps that are no numbers, or fields that are not understood.";
    BadBody: BAD_REQUEST, "A body that is not what is expected.";
    BadNumber: BAD_REQUEST, "Not a whole number from 0 to 2⁶⁴ − 1, not a grade from 1 to 5, or an unknown field in the query.";
    NoGame: NOT_FOUND, "No such game.";
    NoPosition: NOT_FOUND, "No such game, or no such position in it: `input` is then its text.";
    NoMove: NOT_FOUND,
        "No such game, position or opponent, a position in which the game is over, or an opponent who would \
         search too long.";
    NoRuleFile: NOT_FOUND, "No such game, or one whose rule file is not in the program.";
    NoRules: UNPROCESSABLE_ENTITY, "Rules that describe no game, or one too large to be solved here.";
    NoPuzzle: NOT_FOUND, "There is no such puzzle: it needs a table with distances and a position in which only one move is right.";
    NoHeapGame: NOT_FOUND, "No such game, or a code without a table here.";
    NoSum: NOT_FOUND, "No such game, a code without a table here, or heaps that cannot be answered: too many or too large ones.";
    NoBoard: NOT_FOUND, "Not the size of a board, or that of one that is too large and has no table here.";
    NoBoardPosition: NOT_FOUND,
        "Not the size of a board, or that of one that is too large and has no table here; or no such position on it: `input` is \
         then its text.";
    Slow: REQUEST_TIMEOUT, "A body that took too long.";
    BatchTooLong: PAYLOAD_TOO_LARGE,
        "A body that is too long, or more positions than are answered at once.";
    BodyTooLong: PAYLOAD_TOO_LARGE, "A body that is too long.";
    RateLimited: TOO_MANY_REQUESTS,
        "More requests a second than the server allows one address, where it has such a limit.";
    Busy: TOO_MANY_REQUESTS,
        "Too many longer requests at a time, or more requests a second than the server allows one address.";
    Damaged: INTERNAL_SERVER_ERROR, "The table is damaged.";
}

fn response(status: StatusCode, reason: &str) -> BTreeMap<String, RefOr<Response>> {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(Error::name()))).build();
    let builder = ResponseBuilder::new().description(reason).content("application/json", body);
    BTreeMap::from([(status.as_u16().to_string(), builder.build().into())])
}
