//! Days and moments, on one line of time.

const DAY: i64 = 86_400;

const NANOSECONDS: u32 = 1_000_000_000;

/// The length of `YYYY-MM-DD`.
const DATE: usize = 10;

/// A point in time. A day is its first moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    seconds: i64,
    nanoseconds: u32,
}

impl Moment {
    /// The moment that a value is, if it is one.
    pub(crate) fn of(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Day(day) => Some(Self { seconds: i64::from(day) * DAY, nanoseconds: 0 }),
            Value::Instant { ticks, per_second } => {
                if NANOSECONDS.checked_rem(per_second) != Some(0) {
                    return None;
                }
                let rest = u32::try_from(ticks.rem_euclid(per_second.into())).ok()?;
                let nanoseconds = rest * (NANOSECONDS / per_second);
                Some(Self { seconds: ticks.div_euclid(per_second.into()), nanoseconds })
            }
            _ => None,
        }
    }

    /// Reads `YYYY-MM-DD`, which is a day, and `YYYY-MM-DD HH:MM:SS`, with up to nine digits of a fraction, with `T`
    /// instead of the blank, and with `Z` or an offset such as `+01:00` behind it.
    ///
    /// `None` for anything else, and for days and times that do not exist. Without an offset the moment is taken as one
    /// of UTC, as it is in columns of that type.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let (date, rest) = text.split_at_checked(DATE)?;
        let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = date else { return None };
        let year = number(&[*y0, *y1, *y2, *y3])?;
        let day = day(year, number(&[*m0, *m1])?, number(&[*d0, *d1])?)?;
        let start = Self { seconds: day * DAY, nanoseconds: 0 };
        match rest.split_first() {
            None => Some(start),
            Some((b'T' | b' ', time)) => start.at(time),
            Some(_) => None,
        }
    }

    /// Whether a text that is a moment is a day.
    pub(crate) fn is_date(text: &[u8]) -> bool {
        text.len() == DATE
    }

    /// This day at a time of day, `HH:MM:SS` with what may follow it.
    fn at(self, time: &[u8]) -> Option<Self> {
        let (clock, rest) = time.split_at_checked(8)?;
        let [h0, h1, b':', m0, m1, b':', s0, s1] = clock else { return None };
        let (hours, minutes, seconds) = (number(&[*h0, *h1])?, number(&[*m0, *m1])?, number(&[*s0, *s1])?);
        if hours > 23 || minutes > 59 || seconds > 59 {
            return None;
        }
        let (nanoseconds, zone) = match rest.split_first() {
            Some((b'.', rest)) => fraction(rest)?,
            _ => (0, rest),
        };
        let seconds = self.seconds + hours * 3600 + minutes * 60 + seconds - offset(zone)?;
        Some(Self { seconds, nanoseconds })
    }

    /// Seconds since 1970-01-01, rounded down.
    pub(crate) fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds since that second.
    pub(crate) fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// `YYYY-MM-DD`; `None` for a year before 0 or after 9999.
    pub(crate) fn date(self) -> Option<String> {
        let (year, month, day) = date(self.seconds.div_euclid(DAY));
        (0..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}"))
    }

    /// `HH:MM:SS`, with a fraction unless it is zero, and without zeros at its end.
    pub(crate) fn time(self) -> String {
        let second = self.seconds.rem_euclid(DAY);
        let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
        let time = format!("{hours:02}:{minutes:02}:{seconds:02}.{:09}", self.nanoseconds);
        time.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Year, month and day of the proleptic Gregorian calendar, from days since 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of its year, and in eras of 400 years, which have
/// equally many days (Hinnant 2013, "chrono-compatible low-level date algorithms", `civil_from_days`).
fn date(day: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let from_march = day + 719_468;
    let era = from_march.div_euclid(ERA);
    let day_of_era = from_march.rem_euclid(ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

/// Days since 1970-01-01, the inverse of [`date`]; `None` if the month or the day does not exist.
fn day(year: i64, month: i64, day: i64) -> Option<i64> {
    // Days between the first of March and the first of a month, as `civil_from_days` counts them.
    let month_from_march = (month + 9).rem_euclid(12);
    let year_from_march = year - i64::from(month <= 2);
    let (era, year_of_era) = (year_from_march.div_euclid(400), year_from_march.rem_euclid(400));
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let number = era * 146_097 + day_of_era - 719_468;
    // A day beyond the end of its month is a day of the next one.
    (date(number) == (year, month, day)).then_some(number)
}

/// The number of these digits, and of nothing else.
fn number(digits: &[u8]) -> Option<i64> {
    let add = |number: i64, digit: &u8| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'));
    digits.iter().try_fold(0, add)
}

/// The nanoseconds of one to nine digits behind a point, and what follows them.
fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&digits) {
        return None;
    }
    let (fraction, rest) = text.split_at(digits);
    let zeros = 10_i64.pow(9 - digits as u32);
    Some((u32::try_from(number(fraction)? * zeros).ok()?, rest))
}

/// The seconds by which a clock with this offset is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    match zone {
        [] | b"Z" => Some(0),
        [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            let (hours, minutes) = (number(&[*h0, *h1])?, number(&[*m0, *m1])?);
            let ahead = (hours < 24 && minutes < 60).then_some(hours * 3600 + minutes * 60)?;
            Some(if *sign == b'-' { -ahead } else { ahead })
        }
        _ => None,
    }
}

use posterity_formats::Value;

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts day by day from the first day of the year -800, by the rules of the calendar.
    #[test]
    fn dates_follow_the_calendar() {
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        // From 0000-01-01 to 1970-01-01 there are 719528 days; 800 years before have two eras.
        let mut number = -719_528 - 2 * 146_097;
        for year in -800..2500 {
            let february = if leap(year) { 29 } else { 28 };
            for (month, days) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1..=days {
                    assert_eq!(date(number), (year, month, day));
                    assert_eq!(super::day(year, month, day), Some(number));
                    number += 1;
                }
                assert_eq!(super::day(year, month, days + 1), None);
                assert_eq!(super::day(year, month, 0), None);
            }
            assert_eq!((super::day(year, 0, 1), super::day(year, 13, 1)), (None, None));
        }
    }

    #[test]
    fn text_is_read_strictly() {
        let at = |seconds, nanoseconds| Some(Moment { seconds, nanoseconds });
        let table = [
            ("1970-01-02", at(86_400, 0)),
            ("1970-01-01 00:00:01", at(1, 0)),
            ("1970-01-01T00:00:01.5", at(1, 500_000_000)),
            ("1969-12-31 23:59:59.000000001", at(-1, 1)),
            ("1970-01-01T01:00:00Z", at(3_600, 0)),
            ("1970-01-01 01:00:00+01:00", at(0, 0)),
            ("1970-01-01T00:00:00.25-00:30", at(1_800, 250_000_000)),
            ("2000-02-29", at(951_782_400, 0)),
            ("0000-01-01", at(-62_167_219_200, 0)),
            ("9999-12-31T23:59:59", at(253_402_300_799, 0)),
        ];
        for (text, moment) in table {
            assert_eq!(Moment::parse(text.as_bytes()), moment, "{text}");
        }
        for text in [
            "",
            "2020",
            "2020-10-1",
            "2020-02-30",
            "2021-02-29",
            "2020-00-01",
            "2020/10/01",
            "20-10-2001",
            "2020-10-01 ",
            " 2020-10-01",
            "2020-10-01T",
            "2020-10-01T00:00",
            "2020-10-01T24:00:00",
            "2020-10-01T23:59:60",
            "2020-10-01t00:00:00",
            "2020-10-01T00:00:00z",
            "2020-10-01T00:00:00.",
            "2020-10-01T00:00:00.1234567890",
            "2020-10-01T00:00:00+1",
            "2020-10-01T00:00:00+24:00",
            "2020-10-01T00:00:00 Z",
            "+020-10-01",
            "2020-10-0x",
            "２020-10-01",
        ] {
            assert_eq!(Moment::parse(text.as_bytes()), None, "{text}");
        }
    }

    /// If this fails, a value and its printed form, as a CSV file holds it, are two moments.
    #[test]
    fn what_is_printed_is_read_again() {
        for (ticks, per_second) in
            [(0, 1), (-1, 1_000), (1_500, 1_000), (253_402_300_799, 1), (-7, 1_000_000_000)]
        {
            let moment = Moment::of(Value::Instant { ticks, per_second }).expect("a moment");
            for sign in [" ", "T"] {
                let text =
                    format!("{}{sign}{}", moment.date().expect("a year of four digits"), moment.time());
                assert_eq!(Moment::parse(text.as_bytes()), Some(moment), "{text}");
            }
        }
    }

    #[test]
    fn moments_print_and_compare() {
        let instant = |ticks, per_second| Moment::of(Value::Instant { ticks, per_second });
        let shown = |moment: Option<Moment>| {
            moment.and_then(|moment| Some(format!("{} {}", moment.date()?, moment.time())))
        };
        let table = [
            (0, 1, "1970-01-01 00:00:00"),
            (-1, 1, "1969-12-31 23:59:59"),
            (-1, 1_000, "1969-12-31 23:59:59.999"),
            (1_500, 1_000, "1970-01-01 00:00:01.5"),
            (1, 1_000_000_000, "1970-01-01 00:00:00.000000001"),
            (951_782_400, 1, "2000-02-29 00:00:00"),
            (1_800_000_000_000_000, 1_000_000, "2027-01-15 08:00:00"),
            (-62_167_219_200, 1, "0000-01-01 00:00:00"),
            (253_402_300_799, 1, "9999-12-31 23:59:59"),
        ];
        for (ticks, per_second, text) in table {
            assert_eq!(shown(instant(ticks, per_second)).as_deref(), Some(text));
        }
        for moment in [
            instant(-62_167_219_201, 1),
            instant(253_402_300_800, 1),
            instant(i64::MIN, 1),
            instant(i64::MAX, 1),
        ] {
            assert!(moment.is_some());
            assert_eq!(shown(moment), None);
        }
        assert_eq!(instant(1, 0), None);
        assert_eq!(instant(1, 7), None);
        assert_eq!(Moment::of(Value::Day(1)), instant(86_400_000, 1_000));
        assert!(instant(i64::MIN, 1_000_000_000) > instant(i64::MIN, 1));
    }
}
