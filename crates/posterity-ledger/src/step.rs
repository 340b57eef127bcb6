//! The steps of a write. An observer hears of each.

/// A step of a write. A process may be killed at any step, and the ledger stays valid; the tests kill it at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The ledger is locked for writing, nothing is written.
    Locked,
    /// The chain's head and the balance were checked.
    Checked,
    /// An entry and the head are written, but not committed: it does not count yet, and is not on disk.
    Appended,
    /// The document of the charge was drawn, within its transaction. Nobody has seen it.
    Drawn,
    /// The transaction is committed: what it appended is on disk and counts.
    Committed,
}
