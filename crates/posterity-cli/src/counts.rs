//! Counts as they are typed: private data, of which errors and `Debug` show nothing.

use std::fmt;

use clap::Args;
use posterity::{Adjacency, Counts, Terms};
use posterity_advice::Measure;
use posterity_core::model::{CountsError, MAX_TOTAL, Setting};

use crate::failure::Failure;
use crate::fields::Asks;
use crate::terms::{Public, wrong_terms};

/// Counts as they were typed: private, so their `Debug` form hides them.
#[derive(Clone)]
pub(crate) struct RawCounts(pub(crate) String);

impl RawCounts {
    /// How many there are.
    pub(crate) fn number(&self) -> usize {
        self.0.split(',').count()
    }
}

impl fmt::Debug for RawCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawCounts(..)")
    }
}

impl From<&str> for RawCounts {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// A data set with its public context.
#[derive(Debug, Args)]
pub(crate) struct CountsArgs<A: Asks> {
    /// How many records fall into each category
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) counts: RawCounts,

    #[command(flatten)]
    pub(crate) public: Public<A>,
}

/// A data set with its public context.
#[derive(Debug)]
pub(crate) struct ResolvedData {
    pub(crate) terms: Terms,
    pub(crate) counts: Counts,
    pub(crate) setting: Setting,
}

impl ResolvedData {
    /// Checks the arguments against each other.
    pub(crate) fn new<A: Asks>(data: &CountsArgs<A>) -> Result<Self, Failure> {
        let (stated, mut terms) = data.public.terms()?;
        let new = counts_under(terms.adjacency);
        let counts = new(parse_counts(&data.counts.0, terms.adjacency)?).map_err(wrong_counts)?;
        if !stated.states_most() {
            terms.most = Measure::listed(&counts);
        }
        let setting = terms
            .setting(counts.len(), counts.total())
            .map_err(|error| wrong_terms(error, data.public.prior_flag_or("--counts"), "--counts"))?;
        Ok(Self { terms, counts, setting })
    }
}

/// How counts are checked: where the number of records is private there may be none, and any number of them.
pub(crate) fn counts_under(adjacency: Adjacency) -> fn(Vec<u64>) -> Result<Counts, CountsError> {
    match adjacency {
        Adjacency::Replace => Counts::new,
        Adjacency::AddRemove => Counts::perhaps_empty,
    }
}

/// What is wrong with counts, and how several are written.
pub(crate) fn wrong_counts(error: CountsError) -> Failure {
    match error {
        CountsError::TooFew { .. } => Failure::usage("--counts", format!("{error}, separated by commas")),
        other => Failure::usage("--counts", other),
    }
}

/// Counts are private, so an error shows the first character that does not belong to one, and no more. Where the number
/// of records is private, a count may have any number of digits.
pub(crate) fn parse_counts(text: &str, adjacency: Adjacency) -> Result<Vec<u64>, Failure> {
    let mut counts = Vec::new();
    for (index, item) in text.split(',').enumerate() {
        let item = item.trim();
        let position = index + 1;
        let remedy = "give whole numbers, zero or more, separated by commas";
        if let Some(wrong) = item.chars().find(|c| !c.is_ascii_digit()) {
            return Err(Failure::usage("--counts", format!("count {position} contains {wrong:?}; {remedy}")));
        }
        if item.is_empty() {
            return Err(Failure::usage("--counts", format!("count {position} is empty; {remedy}")));
        }
        // Only digits are left, so a number that is none here is too large.
        counts.push(match (item.parse(), adjacency) {
            (Ok(count), _) => count,
            (Err(_), Adjacency::AddRemove) => u64::MAX,
            (Err(_), Adjacency::Replace) => {
                let why = format!("count {position} is larger than {MAX_TOTAL}, the most this version takes");
                return Err(Failure::usage("--counts", why));
            }
        });
    }
    Ok(counts)
}
