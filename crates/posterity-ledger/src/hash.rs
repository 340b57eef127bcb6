//! SHA-256 digests.

use std::fmt;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// A SHA-256 digest, written as 64 hexadecimal digits in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash {
    bytes: [u8; 32],
}

impl Hash {
    /// What the first entry names as the hash before it.
    pub const START: Self = Self { bytes: [0; 32] };

    /// Reads 64 hexadecimal digits in lower case.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
        }
        Some(Self { bytes })
    }

    /// The digest of a text.
    pub(crate) fn of_text(text: &str) -> Self {
        Self { bytes: Sha256::digest(text.as_bytes()).into() }
    }

    /// The digest of a list of fields, some of them absent.
    ///
    /// Each field is a tag (0 absent, 1 present) and, if present, its length in eight bytes and its bytes. A reader
    /// knows where every field ends, so different lists never give the same bytes.
    pub(crate) fn of_fields(fields: &[Option<&[u8]>]) -> Self {
        let mut digest = Sha256::new();
        for field in fields {
            match field {
                None => digest.update([0]),
                Some(bytes) => {
                    digest.update([1]);
                    digest.update((bytes.len() as u64).to_be_bytes());
                    digest.update(bytes);
                }
            }
        }
        Self { bytes: digest.finalize().into() }
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Golden value: the digest of `abc`, FIPS 180-4 example.
    #[test]
    fn golden() {
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of_text("abc").to_string(), text);
        assert_eq!(Hash::from_hex(text), Some(Hash::of_text("abc")));
    }

    #[test]
    fn rejects() {
        for text in ["", "ab", &"A".repeat(64), &"g".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            assert_eq!(Hash::from_hex(text), None, "{text}");
        }
    }

    #[test]
    fn lists_with_the_same_letters_differ() {
        let lists: [&[Option<&[u8]>]; 7] = [
            &[],
            &[None],
            &[Some(b"")],
            &[Some(b"ab"), None],
            &[None, Some(b"ab")],
            &[Some(b"a"), Some(b"b")],
            &[Some(b"ab"), Some(b"")],
        ];
        let distinct: HashSet<Hash> = lists.into_iter().map(Hash::of_fields).collect();
        assert_eq!(distinct.len(), lists.len());
    }
}
