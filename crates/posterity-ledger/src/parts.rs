//! The releases that one charge pays for.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::amount::Amount;

/// A batch of pure releases that were all chosen before the first of them was drawn: each epsilon with how many there
/// are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    counts: BTreeMap<Amount, u64>,
}

impl Parts {
    /// A batch; nothing if it is empty or one epsilon is zero.
    pub(crate) fn new(epsilons: impl IntoIterator<Item = Amount>) -> Option<Self> {
        let mut counts = BTreeMap::new();
        for epsilon in epsilons {
            *counts.entry(epsilon).or_insert(0) += 1;
        }
        Self::checked(counts)
    }

    fn checked(counts: BTreeMap<Amount, u64>) -> Option<Self> {
        let valid =
            !counts.is_empty() && counts.iter().all(|(epsilon, count)| !epsilon.is_zero() && *count > 0);
        valid.then_some(Self { counts })
    }

    /// One release.
    pub(crate) fn one(epsilon: &Amount) -> Self {
        Self { counts: BTreeMap::from([(epsilon.clone(), 1)]) }
    }

    /// These releases, each at twice its epsilon; nothing if an epsilon becomes too long.
    pub(crate) fn twice(&self) -> Option<Self> {
        let counts = self.iter().map(|(epsilon, count)| Some((epsilon.twice()?, count)));
        counts.collect::<Option<_>>().map(|counts| Self { counts })
    }

    /// Each epsilon with how many releases have it, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Amount, u64)> {
        self.counts.iter().map(|(epsilon, count)| (epsilon, *count))
    }

    /// The number of releases.
    #[must_use]
    pub fn releases(&self) -> u64 {
        self.counts.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The sum of all epsilons.
    #[must_use]
    pub fn sum(&self) -> Amount {
        self.iter().map(|(epsilon, count)| epsilon.times(count)).sum()
    }

    /// The only text under which a batch is stored: `1/10*50,1/2*5`, in the order of the amounts.
    pub(crate) fn stored(&self) -> String {
        let texts: Vec<String> =
            self.iter().map(|(epsilon, count)| format!("{}*{count}", epsilon.stored())).collect();
        texts.join(",")
    }

    /// Reads what [`Parts::stored`] wrote and nothing else.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        let counts = text.split(',').map(|part| {
            let (epsilon, count) = part.split_once('*')?;
            Some((Amount::from_stored(epsilon)?, count.parse().ok()?))
        });
        Self::checked(counts.collect::<Option<_>>()?).filter(|parts| parts.stored() == text)
    }
}

impl Serialize for Parts {
    /// A list of the epsilons with their numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Part<'a> {
            epsilon: &'a Amount,
            releases: u64,
        }
        serializer.collect_seq(self.iter().map(|(epsilon, releases)| Part { epsilon, releases }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_round_trip() {
        let amount = |text: &str| text.parse::<Amount>().expect(text);
        let parts = Parts::new(["0.5", "0.1", "1/3", "0.1"].map(amount)).expect("valid");
        assert_eq!(parts.stored(), "1/10*2,1/3*1,1/2*1");
        assert_eq!((parts.releases(), parts.sum()), (4, amount("31/30")));
        assert_eq!(Parts::from_stored(&parts.stored()), Some(parts));
        for text in ["", "1/2", "1/2*0", "0/1*3", "1/2*1,1/10*1", "2/4*1", "1/2*01", "1/2*1,1/2*1", "1/2*1,"]
        {
            assert_eq!(Parts::from_stored(text), None, "{text}");
        }
        assert_eq!(Parts::new([]), None);
        assert_eq!(Parts::new([Amount::ZERO]), None);
    }
}
