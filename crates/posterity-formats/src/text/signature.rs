//! What the first bytes of a file say of it.

use super::Signature;
use crate::encoding::Encoding;

/// How many bytes are looked at.
pub(super) const BYTES: u64 = 4;

impl Signature {
    /// What a file is that is read as text of this encoding and begins so, if it is something else. No text that is read
    /// begins so: JSON begins with a bracket, and CSV with a name.
    pub(super) fn of(start: &[u8], encoding: Encoding) -> Option<Self> {
        let narrow = matches!(encoding, Encoding::Utf8 | Encoding::Windows1252);
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'P', b'K', 3, 4] => Some(Self::Zip),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] if narrow => Some(Self::Utf16),
            [a, 0, b, 0] | [0, a, 0, b] if narrow && *a > 0 && *b > 0 => Some(Self::Utf16Unmarked),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_what_a_file_is() {
        let table: [(&[u8], Option<Signature>); 8] = [
            (b"id,w", None),
            (b"", None),
            (b"\xef\xbb\xbfa", None),
            (b"\x1f\x8b\x08\0", Some(Signature::Gzip)),
            (b"PK\x03\x04", Some(Signature::Zip)),
            (b"\xff\xfea\0", Some(Signature::Utf16)),
            (b"\xfe\xff\0a", Some(Signature::Utf16)),
            (b"a\0b\0", Some(Signature::Utf16Unmarked)),
        ];
        for (start, expected) in table {
            assert_eq!(Signature::of(start, Encoding::Utf8), expected, "{start:?}");
        }
        assert_eq!(Signature::of(b"\xff\xfea\0", Encoding::Utf16), None);
        assert_eq!(Signature::of(b"a\0b\0", Encoding::Utf16Le), None);
    }
}
