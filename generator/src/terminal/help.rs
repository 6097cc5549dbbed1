//! The help of the commands below their options, from one page of text.

/// Returns the section of the page about a command.
///
/// # Panics
/// If the page has no such section, which a test of the whole help would find.
pub fn help(command: &str) -> String {
    let mut sections =
        include_str!("help.txt").split("\n# ").filter_map(|text| text.split_once('\n'));
    let section = sections.find(|(title, _)| *title == command);
    section.unwrap_or_else(|| panic!("no help about {command}")).1.trim_end().to_owned()
}
