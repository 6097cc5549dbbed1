//! Used and free resources of the machine: processor time, memory, disk.

use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Cost of some work. The keys of the JSON form are part of the interface.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Cost {
    /// Wall time.
    pub seconds: f64,
    /// Processor time of all threads in seconds, user and system; the wall time if the system does not report it.
    pub cpu_seconds: f64,
    /// Largest resident set in bytes; 0 if the system does not report it.
    pub peak_memory: u64,
}

/// Measures the cost of work from its start on.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    began: Instant,
    cpu_seconds: f64,
}

impl Meter {
    /// Starts to measure. Resets the largest resident set if the system can, so that several games can be measured separately in one
    /// process.
    pub fn start() -> Meter {
        #[cfg(target_os = "linux")]
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        Meter { began: Instant::now(), cpu_seconds: usage().cpu_seconds }
    }

    /// The cost since the start.
    pub fn cost(&self) -> Cost {
        let (seconds, now) = (self.began.elapsed().as_secs_f64(), usage());
        let cpu_seconds = now.cpu_seconds - self.cpu_seconds;
        Cost { seconds, cpu_seconds: if cpu_seconds > 0.0 { cpu_seconds } else { seconds }, ..now }
    }
}

/// The processor time so far, and the largest resident set; zeros if the system does not report them.
fn usage() -> Cost {
    #[cfg(unix)]
    if let Ok(usage) = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF) {
        let seconds =
            |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        // Linux counts the peak in KiB, Apple in bytes.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        // Only Linux reports the largest resident set since `Meter::start`.
        let since_start = bytes_in("/proc/self/status", "VmHWM:");
        let peak_memory = since_start.unwrap_or(usage.max_rss().max(0) as u64 * unit);
        let cpu_seconds = seconds(usage.user_time()) + seconds(usage.system_time());
        return Cost { seconds: 0.0, cpu_seconds, peak_memory };
    }
    Cost::default()
}

/// Makes the allocator return large freed blocks to the system at once, if it can. The C library otherwise keeps freed blocks of up to
/// 32 MiB for later, which a limit of memory does not count.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use nix::libc::{M_MMAP_THRESHOLD, mallopt};
        // SAFETY: the function only sets a parameter of the allocator.
        let _ = unsafe { mallopt(M_MMAP_THRESHOLD, 1 << 18) };
    }
}

/// The number of KiB in the line of `file` that begins with `name`, converted to bytes.
fn bytes_in(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}

/// Memory in bytes that a new process can use without swapping, if the system reports it: at most the limit of a container, which is the
/// least limit of the control groups of this process.
pub fn available_memory() -> Option<u64> {
    let available = bytes_in("/proc/meminfo", "MemAvailable:")?;
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limit = least_limit(&groups, |file| std::fs::read_to_string(file).ok());
    Some(available.min(limit.unwrap_or(u64::MAX)))
}

/// The least limit of control groups, which are listed as `NUMBER:CONTROLLERS:PATH`, one per line. `read` reads a file.
fn least_limit(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let limit = |group: &str| {
        let (controllers, path) = group.split_once(':')?.1.split_once(':')?;
        let (root, name) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        // A container may see its group at the root, and a group also has the limits of the groups that contain it.
        let folder = format!("{root}{path}");
        let folders = Path::new(&folder).ancestors().take_while(|folder| folder.starts_with(root));
        let limits = folders.filter_map(|folder| read(&folder.join(name)));
        // A group without a limit has the word `max`.
        limits.filter_map(|limit| limit.trim().parse().ok()).min()
    };
    groups.lines().filter_map(limit).min()
}

/// Free space below `folder` in bytes, if the system reports it. The last parts of its path may not exist yet.
pub fn free_disk(folder: &Path) -> Option<u64> {
    folder.ancestors().find_map(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        fs4::available_space(folder).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups_above_counts() {
        let files = [
            ("/sys/fs/cgroup/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/memory.max", "3000\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "5000\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n"),
            ("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "6000\n"),
        ];
        let read = |file: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == file);
            found.map(|(_, text)| text.to_string())
        };
        for (groups, limit) in [
            ("0::/", None),
            ("0::/a/b\n", Some(3000)),
            ("0::/unseen/b", None),
            ("4:memory:/c\n1:cpu:/a\n0::/", Some(6000)),
            ("4:memory:/unseen", Some(7000)),
            ("damaged", None),
            ("", None),
        ] {
            assert_eq!(least_limit(groups, read), limit, "{groups}");
        }
    }
}
