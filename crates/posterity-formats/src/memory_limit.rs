//! The memory that readers may hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that all readers of one source may hold together. A length that a file states is taken from here before any
/// memory is.
#[derive(Clone, Debug)]
pub(crate) struct MemoryLimit {
    left: Arc<AtomicUsize>,
}

/// There is not so much memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded;

/// A part of the memory, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    left: Arc<AtomicUsize>,
    bytes: usize,
}

/// Bytes that the pieces of one source may take together.
impl Default for MemoryLimit {
    fn default() -> Self {
        Self::new(384 << 20)
    }
}

impl MemoryLimit {
    /// A limit of this many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)) }
    }

    /// Takes this many bytes, or fails and takes none.
    pub(crate) fn take(&self, bytes: usize) -> Result<Held, Exceeded> {
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes))
            .map(|_| Held { left: Arc::clone(&self.left), bytes })
            .map_err(|_| Exceeded)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}
