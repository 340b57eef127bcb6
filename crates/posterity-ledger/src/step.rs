//! The steps of a write, for those who watch it.

/// Where a write stands. A process may end at any of them; the tests end it at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The ledger is locked for writing, nothing is written.
    Locked,
    /// The chain's head and the balance were checked.
    Checked,
    /// The entry and the head are written, but not committed: it does not count yet.
    Appended,
    /// The entry is on disk and counts.
    Committed,
}
