//! Finite state entropy: a symbol for each state, and the bits that lead to the next one.

use super::bits::{Backwards, Forwards};
use crate::flaw::Flaw;

/// One state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    pub(super) symbol: u8,
    bits: u8,
    base: u16,
}

impl State {
    /// The number of the next state.
    #[inline]
    pub(super) fn next(self, bits: &mut Backwards<'_>) -> usize {
        usize::from(self.base) + bits.take(u32::from(self.bits)) as usize
    }
}

/// The states of a code: two to the power `log`.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    states: Vec<State>,
    pub(super) log: u32,
}

impl Table {
    /// The table that a block describes, of at most this many symbols and states, and what comes after it.
    pub(super) fn read(bytes: &[u8], symbols: usize, most: u32) -> Result<(Self, &[u8]), Flaw> {
        let mut bits = Forwards::new(bytes);
        let log = bits.take(4) + 5;
        if log > most {
            return Err(Flaw::Damaged);
        }
        let mut left = 1i32 << log;
        let mut shares: Vec<i16> = Vec::new();
        while left > 0 {
            let share = share(&mut bits, left as u32) as i16 - 1;
            left -= i32::from(share.abs());
            shares.push(share);
            if share == 0 {
                // How many more of them there are, three at a time.
                loop {
                    let more = bits.take(2);
                    shares.extend((0..more).map(|_| 0));
                    if more < 3 || shares.len() > symbols {
                        break;
                    }
                }
            }
            if shares.len() > symbols {
                return Err(Flaw::Damaged);
            }
        }
        Ok((Self::new(&shares, log), bits.rest()?))
    }

    /// The table of these shares of the states; -1 stands for one state that comes last. They add up to all states.
    pub(super) fn new(shares: &[i16], log: u32) -> Self {
        let size = 1usize << log;
        let mut states = vec![State::default(); size];
        let mut last = size;
        for (symbol, _) in shares.iter().enumerate().filter(|(_, share)| **share < 0) {
            last -= 1;
            states[last].symbol = symbol as u8;
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut place = 0;
        for (symbol, &share) in shares.iter().enumerate() {
            for _ in 0..share.max(0) {
                states[place].symbol = symbol as u8;
                place = (place + step) & (size - 1);
                while place >= last {
                    place = (place + step) & (size - 1);
                }
            }
        }
        let mut met: Vec<u16> = shares.iter().map(|share| share.unsigned_abs()).collect();
        for state in &mut states {
            let met = &mut met[usize::from(state.symbol)];
            let bits = log - met.ilog2();
            (state.bits, state.base) = (bits as u8, ((usize::from(*met) << bits) - size) as u16);
            *met += 1;
        }
        Self { states, log }
    }

    /// The table of one symbol.
    pub(super) fn one(symbol: u8) -> Self {
        Self { states: vec![State { symbol, bits: 0, base: 0 }], log: 0 }
    }

    /// The state of a number. Every number that a state of this table leads to has one.
    #[inline]
    pub(super) fn state(&self, number: usize) -> State {
        self.states[number]
    }
}

/// One more than the share of the next symbol, which is at most what is left. Small numbers take a bit less.
fn share(bits: &mut Forwards<'_>, left: u32) -> u32 {
    let width = (left + 1).ilog2() + 1;
    let short = (1 << width) - 2 - left;
    let low = bits.peek(width - 1);
    if low < short {
        bits.skip(width - 1);
        return low;
    }
    let value = bits.take(width);
    if value >= 1 << (width - 1) { value - short } else { value }
}
