//! The posterior of each number of a reading, as a distribution.

use posterity_core::model::{Beta, Dirichlet};
use posterity_core::noise_aware::{BetaMixture, SharePosterior};
use posterity_core::table::{Block, Grouping, Share, Shares};

use super::error::ReadingError;
use super::grouped::Grouped;
use super::labels::Labels;
use super::layout::Layout;
use super::number_of::NumberOf;
use super::numbers::Numbers;
use super::reader::{Law, Reader};
use super::reading::Reading;

/// The posterior of one number of a reading: the distribution of which its credible intervals and its draws are.
///
/// ```
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 60), ("no", 30)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let posteriors = release.document().reader()?.posteriors(&"category=yes".parse()?)?;
/// let (low, high) = (posteriors[0].quantile(0.025), posteriors[0].quantile(0.975));
/// assert!(low < posteriors[0].mean() && posteriors[0].mean() < high);
/// assert!((posteriors[0].cdf(high) - posteriors[0].cdf(low) - 0.95).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowPosterior {
    given: Labels,
    cell: Labels,
    law: RowLaw,
    /// The number is `shift + scale * share`: of a share it is the share itself.
    scale: f64,
    shift: f64,
}

/// The law of a share, or of a number that is drawn.
#[derive(Clone, Debug)]
pub(crate) enum RowLaw {
    /// A category, with the noise.
    Cell(BetaMixture),
    /// A group of cells among others, with the noise.
    Share(Share),
    /// A group of cells of a released table among others, with its normal noise.
    Noisy(Box<SharePosterior>),
    /// A share of a Dirichlet distribution, without the noise.
    Plain(Beta),
    /// The group is everything that the share is among.
    Whole,
    /// Independent draws, in ascending order, and their mean.
    Drawn { sorted: Vec<f64>, mean: f64 },
}

impl Reader {
    /// The posterior of each number of a reading of shares or of means, in the order of its rows. It is about the
    /// population, whatever the intervals of this reader are about.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reader::read`]; [`ReadingError::CountSample`] if it reads counts, sums or quantiles,
    /// [`ReadingError::BinsSample`] if it reads a mean of bins, [`ReadingError::DependentRecords`] if nothing is said about
    /// a population, and [`ReadingError::NoPosterior`] if the noise is so wide that nothing is known.
    pub fn posteriors(&self, reading: &Reading) -> Result<Vec<RowPosterior>, ReadingError> {
        if reading.is_count() {
            return Err(ReadingError::CountSample);
        }
        if self.dependent {
            return Err(ReadingError::DependentRecords);
        }
        let Some((what, column)) = reading.number_of() else {
            let layout = Layout::of(&self.space, reading)?;
            let labels = layout.labels.clone();
            let laws = self.laws(&layout.grouping(&self.space)?)?;
            let rows = labels.into_iter().zip(laws).flat_map(|((given, cells), laws)| {
                let row = move |(cell, law)| RowPosterior::of_share(given.clone(), cell, law);
                cells.into_iter().zip(laws).map(row)
            });
            return Ok(rows.collect());
        };
        if *what != NumberOf::Mean {
            return Err(ReadingError::CountSample);
        }
        let (layout, numbers) = Numbers::new(&self.space, reading, column)?;
        let numbers = numbers.alone(column)?;
        let labels: Vec<Labels> = layout.labels.iter().map(|(given, _)| given.clone()).collect();
        if numbers.iter().any(|numbers| numbers.len() > 2) {
            return self.drawn_means(reading, labels);
        }
        let laws = self.laws(&layout.grouping(&self.space)?)?;
        let rows = labels.into_iter().zip(numbers).zip(laws);
        // With one or two numbers the mean is the share of the first, stretched.
        let row = |((given, numbers), laws): ((Labels, Vec<f64>), Vec<RowLaw>)| {
            let law = laws.into_iter().next().unwrap_or(RowLaw::Whole);
            let shift = if numbers.len() > 1 { numbers[1] } else { 0.0 };
            RowPosterior::of_number(given, law, numbers[0] - shift, shift)
        };
        Ok(rows.map(row).collect())
    }

    /// Means of more numbers, whose law has no closed form.
    fn drawn_means(&self, reading: &Reading, labels: Vec<Labels>) -> Result<Vec<RowPosterior>, ReadingError> {
        let draws = self.sample(reading, self.draws, self.seed)?;
        let row = |(place, given): (usize, Labels)| {
            let law = RowLaw::drawn(draws.iter().map(|draw| draw[place]).collect());
            RowPosterior::of_share(given, Labels::default(), law)
        };
        Ok(labels.into_iter().enumerate().map(row).collect())
    }

    /// The law of the share of each group in its block.
    fn laws(&self, grouping: &Grouping) -> Result<Vec<Vec<RowLaw>>, ReadingError> {
        if self.sums.as_ref().is_some_and(|sums| sums.n_is_private()) {
            return self.laws_one_by_one(grouping);
        }
        let Grouped { law, grouping } = self.grouped(grouping);
        match &*law {
            Law::Plain(plain) => Ok(plain_laws(plain, &grouping)),
            Law::Aware(aware) => {
                if let [block] = grouping.blocks()
                    && grouping.rest().is_empty()
                    && block.others().is_empty()
                    && block.asked().iter().all(|cells| cells.len() == 1)
                {
                    let of_cell = |cells: &Vec<usize>| RowLaw::Cell(aware.marginals()[cells[0]].clone());
                    return Ok(vec![block.asked().iter().map(of_cell).collect()]);
                }
                Ok(self.laws_of_shares(&law, &Shares::new(aware, &grouping), &grouping))
            }
        }
    }

    /// Where n is private, each share has a prior of its own.
    fn laws_one_by_one(&self, grouping: &Grouping) -> Result<Vec<Vec<RowLaw>>, ReadingError> {
        let one = |block: &Block, cells: &Vec<usize>| {
            let members = block.asked().iter().flatten().chain(block.others());
            let others: Vec<usize> = members.filter(|cell| !cells.contains(cell)).copied().collect();
            if others.is_empty() {
                return Ok(RowLaw::Whole);
            }
            let alone = Grouping::new(self.space.all_cells(), vec![Block::new(vec![cells.clone()], others)])
                .map_err(|error| ReadingError::Document { reason: error.to_string() })?;
            let found = self.sums.as_ref().and_then(|sums| self.of_groups(sums, &alone));
            let Some(Grouped { law, grouping }) = found else { return Err(ReadingError::NoPosterior) };
            let Law::Aware(aware) = &*law else { return Err(ReadingError::NoPosterior) };
            let laws = self.laws_of_shares(&law, &Shares::new(aware, &grouping), &grouping);
            laws.into_iter().flatten().next().ok_or(ReadingError::NoPosterior)
        };
        let of_block =
            |block: &Block| block.asked().iter().map(|cells| one(block, cells)).collect::<Result<_, _>>();
        grouping.blocks().iter().map(of_block).collect()
    }

    /// The exact law of each share, or draws of those that depend on too many pairs of counts.
    fn laws_of_shares(&self, law: &Law, shares: &Shares, grouping: &Grouping) -> Vec<Vec<RowLaw>> {
        let mut draws: Option<Vec<Vec<Vec<f64>>>> = None;
        let groups: Vec<usize> = shares.blocks().collect();
        let mut all = Vec::with_capacity(groups.len());
        for (block, &groups) in groups.iter().enumerate() {
            let mut laws = Vec::with_capacity(groups);
            for group in 0..groups {
                laws.push(match shares.share(block, group) {
                    Ok(share) if share.is_one() => RowLaw::Whole,
                    Ok(share) => RowLaw::Share(share),
                    Err(_) => {
                        let sampler = || law.sampler(grouping);
                        let draws = draws.get_or_insert_with(|| {
                            sampler().map(self.draws, self.seed, |draw| draw.shares.clone())
                        });
                        RowLaw::drawn(draws.iter().map(|draw| draw[block][group]).collect())
                    }
                });
            }
            all.push(laws);
        }
        all
    }
}

/// The shares of a Dirichlet distribution are Beta distributed.
fn plain_laws(plain: &Dirichlet, grouping: &Grouping) -> Vec<Vec<RowLaw>> {
    let sum = |cells: &[usize]| cells.iter().map(|&cell| plain.parameters()[cell]).sum::<f64>();
    let of_block = |block: &Block| -> Vec<RowLaw> {
        let whole: f64 = block.asked().iter().map(|cells| sum(cells)).sum::<f64>() + sum(block.others());
        let of_group = |cells: &Vec<usize>| {
            let inside = sum(cells);
            let two = Dirichlet::new(vec![inside, whole - inside]).ok().filter(|_| block.members_len() > 1);
            two.and_then(|two| two.marginal(0)).map_or(RowLaw::Whole, RowLaw::Plain)
        };
        block.asked().iter().map(of_group).collect()
    };
    grouping.blocks().iter().map(of_block).collect()
}

impl RowLaw {
    pub(crate) fn drawn(mut values: Vec<f64>) -> Self {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.sort_unstable_by(f64::total_cmp);
        Self::Drawn { sorted: values, mean }
    }

    fn density(&self, x: f64) -> Option<f64> {
        Some(match self {
            Self::Cell(law) => law.density(x),
            Self::Share(law) => law.density(x),
            Self::Noisy(law) => law.density(x),
            Self::Plain(law) => law.density(x),
            Self::Whole | Self::Drawn { .. } => return None,
        })
    }

    fn cdf(&self, x: f64) -> f64 {
        match self {
            Self::Drawn { sorted, .. } => {
                sorted.partition_point(|value| *value <= x) as f64 / sorted.len() as f64
            }
            _ if x < 0.0 => 0.0,
            _ if x >= 1.0 => 1.0,
            Self::Cell(law) => law.cdf(x),
            Self::Share(law) => law.cdf(x),
            Self::Noisy(law) => law.cdf(x),
            Self::Plain(law) => law.cdf(x),
            Self::Whole => 0.0,
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Whole => 1.0,
            Self::Drawn { sorted, .. } => {
                // The cast saturates.
                let rank = (p * sorted.len() as f64).ceil() as usize;
                sorted[rank.saturating_sub(1).min(sorted.len() - 1)]
            }
            _ if p <= 0.0 => 0.0,
            _ if p >= 1.0 => 1.0,
            // From the nearer end no digits are lost.
            Self::Cell(law) if p > 0.5 => law.upper_quantile(1.0 - p),
            Self::Share(law) if p > 0.5 => law.upper_quantile(1.0 - p),
            Self::Noisy(law) if p > 0.5 => law.upper_quantile(1.0 - p),
            Self::Cell(law) => law.quantile(p),
            Self::Share(law) => law.quantile(p),
            Self::Noisy(law) => law.quantile(p),
            Self::Plain(law) => law.quantile(p),
        }
    }

    fn mean(&self) -> f64 {
        match self {
            Self::Cell(law) => law.mean(),
            Self::Share(law) => law.mean(),
            Self::Noisy(law) => law.mean(),
            Self::Plain(law) => law.a() / (law.a() + law.b()),
            Self::Whole => 1.0,
            Self::Drawn { mean, .. } => *mean,
        }
    }

    fn variance(&self) -> f64 {
        match self {
            Self::Cell(law) => law.variance(),
            Self::Share(law) => law.variance(),
            Self::Noisy(law) => law.variance(),
            Self::Plain(law) => {
                let (total, mean) = (law.a() + law.b(), self.mean());
                mean * (1.0 - mean) / (total + 1.0)
            }
            Self::Whole => 0.0,
            Self::Drawn { sorted, mean } => {
                sorted.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / sorted.len() as f64
            }
        }
    }
}

impl RowPosterior {
    pub(crate) fn of_share(given: Labels, cell: Labels, law: RowLaw) -> Self {
        Self { given, cell, law, scale: 1.0, shift: 0.0 }
    }

    /// The posterior of the number `shift + scale * share`.
    pub(crate) fn of_number(given: Labels, law: RowLaw, scale: f64, shift: f64) -> Self {
        Self { given, cell: Labels::default(), law, scale, shift }
    }

    /// The condition of the row.
    #[must_use]
    pub fn given(&self) -> &Labels {
        &self.given
    }

    /// What is asked for.
    #[must_use]
    pub fn cell(&self) -> &Labels {
        &self.cell
    }

    /// Whether the law is known by draws alone, which have no density.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        matches!(self.law, RowLaw::Drawn { .. })
    }

    /// The density at a point; nothing if there is none, because the law is known by draws or is one number.
    #[must_use]
    pub fn density(&self, x: f64) -> Option<f64> {
        if self.scale == 0.0 {
            return None;
        }
        let share = (x - self.shift) / self.scale;
        let density = self.law.density(share.clamp(0.0, 1.0))?;
        Some(if (0.0..=1.0).contains(&share) { density / self.scale.abs() } else { 0.0 })
    }

    /// The probability of at most a point.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        if self.scale == 0.0 {
            return if x >= self.shift { 1.0 } else { 0.0 };
        }
        let below = self.law.cdf((x - self.shift) / self.scale);
        if self.scale > 0.0 {
            return below;
        }
        // The only law with a point of positive probability is that of the whole.
        let at = if matches!(self.law, RowLaw::Whole) && x == self.shift + self.scale { 1.0 } else { 0.0 };
        (1.0 - below + at).min(1.0)
    }

    /// The value with this probability below it.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        let share = self.law.quantile(if self.scale < 0.0 { 1.0 - p } else { p });
        self.shift + self.scale * share
    }

    /// The expected number.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.shift + self.scale * self.law.mean()
    }

    /// The variance.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.scale * self.scale * self.law.variance()
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{IntervalKind, Ways};
    use crate::{Data, Publisher, Reading};

    fn reader(prior: Option<&str>) -> super::Reader {
        let data = Data::counts([("1", 30), ("2", 25), ("4", 5)]).expect("counts");
        let publisher = Publisher::new("0.4".parse().expect("positive"));
        let publisher = prior.into_iter().fold(publisher, |publisher, prior| {
            publisher.prior(prior.parse::<crate::Prior>().expect("a prior"))
        });
        publisher.experiment(&data, 3).expect("drawn").document().reader().expect("cells")
    }

    /// If this fails, the distribution of a number is not that of which its credible interval is.
    #[test]
    fn quantiles_are_the_ends_of_credible_intervals() {
        let ways = Ways { interval: IntervalKind::Credible, ..Ways::new(0.9).expect("a level") };
        for prior in [None, Some("1,2,0.5")] {
            let reader = reader(prior).ways(ways).expect("allowed");
            for text in ["category", "category in {1, 2}", "category=1", "mean(category)"] {
                let reading: Reading = text.parse().expect(text);
                let (table, laws) =
                    (reader.read(&reading).expect(text), reader.posteriors(&reading).expect(text));
                assert_eq!(table.rows.len(), laws.len());
                for (row, law) in table.rows.iter().zip(laws) {
                    assert_eq!((&row.given, &row.cell), (law.given(), law.cell()));
                    // Draws have ranks, which are rounded in two ways.
                    let close = if law.is_drawn() { 2e-4 } else { 1e-9 };
                    for (end, p) in row.interval.iter().zip([0.05, 0.95]) {
                        assert!(
                            (law.quantile(p) - end).abs() < close,
                            "{text} {p}: {} {end}",
                            law.quantile(p)
                        );
                    }
                    assert!((law.mean() - row.mean).abs() < 10.0 * close, "{text}");
                }
            }
        }
    }

    /// If this fails, density, distribution function, mean and variance belong to different laws.
    #[test]
    fn moments_and_distribution_follow_from_the_density() {
        for text in ["category=1", "category in {1, 4}"] {
            let law = &reader(None).posteriors(&text.parse().expect(text)).expect(text)[0];
            let steps = 20_000;
            let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
            for step in 0..steps {
                let x = (f64::from(step) + 0.5) / f64::from(steps);
                let weight = law.density(x).expect("exact") / f64::from(steps);
                mass += weight;
                mean += x * weight;
                square += x * x * weight;
                if step % 1_999 == 0 {
                    // The middle of a step holds half of its weight.
                    assert!((law.cdf(x) - (mass - 0.5 * weight)).abs() < 1e-6, "{text} {x}");
                }
            }
            assert!((mass - 1.0).abs() < 1e-6 && (mean - law.mean()).abs() < 1e-6, "{text}");
            assert!((square - mean * mean - law.variance()).abs() < 1e-6, "{text}");
        }
    }
}
