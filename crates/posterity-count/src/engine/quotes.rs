//! Which bytes of a CSV file are within quotes.

/// Where in a field a reader stands, after some bytes. A quote opens a field only at its start; within, two make one.
///
/// Four states, as multiples of six. A byte has one row of next states, six bits each, in the order of the states; so a
/// step is one shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuoteState(u64);

impl QuoteState {
    /// At the start of a field.
    pub(crate) const START: Self = Self(0);
    /// In a field without quotes.
    pub(crate) const PLAIN: Self = Self(6);
    /// Within quotes.
    pub(crate) const QUOTED: Self = Self(12);
    /// After a quote within quotes: the end of them, unless another follows.
    pub(crate) const CLOSING: Self = Self(18);
}

/// The rows of all bytes.
#[derive(Clone, Debug)]
pub(crate) struct Quotes {
    rows: Box<[u64; 256]>,
}

impl Quotes {
    /// For files whose fields are separated by this byte.
    pub(crate) fn new(delimiter: u8) -> Self {
        let mut rows = Box::new([0; 256]);
        for (byte, row) in (0..=u8::MAX).zip(rows.iter_mut()) {
            let next = match byte {
                b'"' => [QuoteState::QUOTED, QuoteState::PLAIN, QuoteState::CLOSING, QuoteState::QUOTED],
                b'\n' | b'\r' => {
                    [QuoteState::START, QuoteState::START, QuoteState::QUOTED, QuoteState::START]
                }
                byte if byte == delimiter => {
                    [QuoteState::START, QuoteState::START, QuoteState::QUOTED, QuoteState::START]
                }
                _ => [QuoteState::PLAIN, QuoteState::PLAIN, QuoteState::QUOTED, QuoteState::PLAIN],
            };
            *row = next.iter().zip([0, 6, 12, 18]).map(|(next, place)| next.0 << place).sum();
        }
        Self { rows }
    }

    /// The state after more bytes.
    #[inline]
    pub(crate) fn advance(&self, state: QuoteState, bytes: &[u8]) -> QuoteState {
        // The higher bits of a row are left in: a shift looks at the lowest six only.
        let end = bytes.iter().fold(state.0, |state, &byte| self.rows[usize::from(byte)] >> (state & 63));
        QuoteState(end & 63)
    }
}
