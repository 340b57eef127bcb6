//! Plain values of a large page that is not compressed, read from the file piece by piece: the page is not held.
//!
//! Some writers put all rows of a group into one page, which may be larger than the memory.

use crate::column::Store;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;

use super::PIECE;
use super::checksum::Checksum;
use super::hybrid::zeros;
use super::plain;
use super::schema::Leaf;
use super::window::Window;

/// How many bytes of values are looked at at once, unless one value has more.
const CHUNK: usize = 1 << 20;

/// Where the reader of such a page stands. The window, which stands there too, is given to it with every call.
#[derive(Debug)]
pub(super) struct Flow {
    /// What stands before the values: the levels.
    head: Vec<u8>,
    /// How many bytes of values are left in the page.
    left: usize,
    /// How many of them are in the window, and hold whole values.
    ready: usize,
    checksum: Checksum,
}

impl Flow {
    /// Reads what stands before the values of a page of this size, which takes the first bytes. MemoryLimit has been
    /// taken.
    pub(super) fn new(
        window: &mut Window<'_>,
        (head, size): (usize, usize),
        mut own: Vec<u8>,
        mut checksum: Checksum,
        memory: &MemoryLimit,
    ) -> Result<Self, Flaw> {
        let left = size.checked_sub(head).ok_or(Flaw::Damaged)?;
        own.clear();
        own.extend_from_slice(window.peek(head, memory)?);
        window.advance(head);
        checksum.add(&own);
        Ok(Self { head: own, left, ready: 0, checksum })
    }

    /// The bytes that stand before the values.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Brings the next values into the window, and says how many there are. If there are none, all rows to come are
    /// missing, and there may be any number of them.
    pub(super) fn fill(
        &mut self,
        leaf: &Leaf,
        window: &mut Window<'_>,
        memory: &MemoryLimit,
    ) -> Result<usize, Flaw> {
        let (count, ready) = match leaf.physical.width() {
            Some(width) => {
                let count = PIECE.min(CHUNK / width).max(1).min(self.left / width);
                window.peek(count * width, memory)?;
                (count, count * width)
            }
            None => {
                let bytes = window.peek(CHUNK.min(self.left), memory)?;
                let (count, end) = plain::whole(bytes, PIECE);
                match plain::stated(bytes) {
                    // The next string is longer than what was looked at.
                    Ok(length) if count == 0 && length <= self.left - 4 => {
                        window.peek(4 + length, memory)?;
                        (1, 4 + length)
                    }
                    _ => (count, end),
                }
            }
        };
        self.ready = ready;
        Ok(if count == 0 { usize::MAX } else { count })
    }

    /// Reads values that have been brought into the window.
    pub(super) fn read(
        &mut self,
        leaf: &Leaf,
        window: &mut Window<'_>,
        count: usize,
        old: Store,
        hold: &mut dyn FnMut(usize) -> Result<(), Flaw>,
    ) -> Result<Store, Flaw> {
        let mut at = 0;
        let bytes = window.seen(self.ready);
        let store = plain::read(leaf, bytes, &mut at, count, old, hold)?;
        self.checksum.add(&bytes[..at]);
        window.advance(at);
        self.ready -= at;
        self.left -= at;
        Ok(store)
    }

    /// Goes to the end of the page, and gives its memory back. What has not been read must be ignored or zeros, with
    /// which some writers fill pages up.
    pub(super) fn finish(
        mut self,
        window: &mut Window<'_>,
        ignored: bool,
        memory: &MemoryLimit,
    ) -> Result<Vec<u8>, Flaw> {
        while self.left > 0 {
            let bytes = window.peek(CHUNK.min(self.left), memory)?;
            let now = bytes.len();
            if now == 0 || !(ignored || zeros(bytes, 0, now)) {
                return Err(Flaw::Damaged);
            }
            self.checksum.add(bytes);
            window.advance(now);
            self.left -= now;
        }
        if self.checksum.holds() { Ok(self.head) } else { Err(Flaw::Damaged) }
    }
}
