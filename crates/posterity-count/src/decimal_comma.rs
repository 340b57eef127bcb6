//! Numbers that are written with a decimal comma.

/// A number with a decimal comma, such as 12,5 or 1.234,50, as it is written with a point.
///
/// ```
/// use posterity_count::point_for_comma;
/// assert_eq!(point_for_comma(b"1.234,50").as_deref(), Some("1234.50"));
/// assert_eq!((point_for_comma(b"1,2,3"), point_for_comma(b"12.5"), point_for_comma(b",")), (None, None, None));
/// ```
#[must_use]
pub fn point_for_comma(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (whole, fraction) = text.split_once(',')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (sign, unsigned) = match whole.strip_prefix(['-', '+']) {
        Some(rest) => (&whole[..1], rest),
        None => ("", whole),
    };
    let mut groups = unsigned.split('.');
    let first = groups.next().unwrap_or_default();
    let is_grouped = groups.all(|group| group.len() == 3 && digits(group));
    let is_number = digits(first) && is_grouped && digits(fraction);
    is_number.then(|| format!("{}{}.{fraction}", sign.replace('+', ""), unsigned.replace('.', "")))
}
