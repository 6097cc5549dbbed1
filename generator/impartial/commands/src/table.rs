//! Files of Grundy values, `*.grundy`: recognises, opens and writes them.

use anyhow::{Context, Result};
use morpion_games::catalogue::is_file_name;
use morpion_grundy::{GrundyTable, MAGIC};
use morpion_machine::files;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Returns true if an argument names a table of Grundy values, by the first bytes of the file.
pub fn is_table(name: &str) -> bool {
    let mut magic = [0; MAGIC.len()];
    let file = Path::new(name);
    // Opening a pipe would wait for its writer.
    let is_read = is_file_name(name)
        && file.is_file()
        && File::open(file).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok());
    is_read && magic == MAGIC
}

/// Opens a table file.
pub fn open(file: &Path) -> Result<GrundyTable> {
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    Ok(unsafe { GrundyTable::map(file) }?)
}

/// Writes a file into `folder`, completely or not at all. Creates the folder if it is missing.
pub fn save(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot create the folder", folder.display()))?;
    let path = folder.join(name);
    files::replace(&path, write)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(path)
}
