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
fn reading_prior(n: f64, groups: usize) -> f64 {
    (MASS * n.sqrt() / groups as f64).min(1.0)
}

impl Reader {
    /// The law from which shares of this grouping are read: of the groups alone, or of all cells if a prior on the cells
    /// was stated or the noise is not one that adds up.
    pub(super) fn grouped<'a>(&'a self, grouping: &'a Grouping) -> Grouped<'a> {
        let as_it_is = || Grouped { law: Cow::Borrowed(&*self.law), grouping: Cow::Borrowed(grouping) };
        match &self.sums {
            Some(sums) if !self.stated_prior => self.of_groups(sums, grouping).unwrap_or_else(as_it_is),
            _ => as_it_is(),
        }
    }

    /// The prior parameter of one of this many groups of cells.
    pub(super) fn parameter(&self, cells: &[usize], groups: usize) -> f64 {
        let of_law = || self.noise_aware().map(|aware| aware.alpha());
        let stated = match &self.cell_prior {
            Some(prior) => Some(prior.parameters()),
            None => self.stated_prior.then(of_law).flatten(),
        };
        match (stated, &self.sums) {
            (Some(alpha), _) => cells.iter().map(|&cell| alpha[cell]).sum(),
            // All together have one, so that every n is as likely as any other.
            (None, Some(sums)) if sums.n_is_private() => 1.0 / groups as f64,
            (None, sums) => reading_prior(sums.as_ref().map_or(1.0, |sums| sums.size()), groups),
        }
    }

    /// The posterior of the groups of a grouping, in their order, from the sums of what was drawn.
    pub(super) fn of_groups<'a>(&self, sums: &Sums, grouping: &Grouping) -> Option<Grouped<'a>> {
        let mut groups: Vec<&[usize]> = Vec::new();
        let mut next = |cells| {
            groups.push(cells);
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
        let prior: Vec<f64> = groups.iter().map(|cells| self.parameter(cells, groups.len())).collect();
        let drawn: Vec<GroupSum> = groups.iter().map(|cells| sums.group(cells)).collect();
        let aware = sums.posterior(&drawn, &prior)?;
        // Where n is private, the records that are not there are the last of the cells.
        let grouping = Grouping::new(aware.alpha().len(), blocks).ok()?;
        let law = Law::Aware(Arc::new(aware));
        Some(Grouped { law: Cow::Owned(law), grouping: Cow::Owned(grouping) })
    }
}
