//! Joint draws of the shares of a grouping.

use super::grouping::Grouping;
use super::laws::Sums;
use crate::model::Dirichlet;
use crate::noise_aware::{NoiseAware, Points, Tree};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SeededBits, SourceError, unchecked_dirichlet};
use crate::special::Sum;

/// Draws the counts of the groups from their posterior given the release, and then the shares of the groups in their
/// blocks given the counts. Each draw is exact up to floating-point arithmetic, and draws are independent. They are for
/// analysis, not for privacy.
#[derive(Debug)]
pub struct Draws {
    /// The counts of the groups of each block, of the others of a block as its last group, and then of the rest.
    counts: GroupCounts,
    /// The prior parameter of each group, or that of a Dirichlet distribution without counts.
    alpha: Vec<f64>,
    /// How many groups each block has, with the others, and how many of these are asked for.
    blocks: Vec<(usize, usize)>,
    n: u64,
}

/// The law of the counts of all groups.
#[derive(Debug)]
enum GroupCounts {
    /// There are none: the distribution is known without them.
    Nothing,
    /// Sums of independent cells, given that all sum to n.
    Tree(Box<Tree>),
    /// A list.
    Listed(Points),
}

/// One draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draw {
    /// For each block, the shares of its groups. With others in the block they sum to less than one.
    pub shares: Vec<Vec<f64>>,
    /// The expected shares given the counts that were drawn. Their average has less Monte-Carlo error than that of the
    /// shares.
    pub expected: Vec<Vec<f64>>,
}

/// This many draws have one stream of random numbers, so that they do not depend on the number of cores.
const BATCH: u64 = 512;

impl Draws {
    /// The sampler of a grouping of the cells.
    #[must_use]
    pub fn new(aware: &NoiseAware, grouping: &Grouping) -> Self {
        let groups = groups(grouping);
        let counts = match (Sums::new(aware), aware.points()) {
            (Some(sums), _) => {
                let masses = sums.parallelism.map(&groups, |cells| sums.of_cells(cells));
                GroupCounts::Tree(Box::new(sums.tree(masses)))
            }
            (None, Some(points)) => GroupCounts::Listed(points.summed(&groups)),
            // What has no laws of cells is listed.
            (None, None) => GroupCounts::Nothing,
        };
        Self { counts, n: aware.n(), ..Self::plain(aware.alpha(), grouping) }
    }

    /// The sampler of a Dirichlet distribution over the cells, which knows nothing of the noise.
    ///
    /// # Panics
    /// If the distribution has fewer cells than the grouping.
    #[must_use]
    pub fn of_dirichlet(dirichlet: &Dirichlet, grouping: &Grouping) -> Self {
        Self::plain(dirichlet.parameters(), grouping)
    }

    fn plain(parameters: &[f64], grouping: &Grouping) -> Self {
        let sum = |cells: &&[usize]| cells.iter().map(|&cell| parameters[cell]).collect::<Sum>().value();
        let blocks = grouping.blocks().iter().map(|block| (block.members().count(), block.asked().len()));
        let alpha = groups(grouping).iter().map(sum).collect();
        Self { counts: GroupCounts::Nothing, alpha, blocks: blocks.collect(), n: 0 }
    }

    /// One draw.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn draw(&self, bits: &mut dyn BitSource) -> Result<Draw, SourceError> {
        let mut parameters = self.alpha.clone();
        let mut counts = Vec::with_capacity(self.alpha.len());
        match &self.counts {
            GroupCounts::Nothing => {}
            GroupCounts::Tree(tree) => tree.sample(self.n, bits, &mut counts)?,
            GroupCounts::Listed(points) => counts = points.sample(bits)?,
        }
        parameters.iter_mut().zip(counts).for_each(|(parameter, count)| *parameter += count as f64);
        let mut draw = Draw::default();
        let mut start = 0;
        for &(groups, asked) in &self.blocks {
            let inside = &parameters[start..start + groups];
            // Given the counts, the shares within a block do not depend on those of other blocks.
            let mut shares = unchecked_dirichlet(inside, bits)?;
            let total: f64 = inside.iter().sum();
            shares.truncate(asked);
            draw.shares.push(shares);
            draw.expected.push(inside[..asked].iter().map(|parameter| parameter / total).collect());
            start += groups;
        }
        Ok(draw)
    }

    /// Applies `one` to each draw from a seed, on all cores. The result depends on the seed only.
    pub fn map<T: Send>(&self, draws: u64, seed: u64, one: impl Fn(&Draw) -> T + Sync + Send) -> Vec<T> {
        let batches = Parallelism::AllCores.map(0..draws.div_ceil(BATCH), |batch| {
            // Streams of different seeds and batches do not overlap in practice: the generator mixes its seed.
            let mut bits = SeededBits::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(batch));
            let length = BATCH.min(draws - batch * BATCH);
            // A seeded source does not fail.
            (0..length).filter_map(|_| self.draw(&mut bits).ok()).map(|draw| one(&draw)).collect::<Vec<T>>()
        });
        batches.into_iter().flatten().collect()
    }
}

/// The groups of each block, with the others of a block as its last group, and then the rest.
fn groups(grouping: &Grouping) -> Vec<&[usize]> {
    let rest = (!grouping.rest().is_empty()).then_some(grouping.rest());
    grouping.blocks().iter().flat_map(|block| block.members()).chain(rest).collect()
}
