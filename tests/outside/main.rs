//! Tests from outside: the program, its files, the library and the server.

// Shared by several modules.
mod dying;
mod impartial;
#[path = "../../generator/games/tests/odd/mod.rs"]
mod odd;
mod played;

mod arena;
mod atlas;
mod browser;
mod bytes;
mod c;
mod census;
mod checker;
mod citation;
mod comparison;
mod conformance_tables;
mod corrupted;
mod cram;
mod drawn;
mod facts;
mod files;
mod golden;
mod headers;
mod hostile;
mod interrupted;
mod judge;
mod languages;
mod mills;
mod module;
mod nim;
mod output;
mod own_games;
mod packed;
mod plan;
mod play;
mod play_records;
mod play_terminal;
mod published;
mod puzzle;
mod refused;
mod reports;
mod schema;
mod serve;
mod serve_bounds;
mod serve_deployed;
mod serve_described;
mod serve_page;
mod serve_refused;
mod strategy;
mod symmetries;
mod texts;
mod theorem;
mod values;
mod verify;
mod wide;
