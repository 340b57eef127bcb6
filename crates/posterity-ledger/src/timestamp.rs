//! When an entry was made.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// A time in UTC as RFC 3339 writes it: `2026-01-31T23:59:59Z`, with at most nine digits after the second.
///
/// The ledger stores it and never compares it: entries are ordered by their sequence numbers, and clocks may go back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    text: String,
}

/// Why something is not a time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the time is {text:?}; write it in UTC as 2026-01-31T23:59:59Z")]
pub struct TimestampError {
    text: String,
}

impl Timestamp {
    /// The last second that four digits of a year can write.
    const LAST_SECOND: u64 = 253_402_300_799;

    /// This many seconds after the start of 1970, without leap seconds, or the end of 9999 if that is earlier.
    #[must_use]
    pub fn from_unix_seconds(seconds: u64) -> Self {
        let seconds = seconds.min(Self::LAST_SECOND);
        let (mut days, second) = (seconds / 86_400, seconds % 86_400);
        // At most 8,030 years: walking over them needs no calendar formula.
        let mut year = 1970;
        while days >= days_in_year(year) {
            days -= days_in_year(year);
            year += 1;
        }
        let mut month = 1;
        while days >= days_in_month(year, month) {
            days -= days_in_month(year, month);
            month += 1;
        }
        let (hour, minute) = (second / 3600, second / 60 % 60);
        Self {
            text: format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{:02}Z", days + 1, second % 60),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if is_time(text) {
            Ok(Self { text: text.to_owned() })
        } else {
            Err(TimestampError { text: text.chars().take(40).collect() })
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in_year(year: u64) -> u64 {
    365 + u64::from(is_leap(year))
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_time(text: &str) -> bool {
    let Some((shape, rest)) = text.split_at_checked(19) else { return false };
    let punctuation = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let shaped =
        shape.bytes().enumerate().all(|(i, byte)| match punctuation.iter().find(|(at, _)| *at == i) {
            Some((_, mark)) => byte == *mark,
            None => byte.is_ascii_digit(),
        });
    if !shaped {
        return false;
    }
    let number = |from: usize, to: usize| shape[from..to].parse::<u64>().unwrap_or(u64::MAX);
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let fraction_is_fine = match rest.strip_suffix('Z') {
        Some("") => true,
        Some(fraction) => fraction.strip_prefix('.').is_some_and(|digits| {
            (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        }),
        None => false,
    };
    fraction_is_fine
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && number(11, 13) < 24
        && number(14, 16) < 60
        && number(17, 19) < 60
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Golden values: GNU date, `date -u -d @SECONDS +%FT%TZ`.
    #[test]
    fn golden() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::from_unix_seconds(seconds).as_str(), text);
            assert_eq!(text.parse(), Ok(Timestamp::from_unix_seconds(seconds)));
        }
    }

    #[test]
    fn accepts_fractions() {
        for text in ["2026-01-31T23:59:59.5Z", "2026-01-31T23:59:59.123456789Z"] {
            assert_eq!(text.parse::<Timestamp>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn rejects() {
        for text in [
            "",
            "now",
            "2026-01-31",
            "2026-01-31T23:59:59",
            "2026-01-31T23:59:59+00:00",
            "2026-01-31 23:59:59Z",
            "2026-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00ZZ",
            "2026-01-01T00:00:0éZ",
            "+026-01-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError { text: text.to_owned() }), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_formatted_is_accepted_and_ordered(a in 0..253_402_300_799_u64, step in 1..1_000_000_u64) {
            let (earlier, later) = (Timestamp::from_unix_seconds(a), Timestamp::from_unix_seconds(a + step));
            prop_assert_eq!(earlier.as_str().parse::<Timestamp>(), Ok(earlier.clone()));
            prop_assert!(earlier.as_str() < later.as_str() || a + step > Timestamp::LAST_SECOND);
        }
    }
}
