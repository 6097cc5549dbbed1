//! `morpion info`: properties of a table.

use super::known::{known, print as print_known};
use super::tables::TableSource;
use crate::terminal::prelude::*;
use morpion_builder::Start;
use morpion_core::{Census, Game, VERSION};
use morpion_games::catalogue::standard_rules;
use morpion_games::reach::layer_name;
use morpion_generator::family::atlas::stored;
use morpion_generator::family::known::Known;
use morpion_generator::family::registry::blake3;
use morpion_report::census::{self, ByLayer, Totals};
use morpion_report::distribution::{Pieces, of_census};
use morpion_report::orbits;
use morpion_report::phrases::rules;
use morpion_report::sheet::board;

/// Show a table's rules, symmetries, layers, census and start value
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub source: TableSource,
    /// Check the checksums of all bytes too; exit status 1 if one is wrong
    #[arg(long)]
    pub check: bool,
    /// Print the arrangements by layer, value and distance as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print the census and the sizes of each layer too
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub layers: bool,
    /// Count positions up to symmetry instead of arrangements
    #[arg(long)]
    pub orbits: bool,
    /// Print an entry for BibTeX
    #[arg(long, conflicts_with_all = ["json", "csv", "check", "orbits"])]
    pub bibtex: bool,
    /// Write a board to print on A4, with the rules and the pieces to cut out; needs no table
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["json", "csv", "check", "orbits", "layers", "bibtex"])]
    pub board: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Info {
    game: String,
    title: String,
    format: u32,
    encoding: &'static str,
    fingerprint: String,
    /// Symmetries by which the table is folded.
    group: &'static str,
    /// Order of the group.
    symmetries: usize,
    entries: u64,
    bytes: u64,
    layers: Vec<LayerShape>,
    start: Start,
    /// Unit of the census: `arrangements` or `orbits`.
    unit: &'static str,
    census: ByLayer,
    /// The census of all layers, with the deepest positions as text.
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    /// The checksum of the table, in hexadecimal; missing above [`HASHED`] bytes without `--check`, and if a check found a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    blake3: Option<String>,
}

#[derive(Serialize)]
struct LayerShape {
    #[serde(flatten)]
    pieces: Pieces,
    rows: u64,
    columns: u64,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    if let Some(file) = &args.board {
        write_file(file, &board(&args.source.rules()?))?;
        return Ok(writeln!(out, "{}: a board for A4, with its pieces", Shown(file.display()))?);
    }
    let is_short = !args.check && !args.csv && !args.layers && !args.orbits;
    let table = match args.source.open() {
        Err(error) if is_short => {
            let known = known(&args.source, error)?;
            if !args.bibtex {
                return print_known(&known, args.json, out);
            }
            return Ok(write!(out, "{}", bibtex(&known.0, AUTHORS, &known.1)?)?);
        }
        opened => opened?.0,
    };
    if args.bibtex {
        let authors = standard_rules(&table).map_or("", |_| AUTHORS);
        return Ok(write!(out, "{}", bibtex(table.game(), authors, &cited(&table)?)?)?);
    }
    let check = args.check.then(|| table.check_sums());
    out.status = u8::from(matches!(check, Some(Err(_))));
    let (unit, census) = match args.orbits {
        true => ("orbits", orbits::census(&table)?),
        false => ("arrangements", table.raw().census()?),
    };
    if args.csv {
        return Ok(out.write_all(&csv(&of_census(&table, &census))?)?);
    }
    let check = check.map(|check| check.map_or_else(|fault| fault.to_string(), |()| "ok".into()));
    let info = describe(&table, unit, &census, check)?;
    if args.json { out.json(&info) } else { print(&table, &info, &census, args.layers, out) }
}

fn describe(
    table: &Table,
    unit: &'static str,
    census: &Census,
    check: Option<String>,
) -> Result<Info> {
    let (header, game) = (table.raw().header(), table.game());
    let is_hashed = check.as_ref().map_or(table.size() <= HASHED, |check| check == "ok");
    Ok(Info {
        game: game.name().to_owned(),
        title: game.title().to_owned(),
        format: VERSION,
        encoding: header.encoding.name(),
        fingerprint: format!("{:016x}", game.fingerprint()),
        group: header.group.name(),
        symmetries: header.symmetries.len(),
        entries: header.entries(),
        bytes: table.size(),
        layers: header
            .layers
            .iter()
            .enumerate()
            .map(|(index, layer)| LayerShape {
                pieces: Pieces::of(table.game(), index),
                rows: layer.rows,
                columns: layer.columns,
            })
            .collect(),
        start: Start::of(table)?,
        unit,
        totals: Totals::sum(table, census),
        census: ByLayer::new(table, census),
        blake3: is_hashed.then(|| blake3(table.source())).transpose()?,
        check,
    })
}

/// Maximum number of bytes of a table that is hashed without `--check`.
const HASHED: u64 = 1 << 30;

/// Year of the release.
const YEAR: u16 = 2026;

/// The field for the authors of a standard table. A table of other rules belongs to whoever wrote them.
const AUTHORS: &str = "  author = {{The morpion authors}},\n";

/// The facts of a table that its citation names, as on the pages of results.
fn cited(table: &Table) -> Result<Known> {
    let start = in_words(table.probe(table.game().start().raw)?);
    let facts =
        vec![("value of the start", start), ("table", stored(table, &blake3(table.source())?))];
    Ok(Known { facts })
}

/// Formats an entry for BibTeX with everything that identifies a table.
fn bibtex(game: &Game, authors: &str, known: &Known) -> Result<String> {
    let cited = || {
        let (entries, rest) = known.fact("table")?.split_once(" entries ")?;
        Some((known.fact("value of the start")?, entries, rest.split_once(" bytes, ")?.1))
    };
    let (start, entries, checksum) =
        cited().context("the page of results names no table of this game")?;
    let (name, title, version) = (game.name(), game.title(), env!("CARGO_PKG_VERSION"));
    Ok(format!(
        "@misc{{morpion-{name},\n{authors}  title = {{{{{}}}}},\n  year = {{{YEAR}}},\n  \
         howpublished = {{Table of perfect play, morpion {version}}},\n  \
         note = {{Game \\texttt{{{}}}, start: {start}, {entries} entries, rules \\texttt{{{:016x}}}, {checksum}}}\n}}\n",
        in_tex(title),
        in_tex(name),
        game.fingerprint(),
    ))
}

/// Escapes the characters that have a meaning in TeX.
fn in_tex(text: &str) -> String {
    let escaped = |character: char| match character {
        '&' | '%' | '$' | '#' | '_' => format!("\\{character}"),
        // BibTeX counts braces, also after a backslash.
        '{' => "\\textbraceleft{}".into(),
        '}' => "\\textbraceright{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '^' => "\\textasciicircum{}".into(),
        '\\' => "\\textbackslash{}".into(),
        '×' => "$\\times$".into(),
        _ if character.is_control() => " ".into(),
        _ => character.into(),
    };
    text.chars().map(escaped).collect()
}

fn print(
    table: &Table,
    info: &Info,
    census: &Census,
    layers: bool,
    out: &mut Output,
) -> Result<()> {
    let game = table.game();
    let mut facts = vec![
        ("game", format!("{}  ({})", info.game, Shown(&info.title))),
        ("rules", wrapped(&rules(game), WIDTH - 14).join("\n")),
        ("start", in_words(table.probe(game.start().raw)?)),
        ("encoding", format!("{}, format version {}", info.encoding, info.format)),
        ("fingerprint", info.fingerprint.clone()),
        ("symmetries", format!("{} ({})", info.symmetries, info.group)),
        ("entries", grouped(info.entries)),
        ("bytes", grouped(info.bytes)),
    ];
    if let Some(check) = &info.check {
        let fault = Some(check.clone()).filter(|check| check != "ok");
        facts.push(("checksums", fault.unwrap_or("all bytes are checked: no fault".into())));
    }
    facts.extend(info.blake3.clone().map(|blake3| ("blake3", blake3)));
    out.facts(&facts)?;
    write!(
        out,
        "\ncensus: {}, by what they are worth to the side to move\n\n{}",
        info.unit,
        census::text(table, census, info.unit, layers)
    )?;
    let shapes = info.layers.iter().zip(&game.graph().layers);
    let shapes = shapes.filter(|(_, node)| layers && !node.ended).map(|(layer, node)| {
        let (rows, columns) = (counted(layer.rows, "row"), counted(layer.columns, "column"));
        ("layer", format!("{}  {rows} × {columns}", layer_name(node)))
    });
    if layers {
        writeln!(out)?;
    }
    out.facts(&shapes.collect::<Vec<_>>())
}
