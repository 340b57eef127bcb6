//! The operating system's random source.

use posterity_core::sampler::{BitSource, SourceError};

/// Random bits from the operating system, fetched a page at a time.
///
/// ```
/// use posterity::SystemBits;
/// use posterity_core::sampler::BitSource;
/// let mut bits = SystemBits::new();
/// assert_ne!(bits.next_u64()?, bits.next_u64()?); // They agree once in 2^64 times.
/// # Ok::<(), posterity_core::sampler::SourceError>(())
/// ```
pub struct SystemBits {
    buffer: [u8; Self::PAGE],
    used: usize,
}

/// Hides the bits that are still to be used.
impl std::fmt::Debug for SystemBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SystemBits").finish_non_exhaustive()
    }
}

impl SystemBits {
    const PAGE: usize = 512;

    /// A source that has not fetched anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self { buffer: [0; Self::PAGE], used: Self::PAGE }
    }
}

impl Default for SystemBits {
    fn default() -> Self {
        Self::new()
    }
}

impl BitSource for SystemBits {
    fn next_u64(&mut self) -> Result<u64, SourceError> {
        if self.used == Self::PAGE {
            getrandom::fill(&mut self.buffer).map_err(|error| SourceError { reason: error.to_string() })?;
            self.used = 0;
        }
        let mut word = [0; 8];
        word.copy_from_slice(&self.buffer[self.used..self.used + 8]);
        // A word is used once, and does not stay in memory.
        self.buffer[self.used..self.used + 8].fill(0);
        self.used += 8;
        Ok(u64::from_le_bytes(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pages of words without a repetition: the chance of one among 128 random words is below 1e-15.
    #[test]
    fn words_do_not_repeat() {
        let mut bits = SystemBits::new();
        let words: std::collections::HashSet<u64> =
            (0..128).map(|_| bits.next_u64().expect("a source")).collect();
        assert_eq!(words.len(), 128);
    }
}
