//! Decimals as the server sends them.

/// The text of a decimal: digits in groups of four, of which `weight + 1` stand before the point. Nothing if it is no
/// number, and an error if the bytes are no decimal.
pub(super) fn decimal(bytes: &[u8]) -> Result<Option<String>, Malformed> {
    let (head, groups) = bytes.split_first_chunk::<8>().ok_or(Malformed)?;
    let [a, b, c, d, e, f, _, _] = *head;
    let (count, weight) = (u16::from_be_bytes([a, b]), i16::from_be_bytes([c, d]));
    let (groups, rest) = groups.as_chunks::<2>();
    if groups.len() != usize::from(count) || !rest.is_empty() {
        return Err(Malformed);
    }
    let sign = match u16::from_be_bytes([e, f]) {
        POSITIVE => "",
        NEGATIVE => "-",
        // Not a number, and the two infinities.
        0xC000 | 0xD000 | 0xF000 => return Ok(None),
        _ => return Err(Malformed),
    };
    let mut digits = String::with_capacity(groups.len() * 4);
    for group in groups {
        match u16::from_be_bytes(*group) {
            group @ 0..10_000 => digits.push_str(&format!("{group:04}")),
            _ => return Err(Malformed),
        }
    }
    // Each group is worth 10^4 times the next.
    let exponent = 4 * (i64::from(weight) + 1 - i64::from(count));
    Ok(Some(if digits.is_empty() { "0".into() } else { format!("{sign}{digits}e{exponent}") }))
}

/// The digits of a whole number, without zeros before them; nothing if it is none.
pub(super) fn whole(text: &str) -> Option<String> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let exponent: i32 = exponent.parse().ok()?;
    let zeros = usize::try_from(exponent.max(0)).ok()?;
    let behind = usize::try_from(exponent.min(0).unsigned_abs()).ok()?;
    let (before, fraction) = digits.split_at(digits.len().saturating_sub(behind));
    if fraction.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let before = before.trim_start_matches('0');
    let zeros = "0".repeat(zeros);
    Some(if before.is_empty() { "0".into() } else { format!("{sign}{before}{zeros}") })
}

/// The bytes are no decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

const POSITIVE: u16 = 0;
const NEGATIVE: u16 = 0x4000;

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(weight: i16, sign: u16, groups: &[u16]) -> Vec<u8> {
        let head = [groups.len() as u16, weight as u16, sign, 0];
        head.iter().chain(groups).flat_map(|word| word.to_be_bytes()).collect()
    }

    /// What `numeric_send` of PostgreSQL 15 gives for these numbers.
    #[test]
    fn decimals_are_exact() {
        let table: [(Vec<u8>, &str, Option<&str>); 8] = [
            (sent(0, 0, &[]), "0", Some("0")),
            (sent(0, 0, &[7]), "0007e0", Some("7")),
            (sent(0, 0x4000, &[1, 5000]), "-00015000e-4", None),
            (sent(-1, 0, &[25]), "0025e-4", None),
            (sent(1, 0, &[1]), "0001e4", Some("10000")),
            (sent(1, 0x4000, &[12, 345]), "-00120345e0", Some("-120345")),
            (sent(-2, 0, &[1]), "0001e-8", None),
            (sent(0, 0, &[12, 0]), "00120000e-4", Some("12")),
        ];
        for (bytes, text, digits) in table {
            assert_eq!(decimal(&bytes), Ok(Some(text.to_owned())));
            assert_eq!(whole(text).as_deref(), digits, "{text}");
        }
    }

    #[test]
    fn what_is_no_number() {
        for sign in [0xC000, 0xD000, 0xF000] {
            assert_eq!(decimal(&sent(0, sign, &[])), Ok(None));
        }
        let mut long = sent(0, 0, &[7]);
        long.push(0);
        for bytes in [vec![], vec![0; 7], sent(0, 0x1234, &[]), sent(0, 0, &[10_000]), long] {
            assert_eq!(decimal(&bytes), Err(Malformed), "{bytes:?}");
        }
    }
}
