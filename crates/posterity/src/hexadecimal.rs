//! Bytes as hexadecimal digits.

/// Two digits for each byte, in lower case.
///
/// ```
/// assert_eq!(posterity::hexadecimal::hex(&[0, 10, 255]), "000aff");
/// ```
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// This many bytes in hexadecimal digits, and nothing else.
pub(crate) fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
        assert_eq!(bytes("000aff"), Some([0, 10, 255]));
        for text in ["", "000af", "000aff0", "000agg", "00é0a"] {
            assert_eq!(bytes::<3>(text), None, "{text}");
        }
    }
}
