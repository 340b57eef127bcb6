//! Days and moments, on one line of time.

use crate::value::Value;

const DAY: i64 = 86_400;

const NANOSECONDS: u32 = 1_000_000_000;

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
                    number += 1;
                }
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
