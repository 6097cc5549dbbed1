//! The error answers that a route may give, by name, for the description of the interface.
//!
//! Each name in the `responses` of a route is a status, a reason, and [`Error`] as the body.

use super::refusal::Error;
use axum::http::StatusCode;
use std::collections::BTreeMap;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
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
        "A name that is not text, characters that no position has, or unknown fields; \
         `input` is the text in question.";
    BadBody: BAD_REQUEST, "An invalid body.";
    BadNumber: BAD_REQUEST, "Not a whole number from 0 to 2⁶⁴ − 1, not a grade from 1 to 5, or an unknown field in the query.";
    NoGame: NOT_FOUND, "No such game.";
    NoPosition: NOT_FOUND, "No such game, or no such position in it: `input` is then its text.";
    NoMove: NOT_FOUND,
        "No such game, position or opponent, a position in which the game is over, or an opponent who would \
         search too long.";
    NoRuleFile: NOT_FOUND, "No such game, or a game whose rule file is not in the program.";
    NoRules: UNPROCESSABLE_ENTITY, "Rules that do not describe a game, or a game too large to be solved here.";
    NoPuzzle: NOT_FOUND, "No such puzzle. A puzzle needs a table with distances and a position with a single right move.";
    NotHere: NOT_FOUND,
        "No such game or board, one without a table here that is too large to be solved, or a position that is too \
         large or not on the board: `input` is then its text.";
    Slow: REQUEST_TIMEOUT, "A body that took too long.";
    BatchTooLong: PAYLOAD_TOO_LARGE,
        "A body that is too long, or too many positions at once.";
    BodyTooLong: PAYLOAD_TOO_LARGE, "A body that is too long.";
    RateLimited: TOO_MANY_REQUESTS,
        "More requests per second than the server allows for one address.";
    Busy: TOO_MANY_REQUESTS,
        "Too many long requests at once, or more requests per second than the server allows for one address.";
    Damaged: INTERNAL_SERVER_ERROR, "The table is damaged.";
}

fn response(status: StatusCode, reason: &str) -> BTreeMap<String, RefOr<Response>> {
    let body = Content::new(Some(Ref::from_schema_name(Error::name())));
    let builder = ResponseBuilder::new().description(reason).content("application/json", body);
    BTreeMap::from([(status.as_u16().to_string(), builder.build().into())])
}
