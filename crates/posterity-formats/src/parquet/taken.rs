//! Memory that has been taken from the limit.

use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};

/// Memory that grows is taken from the limit in steps of this many bytes.
const STEP: usize = 64 << 10;

/// Memory that has been taken from the limit, and grows.
#[derive(Debug, Default)]
pub(super) struct Taken {
    held: Vec<Held>,
    bytes: usize,
}

impl Taken {
    /// Takes memory until this many bytes are taken.
    pub(super) fn ensure(&mut self, memory: &MemoryLimit, bytes: usize) -> Result<(), Flaw> {
        if bytes > self.bytes {
            let all = bytes.checked_next_multiple_of(STEP).ok_or(Flaw::TooLarge)?;
            self.held.push(memory.take(all - self.bytes)?);
            self.bytes = all;
        }
        Ok(())
    }

    /// How many bytes are taken.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Bytes, and what they take of the limit of memory. What they hold does not matter.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) taken: Taken,
}
