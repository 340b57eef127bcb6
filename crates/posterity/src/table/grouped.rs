//! The posterior of the groups of a reading.

use std::borrow::Cow;
use std::sync::Arc;

use posterity_core::confidence::{GroupSum, Sums};
use posterity_core::table::{Block, Grouping};

use super::reader::{Law, Reader};

/// A posterior of groups of cells, and the groups in their blocks.
pub(super) struct Grouped<'a> {
    pub(super) law: Cow<'a, Law>,
    pub(super) grouping: Cow<'a, Grouping>,
}

/// The prior mass of all groups of a reading is at most this times the square root of n, and at most one on each group.
/// More would move large shares by more than their sampling error; docs/benchmarks.md compares other values.
const MASS: f64 = 0.3;

/// The prior parameter of each group of a reading, unless a prior was stated.
pub(super) fn reading_prior(n: u64, groups: usize) -> f64 {
    (MASS * (n as f64).sqrt() / groups as f64).min(1.0)
}

impl Reader {
    /// The law from which shares of this grouping are read: of the groups alone, or of all cells if a prior on the cells
    /// was stated or the noise is not one that adds up.
    pub(super) fn grouped<'a>(&'a self, grouping: &'a Grouping) -> Grouped<'a> {
        let as_it_is = || Grouped { law: Cow::Borrowed(&self.law), grouping: Cow::Borrowed(grouping) };
        match &self.sums {
            Some(sums) if !self.stated_prior => of_groups(sums, grouping).unwrap_or_else(as_it_is),
            _ => as_it_is(),
        }
    }
}

fn of_groups<'a>(sums: &Sums, grouping: &Grouping) -> Option<Grouped<'a>> {
    let mut groups: Vec<GroupSum> = Vec::new();
    let mut next = |cells: &[usize]| {
        groups.push(sums.group(cells));
        groups.len() - 1
    };
    let mut blocks = Vec::with_capacity(grouping.blocks().len());
    for block in grouping.blocks() {
        let asked = block.asked().iter().map(|cells| vec![next(cells)]).collect();
        let others = if block.others().is_empty() { Vec::new() } else { vec![next(block.others())] };
        blocks.push(Block::new(asked, others));
    }
    if !grouping.rest().is_empty() {
        next(grouping.rest());
    }
    let prior = reading_prior(sums.n(), groups.len());
    let law = Law::Aware(Arc::new(sums.posterior(&groups, prior)?));
    let grouping = Grouping::new(groups.len(), blocks).ok()?;
    Some(Grouped { law: Cow::Owned(law), grouping: Cow::Owned(grouping) })
}
