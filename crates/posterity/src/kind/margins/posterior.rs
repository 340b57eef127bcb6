//! The posterior of each number of a reading of the released tables, as a distribution (docs/proofs/residuals.md, theorems 9
//! and 10).

use posterity_margins::Estimated;

use super::answer::Margins;
use super::asked::LaidOut;
use super::credible::{Prior, Scores, mark};
use crate::table::{Labels, Layout, NumberOf, Numbers, Reading, ReadingError, RowLaw, RowPosterior};

impl Margins {
    /// The posterior of each number of a reading of shares or of means, in the order of its rows: the distribution of which
    /// its credible intervals are. It is about the population, whatever the intervals of this release are about.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Margins::read`]; [`ReadingError::CountSample`] if it reads counts, sums or quantiles, and
    /// [`ReadingError::BinsSample`] if it reads a mean of bins.
    pub fn posteriors(&self, reading: &Reading) -> Result<Vec<RowPosterior>, ReadingError> {
        let column = match reading.number_of() {
            Some((NumberOf::Mean, column)) => Some(column),
            None if !reading.is_count() => None,
            _ => return Err(ReadingError::CountSample),
        };
        let LaidOut { set, layout, numbers, .. } =
            LaidOut::new(&self.request.about, self.plan.workload(), reading)?;
        let table = self.table(&set)?;
        match (numbers, column) {
            (Some(numbers), Some(column)) => means(&table, &layout, numbers, column),
            _ => shares(&table, &layout),
        }
    }
}

fn shares(table: &Estimated, layout: &Layout) -> Result<Vec<RowPosterior>, ReadingError> {
    let mut rows = Vec::new();
    for (block, (given, labels)) in layout.blocks.iter().zip(&layout.labels) {
        let condition = mark(block.asked().iter().flatten().chain(block.others()), table);
        for (asked, label) in block.asked().iter().zip(labels) {
            let law = share(table, asked, &condition)?;
            rows.push(RowPosterior::of_share(given.clone(), label.clone(), law));
        }
    }
    Ok(rows)
}

/// The law of the share of a group in its condition.
fn share(table: &Estimated, asked: &[usize], condition: &[bool]) -> Result<RowLaw, ReadingError> {
    let group = mark(asked, table);
    let share = table.share(&group, Some(condition));
    let law = Prior::new(table, &group, condition).posterior(&share)?;
    Ok(law.map_or(RowLaw::Whole, |law| RowLaw::Noisy(Box::new(law))))
}

fn means(
    table: &Estimated,
    layout: &Layout,
    numbers: Numbers,
    column: &str,
) -> Result<Vec<RowPosterior>, ReadingError> {
    let mut rows = Vec::new();
    for ((block, (given, _)), numbers) in layout.blocks.iter().zip(&layout.labels).zip(numbers.alone(column)?)
    {
        let scores = Scores::new(block, &numbers);
        let (shift, scale) = scores.range();
        let row = |law, scale, shift| RowPosterior::of_number(given.clone(), law, scale, shift);
        rows.push(match scores.larger_of_two() {
            // One number is known.
            _ if scale <= 0.0 => row(RowLaw::Whole, 0.0, shift),
            Some(larger) => {
                let condition = mark(block.asked().iter().flatten(), table);
                row(share(table, larger, &condition)?, scale, shift)
            }
            None => {
                let draws = scores.chains(table)?.into_iter().flatten().collect();
                RowPosterior::of_share(given.clone(), Labels::default(), RowLaw::drawn(draws))
            }
        });
    }
    Ok(rows)
}
