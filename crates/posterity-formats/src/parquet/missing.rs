//! Moving values to their rows, between missing ones.

use crate::column::{MISSING, Store, Strings};

/// Moves values to the rows that have one. There are as many values as such rows.
pub(super) fn spread(store: &mut Store, valid: &[bool]) {
    match store {
        Store::Missing(count) | Store::Strange(count) => *count = valid.len(),
        Store::Booleans(values) => spread_values(values, valid, false),
        Store::Integers(values) => spread_values(values, valid, 0),
        Store::Unsigned(values) => spread_values(values, valid, 0),
        Store::Decimals { mantissas, .. } => spread_values(mantissas, valid, 0),
        Store::Singles(values) => spread_values(values, valid, 0.0),
        Store::Doubles(values) => spread_values(values, valid, 0.0),
        Store::Days(values) => spread_values(values, valid, 0),
        Store::Instants { ticks, .. } => spread_values(ticks, valid, 0),
        Store::Text(strings) | Store::Bytes(strings) | Store::BytesOrText(strings) => {
            spread_strings(strings, valid)
        }
    }
}

/// Moves keys to the rows that have one: `present` of them stand at the front.
pub(super) fn spread_keys(keys: &mut [u32], present: usize, valid: &[bool]) {
    let mut next = present;
    // There are no branches, because the processor could not predict them.
    for (row, valid) in valid.iter().enumerate().rev() {
        next -= usize::from(*valid);
        keys[row] = if *valid { keys[next] } else { MISSING };
    }
}

/// From the last row to the first, so that no value is overwritten before it has been moved.
fn spread_values<T: Copy>(values: &mut Vec<T>, valid: &[bool], filler: T) {
    let mut next = values.len();
    values.resize(valid.len(), filler);
    for (row, valid) in valid.iter().enumerate().rev() {
        // What stands for a missing value does not matter: a copy needs no branch.
        next -= usize::from(*valid);
        values[row] = values[next];
    }
}

/// A missing string ends where it begins.
fn spread_strings(strings: &mut Strings, valid: &[bool]) {
    let ends = &mut strings.ends;
    let mut next = ends.len();
    ends.resize(valid.len(), 0);
    for (row, valid) in valid.iter().enumerate().rev() {
        if *valid {
            next -= 1;
            ends[row] = ends[next];
        } else {
            ends[row] = if next == 0 { 0 } else { ends[next - 1] };
        }
    }
}
