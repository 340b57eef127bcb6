//! Text in single quotes.

/// Text of the filter, with what it would be if it had no quotes.
///
/// Whoever writes `'30'` or `'2020-10-1'` may mean a number or a day, and a file may hold either as text. So the parser
/// refuses such text where the two readings differ, and what it lets pass means the same in both.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quoted {
    text: String,
    number: Option<Number>,
}

impl Quoted {
    pub(crate) fn new(text: String) -> Self {
        let number = Number::parse(text.as_bytes());
        Self { text, number }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number that stands between the quotes.
    pub(crate) fn number(&self) -> Option<&Number> {
        self.number.as_ref()
    }

    /// Whether the number that stands between the quotes is written otherwise than numbers print: `'01234'`, `'1.50'`,
    /// `'1e3'`. Then it is more likely a code.
    pub(super) fn is_code(&self) -> bool {
        self.number.as_ref().is_some_and(|number| number.to_string() != self.text)
    }
}

/// Whether a text could be meant as a day or a moment, in the order of any country: a year of four digits, a month and
/// a day, with `-`, `/` or `.` between them, and perhaps a time of day.
///
/// All text that [`Moment::parse`](super::Moment::parse) reads is among it.
pub(super) fn looks_like_date(text: &str) -> bool {
    let text = text.trim();
    let Some(separator) = text.chars().find(|character| !character.is_ascii_digit()) else { return false };
    if !matches!(separator, '-' | '/' | '.') {
        return false;
    }
    let end = text.find(['T', 't', ' ']).unwrap_or(text.len());
    let (day, time) = text.split_at(end);
    let is_time = time.is_empty() || time[1..].trim_start().starts_with(|first: char| first.is_ascii_digit());
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part.len());
    let lengths: Option<Vec<usize>> = day.split(separator).map(digits).collect();
    is_time && matches!(lengths.as_deref(), Some([4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4]))
}

/// Whether a text is written as numbers never print: with a plus, or zeros before the first digit.
pub(super) fn is_padded(text: &[u8]) -> bool {
    match text.strip_prefix(b"-").unwrap_or(text) {
        [b'+', ..] => true,
        [b'0', next, ..] => next.is_ascii_digit(),
        _ => false,
    }
}

use posterity_formats::Number;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_recognised_however_they_are_written() {
        for text in [
            "2020-10-01",
            "2020-10-1",
            "2020-1-1",
            "2020/10/01",
            "01.10.2020",
            "1/10/2020",
            "2020-01-01T00:00:00",
            "2020-01-01 00:00",
            "2020-01-01t0",
            " 2020-01-01 ",
            "2020-13-45",
            "31-12-1999 23:59:59Z",
        ] {
            assert!(looks_like_date(text), "{text}");
        }
        for text in [
            "",
            "2020",
            "20201001",
            "2020-10",
            "2020-10-",
            "2020-10-01x",
            "2020-10-01 visit",
            "2020-10/01",
            "192.168.1.1",
            "1.2.3",
            "12-34-56",
            "020-10-01",
            "day 2020-10-01",
            "-2020-10-01",
            "2020-100-1",
            "12:30:00",
        ] {
            assert!(!looks_like_date(text), "{text}");
        }
    }

    #[test]
    fn numbers_and_codes() {
        let table = [("30", true, false), ("-1.5", true, false), ("0", true, false), ("0.5", true, false)];
        let codes = ["01234", "1.50", "1e3", "+5", ".5", "5.", "-0", "00"].map(|text| (text, true, true));
        let texts = ["", "abc", "1,5", " 30", "0x10", "1e1000"].map(|text| (text, false, false));
        for (text, number, code) in table.into_iter().chain(codes).chain(texts) {
            let quoted = Quoted::new(text.into());
            assert_eq!((quoted.number().is_some(), quoted.is_code()), (number, code), "{text:?}");
        }
        for (text, padded) in [
            ("01", true),
            ("-007", true),
            ("+5", true),
            ("00.5", true),
            ("0", false),
            ("-0", false),
            ("0.5", false),
            ("1.50", false),
            (".5", false),
            ("10", false),
            ("", false),
        ] {
            assert_eq!(is_padded(text.as_bytes()), padded, "{text:?}");
        }
    }
}
