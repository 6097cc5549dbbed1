//! Tests from outside: the program, its files, the library and the server.

// Shared by several modules.
mod dying;
mod impartial;
mod played;

mod arena;
mod atlas;
mod browser;
mod bytes;
mod c;
mod census;
mod conformance_tables;
mod cram;
mod documents;
mod facts;
mod files;
mod golden;
mod hostile;
mod interrupted;
mod languages;
mod length;
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
mod schema;
mod serve;
mod serve_bounds;
mod serve_deployed;
mod serve_described;
mod serve_page;
mod serve_quota;
mod serve_refused;
mod serve_uwapi;
mod strategy;
mod symmetries;
mod ugi;
mod verify;
mod wide;
