//! The head of the hash chain.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::hash::Hash;

/// Where a chain ends: how many entries it has, and the hash of the last. Written as `12:<64 hexadecimal digits>`.
///
/// A head noted outside the file shows later that nothing before it was removed or rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// The number of entries.
    pub entries: u64,
    /// The hash of the last entry, or [`Hash::START`] if there is none.
    pub hash: Hash,
}

/// Why a text is not a head.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the head is {text:?}; copy it as it was printed when the ledger was verified: a number, a colon, 64 hexadecimal digits"
)]
pub struct HeadError {
    text: String,
}

impl Head {
    /// The head of a chain without entries.
    pub(crate) const START: Self = Self { entries: 0, hash: Hash::START };
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.entries, self.hash)
    }
}

impl FromStr for Head {
    type Err = HeadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let head = text.trim().split_once(':').and_then(|(entries, hash)| {
            Some(Self { entries: entries.parse().ok()?, hash: Hash::from_hex(hash)? })
        });
        head.ok_or_else(|| HeadError { text: text.trim().chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let head = Head { entries: 12, hash: Hash::of_text("abc") };
        assert_eq!(head.to_string().parse(), Ok(head));
        assert_eq!(format!(" {head}\n").parse(), Ok(head));
    }

    #[test]
    fn rejects() {
        let hash = Hash::START.to_string();
        for text in ["", "12", ":", &hash, &format!("-1:{hash}"), &format!("x:{hash}"), &format!("1:{hash}0")]
        {
            assert_eq!(text.parse::<Head>(), Err(HeadError { text: text.to_owned() }), "{text}");
        }
    }
}
