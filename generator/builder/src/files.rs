//! Replaces files as a whole: a reader sees the old contents or the new ones, never a part of either.
//!
//! Bytes are written to a temporary file in the same folder, which is synced and renamed; then the folder is synced. Links are followed,
//! files that are not regular are refused, and the mode of an old file is kept. A temporary file is locked by its writer, and named after
//! the file. So the next [`replace`] finds and removes the temporary files that a kill left.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Creates or replaces the file at `path` with the bytes that `write` writes. Links are followed. An old file keeps its mode, and the mode
/// of a new file follows the umask. After an error nothing has changed, and no temporary file remains.
///
/// # Errors
/// If `write` or [`resolve`] fails, or the folder cannot be written. Errors do not name `path`.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let path = resolve(path)?;
    remove_unfinished(&path);
    replace_name(&path, write)
}

/// Replaces one of the program's own files like [`replace`], but does not follow a link of that name, and does not search for the temporary
/// files that a kill left.
///
/// # Errors
/// If `write` fails, or the folder cannot be written.
pub fn replace_name<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let temporary = unfinished(path)?;
    let mut out = BufWriter::with_capacity(1 << 20, temporary.as_file());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    let (file, temporary) = temporary.into_parts();
    Ok(put(&file, path, || temporary.persist(path).map_err(|error| error.error))?)
}

/// Creates a temporary file, which can be renamed to `path`. Its name begins with the name of `path` and a point. It is removed if it is
/// not renamed.
///
/// # Errors
/// If the folder cannot be written.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    temporary(path, &beginning("", path), "")
}

/// End of the names of temporary files of [`replace`].
const UNFINISHED: &str = ".unfinished";

/// Beginning of the names of temporary files: a prefix, the name of the file and a point.
fn beginning(prefix: &str, path: &Path) -> OsString {
    let mut name = OsString::from(prefix);
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name
}

/// Creates a temporary file that is locked until it is closed.
fn unfinished(path: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = temporary(path, &beginning(".", path), UNFINISHED)?;
        let is_locked = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        // Before this writer had the lock, another writer may have removed the file.
        if is_locked && is_same_file(file.as_file(), file.path()) {
            return Ok(file);
        }
    }
}

/// Removes the temporary files of `path` that no writer locks. Errors are ignored, because a file that remains only costs space.
fn remove_unfinished(path: &Path) {
    let start = beginning(".", path);
    let is_ours = |name: &OsStr| {
        let rest = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes());
        let random = rest.and_then(|rest| rest.strip_suffix(UNFINISHED.as_bytes()));
        random
            .is_some_and(|random| random.len() == 6 && random.iter().all(u8::is_ascii_alphanumeric))
    };
    for entry in fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        if is_ours(&entry.file_name())
            && let Ok(file) = open_name(&entry.path(), OpenOptions::new().read(true))
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Locks a file until it is closed. Returns false if another process has the lock.
///
/// # Errors
/// If the system cannot lock the file.
pub fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns true if `path` still leads to the open file.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(identity).ok();
        open.is_some() && fs::symlink_metadata(path).map(identity).ok() == open
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

fn temporary(path: &Path, prefix: &OsStr, suffix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask still removes bits from this mode. The temporary file must not be readable by more people than the old file.
        builder.permissions(mode(path).unwrap_or_else(|| Permissions::from_mode(0o666)));
    }
    builder.tempfile_in(folder(path))
}

/// Moves a file, written under another name in the same folder, to `path`, which comes from [`resolve`]. The file gets
/// the mode of the old file and is synced, `rename` renames it, and the folder is synced.
///
/// # Errors
/// If one of these steps fails.
pub fn put(file: &File, path: &Path, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    if let Some(mode) = mode(path) {
        file.set_permissions(mode)?;
    }
    file.sync_all()?;
    rename()?;
    sync_folder(folder(path))
}

/// Follows links from a path to the name that is to be replaced. The file, or the target of a link, need not exist.
///
/// # Errors
/// If the path is not a regular file, or cannot be followed.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => return fs::canonicalize(path),
        Ok(_) => return Err(refused()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut path = path.to_path_buf();
    // A circle of links was already an error above. This bound is for links that others change meanwhile.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("a chain of more than 40 links"))
}

/// Opens one of the program's own files. Neither symbolic nor hard links with that name are followed, and opening a
/// pipe does not block.
///
/// # Errors
/// If the file cannot be opened, is not a regular file, or has other hard links.
pub fn open_name(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let named = |error| match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => refused(),
        _ => error,
    };
    #[cfg(unix)]
    let file = {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
        options.open(path).map_err(named)?
    };
    #[cfg(not(unix))]
    let file = match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => return Err(refused()),
        _ => options.open(path).map_err(named)?,
    };
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(refused());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if found.nlink() > 1 {
            let names = found.nlink();
            return Err(io::Error::other(format!(
                "the file has {names} hard links: only a file with one can be replaced"
            )));
        }
    }
    Ok(file)
}

fn refused() -> io::Error {
    io::Error::other("not a regular file")
}

/// The mode of the regular file with this name; `None` if there is no such file, or the system does not have modes.
fn mode(path: &Path) -> Option<Permissions> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    cfg!(unix).then(|| found.permissions())
}

/// The folder that contains a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync folders, and some folders can be written but not read. The file is in its place anyway.
        Err(error)
            if [ErrorKind::InvalidInput, ErrorKind::Unsupported, ErrorKind::PermissionDenied]
                .contains(&error.kind()) => {}
        synced => synced?,
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn write(path: &Path, text: &str) -> io::Result<()> {
        replace(path, |out| out.write_all(text.as_bytes()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|e| name(e).unwrap()).collect();
        names.sort();
        names
    }

    fn pipe(path: &Path) {
        nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    }

    #[test]
    fn an_old_file_keeps_its_mode_and_a_new_one_follows_the_umask() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, other] = ["old", "new", "other"].map(|name| folder.path().join(name));
        for mode in [0o600, 0o644, 0o640, 0o444, 0o666] {
            fs::write(&old, "before").unwrap();
            fs::set_permissions(&old, Permissions::from_mode(mode)).unwrap();
            write(&old, "after").unwrap();
            assert_eq!(fs::read_to_string(&old).unwrap(), "after");
            assert_eq!(fs::metadata(&old).unwrap().mode() & 0o7777, mode);
            fs::remove_file(&old).unwrap();
        }
        write(&new, "").unwrap();
        File::create(&other).unwrap();
        assert_eq!(fs::metadata(&new).unwrap().mode(), fs::metadata(&other).unwrap().mode());
    }

    #[test]
    fn links_are_followed_to_a_file_that_is_there_or_not_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("far")).unwrap();
        symlink("near", path("link")).unwrap();
        symlink("far/file", path("near")).unwrap();
        for text in ["made", "replaced"] {
            write(&path("link"), text).unwrap();
            assert_eq!(fs::read_to_string(path("far/file")).unwrap(), text);
            assert!(path("link").is_symlink() && path("near").is_symlink());
        }
        symlink("circle", path("circle")).unwrap();
        assert!(write(&path("circle"), "").is_err());
        assert_eq!(names(folder.path()), ["circle", "far", "link", "near"]);
        assert_eq!(names(&path("far")), ["file"]);
    }

    #[test]
    fn other_than_regular_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        pipe(&path("pipe"));
        symlink("pipe", path("link")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let before = names(folder.path());
        for name in ["pipe", "link", "folder", "socket", "/dev/null"] {
            let error = write(&path(name), "text").unwrap_err().to_string();
            assert_eq!(error, "not a regular file", "{name}");
        }
        assert!(write(&path("nowhere/file"), "text").is_err());
        assert!(write(&path("new/"), "text").is_err());
        assert_eq!(names(folder.path()), before);
    }

    #[test]
    fn a_failure_keeps_the_old_file_and_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "before").unwrap();
        let failed = replace(&file, |out| {
            out.write_all(b"after")?;
            Err(io::Error::other("the reason"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the reason");
        assert_eq!(fs::read_to_string(&file).unwrap(), "before");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_later_writer_removes_what_a_kill_left_and_nothing_that_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let file = path("file");
        let others = [".file..unfinished", ".file.a.b.unfinished", ".other.aaaaaa.unfinished"];
        for name in others.iter().chain(&[".file.aaaaaa.unfinished"]) {
            fs::write(path(name), "half").unwrap();
        }
        let live = unfinished(&file).unwrap();
        write(&file, "whole").unwrap();
        let live_name = live.path().file_name().unwrap().to_str().unwrap();
        let mut expected = [&others[..], &["file", live_name]].concat();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
        assert!(is_same_file(live.as_file(), live.path()));
    }

    #[test]
    fn a_link_under_a_name_of_ours_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("precious"), "precious").unwrap();
        symlink("precious", path("symbolic")).unwrap();
        fs::hard_link(path("precious"), path("hard")).unwrap();
        pipe(&path("pipe"));
        for (name, found) in [
            ("symbolic", "not a regular file"),
            ("hard", "the file has 2 hard links: only a file with one can be replaced"),
            ("pipe", "not a regular file"),
        ] {
            for writes in [true, false] {
                let mut options = OpenOptions::new();
                let options = options.read(true).write(writes).create(writes);
                let error = open_name(&path(name), options).unwrap_err();
                assert_eq!(error.to_string(), found);
            }
            replace_name(&path(name), |out| out.write_all(b"ours")).unwrap();
            assert_eq!(fs::read_to_string(path(name)).unwrap(), "ours");
            assert!(fs::symlink_metadata(path(name)).unwrap().is_file());
        }
        assert_eq!(fs::read_to_string(path("precious")).unwrap(), "precious");
        let new = open_name(&path("new"), OpenOptions::new().write(true).create(true));
        assert!(new.unwrap().metadata().unwrap().is_file());
    }
}
