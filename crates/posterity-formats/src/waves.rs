//! Handing over pieces of a source that comes in one stream.

use crate::in_order::in_order;
use crate::piece::Piece;
use crate::visitor::Visitor;

/// The most records of a piece, and about how many bytes it may take.
pub(crate) const PIECE: usize = 8_192;
pub(crate) const PIECE_BYTES: usize = 16 << 20;

/// Pieces that wait until there is one for each thread.
pub(crate) struct Waves<'a, V, P> {
    visitor: &'a V,
    file: u32,
    /// How many pieces were handed over.
    before: u32,
    waiting: Vec<P>,
}

impl<'a, V: Visitor, P: Piece> Waves<'a, V, P> {
    /// The pieces of a file, which is told by its number.
    pub(crate) fn new(visitor: &'a V, file: u32) -> Self {
        Self { visitor, file, before: 0, waiting: Vec::new() }
    }

    /// Adds a piece, and hands over all that wait if there are enough.
    pub(crate) fn add(&mut self, piece: P) -> Result<(), V::Error> {
        self.waiting.push(piece);
        if self.waiting.len() < rayon::current_num_threads() { Ok(()) } else { self.hand_over() }
    }

    /// Hands over the last pieces.
    pub(crate) fn finish(mut self) -> Result<(), V::Error> {
        self.hand_over()
    }

    fn hand_over(&mut self) -> Result<(), V::Error> {
        let (visitor, file, before) = (self.visitor, self.file, self.before);
        let wave = std::mem::take(&mut self.waiting);
        self.before = before.saturating_add(wave.len() as u32);
        in_order(wave.len(), |index| {
            visitor.piece(&mut visitor.part(file, before.saturating_add(index as u32)), &wave[index])
        })
    }
}
