//! What a mechanism drew, before anything is clipped.

use dashu_int::IBig;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a mechanism drew: counts with noise as they are, which may be negative or above n. Everyone may see them.
///
/// The counts that are published follow from them by a rule of the mechanism; they are
/// [`Released`](super::Released). Sums of many counts are read from the draw, because clipping shifts them.
///
/// Numbers beyond [`Drawn::MOST`] are cut to it, so that every reader of JSON has them exactly. That happens after the
/// draw and does not look at the data, so it costs no privacy; n is far smaller, so it changes no released count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<i64>", into = "Vec<i64>")]
pub struct Drawn(Vec<i64>);

/// A number that no draw holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the drawn count {value} (the {}. one) is beyond {}; no draw holds such a number", .index + 1, Drawn::MOST)]
pub struct DrawnError {
    /// Its position, from 0.
    pub index: usize,
    /// The number.
    pub value: i64,
}

impl Drawn {
    /// The largest number that is kept, 2^53 - 1: JSON numbers hold it exactly, as they do all that are smaller.
    pub const MOST: i64 = (1 << 53) - 1;

    /// What a mechanism drew, each number cut to `-MOST..=MOST`.
    #[must_use]
    pub fn new(mut counts: Vec<i64>) -> Self {
        counts.iter_mut().for_each(|count| *count = (*count).clamp(-Self::MOST, Self::MOST));
        Self(counts)
    }

    /// What was drawn, from numbers of any size.
    #[must_use]
    pub fn of_any_size(counts: impl IntoIterator<Item = IBig>) -> Self {
        let cut = |count: IBig| {
            let beyond = if count < IBig::ZERO { i64::MIN } else { i64::MAX };
            i64::try_from(count).unwrap_or(beyond)
        };
        Self::new(counts.into_iter().map(cut).collect())
    }

    /// A draw of possible counts.
    #[must_use]
    pub fn of_counts(counts: Vec<u64>) -> Self {
        Self::new(counts.into_iter().map(|count| i64::try_from(count).unwrap_or(i64::MAX)).collect())
    }

    /// The numbers in the order of the categories.
    #[must_use]
    pub fn as_slice(&self) -> &[i64] {
        &self.0
    }

    /// The number of categories.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a mechanism has at least two categories")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Their sum; nothing if a number may have been cut.
    #[must_use]
    pub fn sum(&self) -> Option<i128> {
        let whole = self.0.iter().all(|count| count.abs() < Self::MOST);
        whole.then(|| self.0.iter().map(|&count| i128::from(count)).sum())
    }
}

impl TryFrom<Vec<i64>> for Drawn {
    type Error = DrawnError;

    fn try_from(counts: Vec<i64>) -> Result<Self, DrawnError> {
        let inside = -Self::MOST..=Self::MOST;
        match counts.iter().position(|count| !inside.contains(count)) {
            Some(index) => Err(DrawnError { index, value: counts[index] }),
            None => Ok(Self(counts)),
        }
    }
}

impl From<Drawn> for Vec<i64> {
    fn from(drawn: Drawn) -> Self {
        drawn.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_those_of_json_are_cut() {
        let huge = IBig::from(1) << 200;
        let most = Drawn::MOST;
        let table = [
            (huge.clone(), most),
            (-huge, -most),
            (IBig::from(most) + IBig::from(1), most),
            (IBig::from(-most), -most),
            (IBig::from(-3), -3),
        ];
        for (drawn, kept) in table {
            assert_eq!(Drawn::of_any_size([drawn]).as_slice(), [kept]);
        }
        assert_eq!(Drawn::new(vec![i64::MIN, i64::MAX]).as_slice(), [-most, most]);
        assert_eq!(Drawn::of_counts(vec![u64::MAX, 4]).as_slice(), [most, 4]);
    }

    #[test]
    fn sums_are_known_where_nothing_was_cut() {
        assert_eq!(Drawn::new(vec![-3, 10]).sum(), Some(7));
        assert_eq!(Drawn::new(vec![i64::MIN, 10]).sum(), None);
    }

    #[test]
    fn they_are_read_as_they_are_written() {
        let drawn = Drawn::new(vec![-3, 0, Drawn::MOST]);
        let text = serde_json::to_string(&drawn).expect("serialises");
        assert_eq!(text, "[-3,0,9007199254740991]");
        assert_eq!(serde_json::from_str::<Drawn>(&text).expect("reads back"), drawn);
        let value = Drawn::MOST + 1;
        assert_eq!(Drawn::try_from(vec![0, value]), Err(DrawnError { index: 1, value }));
        for text in ["[0,9007199254740992]", "[1.5]", "[\"1\"]"] {
            assert!(serde_json::from_str::<Drawn>(text).is_err(), "{text}");
        }
    }
}
