//! Numbers of a fixed width, little end first.

use super::form::{Form, Whole};
use crate::column::Store;
use crate::flaw::Flaw;

/// The values of a form that has this many bytes for each, or nothing if it is another form.
pub(super) fn numbers(form: &Form, bytes: &[u8], valid: Option<&[bool]>) -> Result<Option<Store>, Flaw> {
    Ok(Some(match *form {
        Form::Whole(Whole { bytes: width, signed: true }) => Store::Integers(signed(bytes, width)),
        Form::Whole(Whole { bytes: width, signed: false }) => Store::Unsigned(unsigned(bytes, width)),
        Form::Float { bytes: 2 } => Store::Singles(each(bytes, |value| half(u16::from_le_bytes(value)))),
        Form::Float { bytes: 4 } => Store::Singles(each(bytes, f32::from_le_bytes)),
        Form::Float { .. } => Store::Doubles(each(bytes, f64::from_le_bytes)),
        Form::Decimal { bytes: width, scale } => {
            Store::Decimals { mantissas: mantissas(bytes, width, valid)?, scale }
        }
        Form::Day => Store::Days(each(bytes, i32::from_le_bytes)),
        Form::Instant { per_second } => {
            Store::Instants { ticks: each(bytes, i64::from_le_bytes), per_second }
        }
        _ => return Ok(None),
    }))
}

/// Whole numbers without a sign, of 1, 2, 4 or 8 bytes.
pub(super) fn unsigned(bytes: &[u8], width: usize) -> Vec<u64> {
    match width {
        1 => each(bytes, |value| u64::from(u8::from_le_bytes(value))),
        2 => each(bytes, |value| u64::from(u16::from_le_bytes(value))),
        4 => each(bytes, |value| u64::from(u32::from_le_bytes(value))),
        _ => each(bytes, u64::from_le_bytes),
    }
}

/// Whole numbers with a sign, of 1, 2, 4 or 8 bytes.
pub(super) fn signed(bytes: &[u8], width: usize) -> Vec<i64> {
    match width {
        1 => each(bytes, |value| i64::from(i8::from_le_bytes(value))),
        2 => each(bytes, |value| i64::from(i16::from_le_bytes(value))),
        4 => each(bytes, |value| i64::from(i32::from_le_bytes(value))),
        _ => each(bytes, i64::from_le_bytes),
    }
}

/// The digits of decimals. Those of 32 bytes must fit into 16, unless they stand for a missing value.
fn mantissas(bytes: &[u8], width: usize, valid: Option<&[bool]>) -> Result<Vec<i128>, Flaw> {
    match width {
        4 | 8 => return Ok(signed(bytes, width).into_iter().map(i128::from).collect()),
        16 => return Ok(each(bytes, i128::from_le_bytes)),
        _ => {}
    }
    let parts = each(bytes, |value: [u8; 32]| {
        let (low, high) = value.split_at(16);
        let part = |half: &[u8]| half.iter().rev().fold(0i128, |sum, &byte| sum << 8 | i128::from(byte));
        (part(low), part(high))
    });
    let fits = |(row, &(low, high)): (usize, &(i128, i128))| {
        high == low >> 127 || valid.is_some_and(|valid| !valid[row])
    };
    if parts.iter().enumerate().all(fits) {
        Ok(parts.into_iter().map(|(low, _)| low).collect())
    } else {
        Err(Flaw::Unsupported("decimals of more than 38 digits"))
    }
}

/// A floating-point number of 16 bits.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    match exponent {
        // Zeros and subnormal numbers are multiples of 2^-24.
        0 => {
            let size = fraction as f32 / (1 << 24) as f32;
            if sign == 0 { size } else { -size }
        }
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

fn each<const N: usize, T>(bytes: &[u8], convert: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|&bytes| convert(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_exact() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (half(bits), half::f16::from_bits(bits).to_f32());
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{bits:#x}");
        }
    }

    #[test]
    fn wide_decimals_fit_or_are_refused() {
        let wide = |low: i128, high: i128| [low.to_le_bytes(), high.to_le_bytes()].concat();
        for value in [0, 1, -1, i128::MAX, i128::MIN] {
            assert_eq!(mantissas(&wide(value, value >> 127), 32, None).ok(), Some(vec![value]));
            assert!(mantissas(&wide(value, (value >> 127) ^ 1), 32, None).is_err());
            assert!(mantissas(&wide(value, 5), 32, Some(&[false])).is_ok());
        }
    }
}
