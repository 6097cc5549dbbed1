//! The two interfaces of the server.

/// Interface that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The page and the interface behind it.
    Explorer,
    /// The universal web API of GamesCrafters.
    Uwapi,
}
