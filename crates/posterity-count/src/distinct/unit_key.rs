//! The key by which the records of units are sorted.
//!
//! A key is the hash of the unit, then what the rule looks at, then the value. So the record that a rule chooses is the
//! first of its unit, and among equals it is the one whose value comes first by its bytes. By the rule `mode`, equal
//! keys are one unit's records of one value, and their number decides.

use super::merge::{Merged, STEPS};
use super::run::damaged;
use super::sorter::Sorter;
use crate::error::DataError;
use crate::unit::PerUnit;

/// The bytes of a unit's hash.
const UNIT: usize = size_of::<u128>();

/// The bytes of a rank.
const RANK: usize = size_of::<u64>();

/// What stands for a zero byte within an order, and what ends it. All bytes of an order are inverted, so that the
/// greatest comes first.
const ZERO: [u8; 2] = [!0, !1];
const END: [u8; 2] = [!0, !0];

/// What a rule looks at in a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign<'a> {
    /// Nothing but the value.
    Nothing,
    /// A random rank, the least of which is chosen.
    Rank(u64),
    /// An order, the greatest of which is chosen.
    Order(&'a [u8]),
}

/// How many bytes the keys of one entry have in common: of each unit one record is kept, but by the rule `mode` all of
/// its values.
pub(super) fn group(rule: &PerUnit) -> usize {
    if *rule == PerUnit::Mode { usize::MAX } else { UNIT }
}

/// Writes a key in place of what the vector holds.
pub(super) fn write(unit: u128, sign: Sign<'_>, value: &[u8], to: &mut Vec<u8>) {
    to.clear();
    to.extend_from_slice(&unit.to_be_bytes());
    match sign {
        Sign::Nothing => {}
        Sign::Rank(rank) => to.extend_from_slice(&rank.to_be_bytes()),
        Sign::Order(order) => {
            for &byte in order {
                if byte == 0 { to.extend(ZERO) } else { to.push(!byte) }
            }
            to.extend(END);
        }
    }
    to.extend_from_slice(value);
}

/// The value at the end of a key.
fn value<'a>(rule: &PerUnit, key: &'a [u8]) -> Option<&'a [u8]> {
    let rest = key.get(UNIT..)?;
    match rule {
        PerUnit::Random | PerUnit::All(_) => rest.get(RANK..),
        PerUnit::First | PerUnit::Mode => Some(rest),
        PerUnit::Latest(_) => after_order(rest),
    }
}

fn after_order(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let zero = rest.iter().position(|&byte| byte == END[0])?;
        let (pair, after) = rest[zero..].split_first_chunk()?;
        if *pair == END {
            return Some(after);
        }
        rest = after;
    }
}

/// Adds the value of each unit to those that are counted.
///
/// # Errors
/// [`UnitError::Temporary`](crate::UnitError::Temporary) if the system refuses a file, and what `go_on` says.
pub(super) fn choose(
    rule: &PerUnit,
    records: &mut Merged,
    values: &mut Sorter,
    go_on: &dyn Fn() -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut add = |key: &[u8]| values.add(value(rule, key).ok_or_else(damaged)?, 1);
    // The key of the unit whose records are being read, and its number.
    let mut best: (Vec<u8>, u64) = (Vec::new(), 0);
    for step in 0.. {
        if step % STEPS == 0 {
            go_on()?;
        }
        let Some((key, count)) = records.next()? else { break };
        if best.1 > 0 && !super::buffer::same(key, &best.0, UNIT) {
            add(&best.0)?;
            best.1 = 0;
        }
        // Among equal numbers the first key stays, whose value is the least.
        if count > best.1 {
            best.0.clear();
            best.0.extend_from_slice(key);
            best.1 = count;
        }
    }
    if best.1 > 0 { add(&best.0) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(unit: u128, sign: Sign<'_>, value: &[u8]) -> Vec<u8> {
        let mut key = vec![7; 3];
        write(unit, sign, value, &mut key);
        key
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0, 1, 254, 255]), 0..6)
    }

    proptest! {
        /// If this fails, a rule chooses another record than in a count of declared categories.
        #[test]
        fn keys_order_as_records_do(
            a in (0..2_u128, any::<u64>(), bytes(), bytes()),
            b in (0..2_u128, any::<u64>(), bytes(), bytes()),
        ) {
            use std::cmp::Reverse;
            let ranked = |(unit, rank, _, value): &(u128, u64, Vec<u8>, Vec<u8>)| key(*unit, Sign::Rank(*rank), value);
            prop_assert_eq!(ranked(&a).cmp(&ranked(&b)), (a.0, a.1, &a.3).cmp(&(b.0, b.1, &b.3)));
            let ordered =
                |(unit, _, order, value): &(u128, u64, Vec<u8>, Vec<u8>)| key(*unit, Sign::Order(order), value);
            prop_assert_eq!(
                ordered(&a).cmp(&ordered(&b)),
                (a.0, Reverse(&a.2), &a.3).cmp(&(b.0, Reverse(&b.2), &b.3))
            );
            let plain = |(unit, _, _, value): &(u128, u64, Vec<u8>, Vec<u8>)| key(*unit, Sign::Nothing, value);
            prop_assert_eq!(plain(&a).cmp(&plain(&b)), (a.0, &a.3).cmp(&(b.0, &b.3)));
            let rules = [PerUnit::Random, PerUnit::Latest("t".into()), PerUnit::Mode];
            for (rule, key) in rules.iter().zip([ranked(&a), ordered(&a), plain(&a)]) {
                prop_assert_eq!(value(rule, &key), Some(a.3.as_slice()));
            }
        }
    }
}
