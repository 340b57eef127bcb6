//! The plain encoding: values one after the other.

use crate::column::{Store, Strings};
use crate::flaw::Flaw;

use super::schema::{Leaf, Physical, Shape};

/// The day from which INT96 counts, as days before 1970-01-01: the Julian day 0.
const JULIAN: i64 = 2_440_588;
const NANOSECONDS: i64 = 86_400_000_000_000;

/// Reads values of whole bytes from `at` to at most the end of the bytes. The memory of an older store is used again.
/// What strings take is held before they are read.
pub(super) fn read(
    leaf: &Leaf,
    bytes: &[u8],
    at: &mut usize,
    count: usize,
    old: Store,
    hold: &mut dyn FnMut(usize) -> Result<(), Flaw>,
) -> Result<Store, Flaw> {
    let Some(width) = leaf.physical.width() else {
        if leaf.physical == Physical::Boolean {
            return if count == 0 { Ok(Store::Booleans(Vec::new())) } else { Err(Flaw::Damaged) };
        }
        return strings(leaf, lengths_and_bytes(bytes, at, count, old, hold)?);
    };
    let to = count.checked_mul(width).and_then(|size| at.checked_add(size)).ok_or(Flaw::Damaged)?;
    let values = bytes.get(*at..to).ok_or(Flaw::Damaged)?;
    *at = to;
    if let Physical::Fixed(_) = leaf.physical {
        hold(values.len())?;
    }
    fixed(leaf, width, values, old)
}

/// How many whole strings, this many at most, the bytes begin with, and how many bytes these take.
pub(super) fn whole(bytes: &[u8], most: usize) -> (usize, usize) {
    let (mut count, mut end) = (0, 0);
    while count < most
        && let Ok(length) = length(bytes, end, bytes.len())
    {
        count += 1;
        end += 4 + length;
    }
    (count, end)
}

/// The length that bytes begin with, whatever follows.
pub(super) fn stated(bytes: &[u8]) -> Result<usize, Flaw> {
    let length = bytes.first_chunk::<4>().ok_or(Flaw::Damaged)?;
    usize::try_from(u32::from_le_bytes(*length)).map_err(|_| Flaw::Damaged)
}

/// The length that stands before bytes which end before `end`.
pub(super) fn length(bytes: &[u8], at: usize, end: usize) -> Result<usize, Flaw> {
    let length = stated(bytes.get(at..end).ok_or(Flaw::Damaged)?)?;
    if length > end - at - 4 { Err(Flaw::Damaged) } else { Ok(length) }
}

/// Whole numbers of 32 or 64 bits.
pub(super) fn integers(leaf: &Leaf, mut numbers: Vec<i64>) -> Result<Store, Flaw> {
    if leaf.physical == Physical::Int32 {
        for number in &mut numbers {
            *number = i64::from(*number as i32);
        }
    }
    Ok(match leaf.shape {
        Shape::Integer => Store::Integers(numbers),
        Shape::Unsigned if leaf.physical == Physical::Int32 => {
            Store::Unsigned(numbers.into_iter().map(|number| u64::from(number as u32)).collect())
        }
        Shape::Unsigned => Store::Unsigned(numbers.into_iter().map(i64::cast_unsigned).collect()),
        Shape::Day => Store::Days(numbers.into_iter().map(|number| number as i32).collect()),
        Shape::Instant { per_second } => Store::Instants { ticks: numbers, per_second },
        Shape::Decimal { scale } => {
            Store::Decimals { mantissas: numbers.into_iter().map(i128::from).collect(), scale }
        }
        _ => return Err(Flaw::Damaged),
    })
}

/// Strings of bytes, which may be text or the digits of decimals.
pub(super) fn strings(leaf: &Leaf, strings: Strings) -> Result<Store, Flaw> {
    if let Physical::Fixed(width) = leaf.physical {
        let mut start = 0;
        for end in &strings.ends {
            if end - start != width {
                return Err(Flaw::Damaged);
            }
            start = *end;
        }
        if leaf.shape != Shape::Bytes {
            return fixed(leaf, width, &strings.bytes, Store::Missing(0));
        }
    }
    match leaf.shape {
        Shape::Text | Shape::TextOrBytes if is_text(&strings) => Ok(Store::Text(strings)),
        Shape::Text => Err(Flaw::NotUtf8),
        Shape::Bytes => Ok(Store::Bytes(strings)),
        Shape::BytesOrText | Shape::TextOrBytes => Ok(Store::BytesOrText(strings)),
        Shape::Decimal { scale } => {
            let mantissas = (0..strings.ends.len()).map(|index| big_endian(strings.get(index)));
            Ok(Store::Decimals { mantissas: mantissas.collect::<Option<_>>().ok_or(Flaw::Damaged)?, scale })
        }
        _ => Err(Flaw::Damaged),
    }
}

/// Values of one width.
fn fixed(leaf: &Leaf, width: usize, bytes: &[u8], old: Store) -> Result<Store, Flaw> {
    let fours = bytes.as_chunks::<4>().0.iter();
    let eights = bytes.as_chunks::<8>().0.iter();
    Ok(match (leaf.physical, leaf.shape) {
        (Physical::Int32, Shape::Integer) => {
            Store::Integers(collect(old_integers(old), fours.map(|v| i64::from(i32::from_le_bytes(*v)))))
        }
        (Physical::Int32, Shape::Unsigned) => {
            let old = if let Store::Unsigned(old) = old { old } else { Vec::new() };
            Store::Unsigned(collect(old, fours.map(|v| u64::from(u32::from_le_bytes(*v)))))
        }
        (Physical::Int32, Shape::Day) => {
            let old = if let Store::Days(old) = old { old } else { Vec::new() };
            Store::Days(collect(old, fours.map(|v| i32::from_le_bytes(*v))))
        }
        (Physical::Int32, Shape::Decimal { scale }) => Store::Decimals {
            mantissas: collect(old_decimals(old), fours.map(|v| i128::from(i32::from_le_bytes(*v)))),
            scale,
        },
        (Physical::Int64, Shape::Integer) => {
            Store::Integers(collect(old_integers(old), eights.map(|v| i64::from_le_bytes(*v))))
        }
        (Physical::Int64, Shape::Unsigned) => {
            let old = if let Store::Unsigned(old) = old { old } else { Vec::new() };
            Store::Unsigned(collect(old, eights.map(|v| u64::from_le_bytes(*v))))
        }
        (Physical::Int64, Shape::Instant { per_second }) => Store::Instants {
            ticks: collect(old_integers(old), eights.map(|v| i64::from_le_bytes(*v))),
            per_second,
        },
        (Physical::Int64, Shape::Decimal { scale }) => Store::Decimals {
            mantissas: collect(old_decimals(old), eights.map(|v| i128::from(i64::from_le_bytes(*v)))),
            scale,
        },
        (Physical::Int96, Shape::Instant { per_second }) => {
            let ticks = bytes.as_chunks::<12>().0.iter().map(julian).collect::<Option<Vec<_>>>();
            let ticks = ticks.ok_or(Flaw::Unsupported("moments that nanoseconds in 64 bits cannot tell"))?;
            Store::Instants { ticks, per_second }
        }
        (Physical::Float, Shape::Single) => {
            let old = if let Store::Singles(old) = old { old } else { Vec::new() };
            Store::Singles(collect(old, fours.map(|v| f32::from_le_bytes(*v))))
        }
        (Physical::Double, Shape::Double) => {
            let old = if let Store::Doubles(old) = old { old } else { Vec::new() };
            Store::Doubles(collect(old, eights.map(|v| f64::from_le_bytes(*v))))
        }
        (Physical::Fixed(2), Shape::Half) => {
            Store::Singles(bytes.as_chunks::<2>().0.iter().map(|v| half(u16::from_le_bytes(*v))).collect())
        }
        (Physical::Fixed(_), Shape::Decimal { scale }) => {
            let mantissas = bytes.chunks_exact(width).map(big_endian).collect::<Option<_>>();
            Store::Decimals { mantissas: mantissas.ok_or(Flaw::Damaged)?, scale }
        }
        (Physical::Fixed(_), Shape::Bytes) => {
            let ends = (1..=bytes.len() / width).map(|index| index * width).collect();
            Store::Bytes(Strings { bytes: bytes.to_vec(), ends })
        }
        _ => return Err(Flaw::Damaged),
    })
}

/// Fills a vector anew, in the memory it has.
fn collect<T>(mut old: Vec<T>, values: impl Iterator<Item = T>) -> Vec<T> {
    old.clear();
    old.extend(values);
    old
}

fn old_integers(old: Store) -> Vec<i64> {
    match old {
        Store::Integers(old) | Store::Instants { ticks: old, .. } => old,
        _ => Vec::new(),
    }
}

fn old_decimals(old: Store) -> Vec<i128> {
    if let Store::Decimals { mantissas, .. } = old { mantissas } else { Vec::new() }
}

/// Strings, each after its length.
fn lengths_and_bytes(
    bytes: &[u8],
    at: &mut usize,
    count: usize,
    old: Store,
    hold: &mut dyn FnMut(usize) -> Result<(), Flaw>,
) -> Result<Strings, Flaw> {
    let left = bytes.len().checked_sub(*at).ok_or(Flaw::Damaged)?;
    // Every length takes four bytes, so that the count is bounded by the bytes.
    if count.checked_mul(4).is_none_or(|lengths| lengths > left) {
        return Err(Flaw::Damaged);
    }
    let (start, mut end, mut total) = (*at, *at, 0);
    let mut strings = match old {
        Store::Text(old) | Store::Bytes(old) | Store::BytesOrText(old) => old,
        _ => Strings::default(),
    };
    strings.ends.clear();
    strings.ends.reserve(count);
    for _ in 0..count {
        let length = length(bytes, end, bytes.len())?;
        total += length;
        end += 4 + length;
        strings.ends.push(total);
    }
    *at = end;
    hold(total + SHORT)?;
    let room = total + SHORT;
    strings.bytes.reserve_exact(room.saturating_sub(strings.bytes.len()));
    strings.bytes.resize(room, 0);
    let (mut from, mut before) = (start + 4, 0);
    for string_end in &strings.ends {
        let length = string_end - before;
        let (source, target) = (&bytes[from..], &mut strings.bytes[before..]);
        match (source.first_chunk::<SHORT>(), target.first_chunk_mut::<SHORT>()) {
            // The next string overwrites what is too much. As one number it is not copied by a call.
            (Some(source), Some(target)) if length <= SHORT => {
                *target = u128::from_ne_bytes(*source).to_ne_bytes();
            }
            _ => target[..length].copy_from_slice(&source[..length]),
        }
        from += length + 4;
        before = *string_end;
    }
    strings.bytes.truncate(total);
    Ok(strings)
}

/// How many bytes of a string are copied at once. As most strings are short, it takes less time to copy some too many
/// than to look how many there are.
const SHORT: usize = 16;

/// Whether every string is UTF-8: all together are, and none ends within a character.
fn is_text(strings: &Strings) -> bool {
    std::str::from_utf8(&strings.bytes)
        .is_ok_and(|text| text.is_ascii() || strings.ends.iter().all(|end| text.is_char_boundary(*end)))
}

/// A whole number of two's complement, the highest byte first. None if it has no bytes or does not fit.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let sign = if bytes.first()? & 128 == 0 { 0 } else { 255 };
    let (extra, low) = bytes.split_at(bytes.len().saturating_sub(16));
    let mut number = [sign; 16];
    number[16 - low.len()..].copy_from_slice(low);
    let fits = extra.iter().all(|byte| *byte == sign) && number[0] & 128 == sign & 128;
    fits.then(|| i128::from_be_bytes(number))
}

/// Nanoseconds since 1970-01-01 of the nanoseconds of a Julian day.
fn julian(bytes: &[u8; 12]) -> Option<i64> {
    let [a, b, c, d, e, f, g, h, day @ ..] = *bytes;
    let day = i64::from(i32::from_le_bytes(day)) - JULIAN;
    let since =
        i128::from(day) * i128::from(NANOSECONDS) + i128::from(i64::from_le_bytes([a, b, c, d, e, f, g, h]));
    i64::try_from(since).ok()
}

/// A floating-point number of 16 bits, all of which are among those of 32.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => {
            // Below the normal ones: a multiple of 2^-24.
            let size = fraction as f32 * f32::from_bits((127 - 24) << 23);
            f32::from_bits(size.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 255 << 23 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_endian_numbers_keep_their_sign() {
        assert_eq!(big_endian(&[0xff]), Some(-1));
        assert_eq!(big_endian(&[0x00, 0xff]), Some(255));
        assert_eq!(big_endian(&i128::MIN.to_be_bytes()), Some(i128::MIN));
        assert_eq!(big_endian(&[&[0xff; 3][..], &(-5i128).to_be_bytes()].concat()), Some(-5));
        assert_eq!(big_endian(&[&[0x00][..], &(-5i128).to_be_bytes()].concat()), None);
        assert_eq!(big_endian(&[&[0x01][..], &5i128.to_be_bytes()].concat()), None);
        assert_eq!(big_endian(&[]), None);
    }

    #[test]
    fn halves_are_exact() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2f32.powi(-24)),
            (0x03ff, 1023.0 * 2f32.powi(-24)),
            (0x0400, 2f32.powi(-14)),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:04x}");
        }
        assert!(half(0x7e00).is_nan());
        assert!(half(0x8000).is_sign_negative());
    }

    #[test]
    fn a_julian_day_is_a_moment() {
        let moment = |nanoseconds: i64, day: i32| {
            let mut bytes = [0; 12];
            bytes[..8].copy_from_slice(&nanoseconds.to_le_bytes());
            bytes[8..].copy_from_slice(&day.to_le_bytes());
            julian(&bytes)
        };
        assert_eq!(moment(5, 2_440_588), Some(5));
        assert_eq!(moment(-1, 2_440_589), Some(NANOSECONDS - 1));
        assert_eq!(moment(0, i32::MAX), None);
        assert_eq!(moment(i64::MIN, i32::MIN), None);
    }

    #[test]
    fn text_is_checked_value_by_value() {
        let mut halves = Strings::default();
        halves.push(&[0xc3]);
        halves.push(&[0xa9]);
        assert!(!is_text(&halves));
        let mut whole = Strings::default();
        whole.push("é".as_bytes());
        whole.push(b"");
        assert!(is_text(&whole));
    }
}
