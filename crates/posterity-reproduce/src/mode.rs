//! How much of an experiment is computed.

/// How much of an experiment is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A fast pass: fewer sizes and repetitions.
    Quick,
    /// As published.
    Full,
}

impl Mode {
    /// In a quick pass the quick value if there is one; else the full value.
    pub(crate) fn choose<T>(self, full: T, quick: Option<T>) -> T {
        match self {
            Self::Quick => quick.unwrap_or(full),
            Self::Full => full,
        }
    }
}
