//! The checksum of a page, where its writer stated one.

use flate2::Crc;

/// A CRC-32 over bytes that come piece by piece, and what it should be.
#[derive(Debug)]
pub(super) struct Checksum {
    stated: Option<u32>,
    found: Crc,
}

impl Checksum {
    /// Of a page whose header states this, or nothing.
    pub(super) fn new(stated: Option<u32>) -> Self {
        Self { stated, found: Crc::new() }
    }

    /// Goes on with the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if self.stated.is_some() {
            self.found.update(bytes);
        }
    }

    /// Whether the bytes are those of the writer, as far as it says so.
    pub(super) fn holds(&self) -> bool {
        self.stated.is_none_or(|stated| stated == self.found.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_algorithm() {
        // The value that catalogues of checksums give for CRC-32/ISO-HDLC.
        let holds = |stated, parts: &[&[u8]]| {
            let mut checksum = Checksum::new(stated);
            parts.iter().for_each(|part| checksum.add(part));
            checksum.holds()
        };
        assert!(holds(Some(0xcbf4_3926), &[b"123456789"]));
        assert!(holds(Some(0xcbf4_3926), &[b"1234", b"", b"56789"]));
        assert!(!holds(Some(0xcbf4_3926), &[b"123456798"]));
        assert!(holds(None, &[b"anything"]));
    }
}
