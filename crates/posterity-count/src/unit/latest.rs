//! The table of the rule `latest`.

use std::collections::hash_map::Entry;

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::order::Order;
use super::table::{UnitTable, take};

/// The greatest order of each unit, and the least cell that comes with it.
pub(super) struct Latest {
    entries: KeyMap<Key, Last>,
    /// What the orders take of the memory beyond the map.
    orders: usize,
}

struct Last {
    order: Order,
    cell: u32,
}

/// A record with its order.
#[derive(Clone, Copy)]
pub(super) struct Ordered<'a> {
    pub(super) unit: u128,
    pub(super) order: &'a [u8],
    pub(super) cell: u32,
}

/// The bytes that are written of an entry besides its order: its hash, its cell and the length.
const FIXED: u64 = 16 + 4 + 2;

impl UnitTable for Latest {
    type Rule = ();
    type Row<'a> = Ordered<'a>;
    type Chosen = u32;

    fn with_room((): (), entries: usize) -> Self {
        Self { entries: KeyMap::with_capacity_and_hasher(entries, Default::default()), orders: 0 }
    }

    fn unit(row: Ordered<'_>) -> u128 {
        row.unit
    }

    fn keep(&mut self, row: Ordered<'_>) {
        match self.entries.entry(Key::new(row.unit)) {
            Entry::Vacant(vacant) => {
                let order = Order::new(row.order);
                self.orders += order.allocated();
                vacant.insert(Last { order, cell: row.cell });
            }
            Entry::Occupied(mut occupied) => {
                let last = occupied.get_mut();
                match row.order.cmp(last.order.bytes()) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => last.cell = last.cell.min(row.cell),
                    std::cmp::Ordering::Greater => {
                        self.orders -= last.order.allocated();
                        *last = Last { order: Order::new(row.order), cell: row.cell };
                        self.orders += last.order.allocated();
                    }
                }
            }
        }
    }

    fn is_full(&mut self, bytes: usize) -> bool {
        self.entries.len() >= most_entries::<Key, Last>(bytes.saturating_sub(self.orders))
    }

    fn drain(&mut self, mut each: impl FnMut(Ordered<'_>) -> Result<(), UnitError>) -> Result<(), UnitError> {
        self.orders = 0;
        self.entries.drain().try_for_each(|(key, last)| {
            each(Ordered { unit: key.unit(), order: last.order.bytes(), cell: last.cell })
        })
    }

    fn fits(entries: u64, written: u64, bytes: usize) -> bool {
        // Orders that are allocated are so long that they take at most twice their length.
        let orders = 2 * written.saturating_sub(entries * FIXED);
        entries <= most_entries::<Key, Last>(bytes.saturating_sub(orders as usize)) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&u32)) {
        self.entries.values().for_each(|last| each(&last.cell));
    }

    fn write(row: Ordered<'_>, to: &mut Vec<u8>) {
        to.extend_from_slice(&row.unit.to_le_bytes());
        to.extend_from_slice(&row.cell.to_le_bytes());
        // Orders of more bytes are refused when they come in.
        to.extend_from_slice(&(row.order.len() as u16).to_le_bytes());
        to.extend_from_slice(row.order);
    }

    fn read<'a>(from: &mut &'a [u8]) -> Option<Ordered<'a>> {
        let unit = u128::from_le_bytes(take(from)?);
        let cell = u32::from_le_bytes(take(from)?);
        let length = u16::from_le_bytes(take(from)?);
        let (order, rest) = from.split_at_checked(usize::from(length))?;
        *from = rest;
        Some(Ordered { unit, order, cell })
    }
}
