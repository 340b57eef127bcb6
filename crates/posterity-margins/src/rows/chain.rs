//! From independent columns to rows that follow a goal, one level after the other.
//!
//! Rows move at a temperature. The rows of a warm crowd are as varied as the goal allows: their tables are near those that
//! minimise `distance / 2 - heat * records * entropy`, so the heat says how much structure the noise must not suggest.
//! A crowd of other size needs another temperature for the same heat.
//!
//! What a set adds to its subsets is seen only beside rows that follow the subsets alone. So the singles come first, then
//! the pairs, then the triples; and before a level joins, its sets tell how far they are from such rows. A set that is
//! far in units of its noise is followed closely, one that the noise alone explains is followed loosely.

use super::board::Board;
use super::chance::Chance;
use super::crowd::{Choice, Crowd};
use super::goal::Goal;
use super::watch::{Stopped, Watch};

/// The least and the largest excess that count. Beyond the largest, rows would hardly move.
const EXCESS: (f64, f64) = (0.1, 400.0);

/// The median of a level counts like this many degrees of freedom of each of its sets, because few of them say little.
const WEIGHT_OF_MEDIAN: f64 = 4.0;

/// How often each row is visited at a level below the top: first to settle, then for the averages.
const BELOW_THE_TOP: Sweeps = Sweeps { settle: 6, average: 4 };

/// The rung of the ladder at which the lower levels settle.
const RUNG_BELOW_THE_TOP: i32 = -1;

/// How often each row is visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweeps {
    /// Before anything is measured.
    pub(super) settle: usize,
    /// While the tables are averaged.
    pub(super) average: usize,
}

impl Sweeps {
    /// All visits.
    pub(super) fn total(self) -> usize {
        self.settle + self.average
    }
}

/// Rows on their way to a goal.
pub(super) struct Chain<'a> {
    goal: &'a Goal<'a>,
    crowd: Crowd,
    board: Board,
    strengths: Vec<f64>,
    watch: &'a Watch<'a>,
    heat: f64,
}

impl<'a> Chain<'a> {
    /// Rows that have settled on all levels but the top, which has just joined.
    pub(super) fn new(
        goal: &'a Goal<'a>,
        rows: usize,
        chance: Chance,
        watch: &'a Watch<'a>,
    ) -> Result<Self, Stopped> {
        let strengths = vec![EXCESS.1.sqrt(); goal.sets_up_to(1)];
        let board = Board::new(goal, &strengths, rows);
        let crowd = Crowd::independent(goal, rows, chance);
        let mut chain = Self { goal, crowd, board, strengths, watch, heat: natural_heat(goal) };
        for level in 2..=goal.top() {
            chain.join(level)?;
        }
        Ok(chain)
    }

    /// The visits to rows before the top level joins.
    pub(super) fn visits_before(goal: &Goal, rows: usize) -> u64 {
        (goal.top().saturating_sub(1) * BELOW_THE_TOP.total() * rows) as u64
    }

    /// Moves the rows at a rung of the ladder: its heat is `2^rung` times the natural one.
    pub(super) fn settle(&mut self, rung: i32, sweeps: usize) -> Result<(), Stopped> {
        self.sweep(rung, sweeps, |_| ())
    }

    /// The mean shares of all tables while the rows move on.
    pub(super) fn average(&mut self, rung: i32, sweeps: usize) -> Result<Vec<f64>, Stopped> {
        self.average_of(self.goal.len(), rung, sweeps)
    }

    /// The rows, and how closely each set was followed.
    pub(super) fn finish(self) -> (Crowd, Vec<f64>) {
        (self.crowd, self.strengths)
    }

    fn average_of(&mut self, sets: usize, rung: i32, sweeps: usize) -> Result<Vec<f64>, Stopped> {
        let mut mean = vec![0.0; self.goal.range(sets - 1).end];
        let goal = self.goal;
        self.sweep(rung, sweeps, |crowd| {
            let shares = crowd.shares(goal, sets);
            mean.iter_mut().zip(shares).for_each(|(mean, share)| *mean += share / sweeps as f64);
        })?;
        Ok(mean)
    }

    /// Visits all rows this many times, and looks at them after each.
    fn sweep(&mut self, rung: i32, sweeps: usize, mut look: impl FnMut(&Crowd)) -> Result<(), Stopped> {
        let choice = self.choice(rung);
        let shares = &self.goal.shares()[..self.cells()];
        let mut pulls = self.crowd.pulls(self.goal, &self.board, shares);
        for _ in 0..sweeps {
            self.crowd.sweep(&self.board, &mut pulls, choice, self.watch)?;
            look(&self.crowd);
        }
        Ok(())
    }

    /// Lets the level's sets pull too, each as strongly as it stands out beside the rows so far.
    fn join(&mut self, level: usize) -> Result<(), Stopped> {
        self.settle(RUNG_BELOW_THE_TOP, BELOW_THE_TOP.settle)?;
        let sets = self.goal.sets_up_to(level);
        let shares = self.average_of(sets, RUNG_BELOW_THE_TOP, BELOW_THE_TOP.average)?;
        let joining = self.strengths.len()..sets;
        self.strengths.extend(strengths(self.goal, joining, &shares));
        self.board = Board::new(self.goal, &self.strengths, self.crowd.rows());
        Ok(())
    }

    fn cells(&self) -> usize {
        self.goal.range(self.board.sets() - 1).end
    }

    fn choice(&self, rung: i32) -> Choice {
        let heat = self.heat * libm::exp2(f64::from(rung));
        Choice::Warm(heat * self.goal.records() / self.crowd.rows() as f64)
    }
}

/// The heat at which noise and variety weigh alike: `records / (cells * variance)`, the geometric mean over the largest
/// sets.
fn natural_heat(goal: &Goal) -> f64 {
    let largest = goal.largest();
    let heat = |&set: &usize| goal.records() / (goal.range(set).len() as f64 * goal.variance(set));
    libm::exp(largest.iter().map(|set| libm::log(heat(set))).sum::<f64>() / largest.len() as f64)
}

/// The roots of the excesses: how many times more than the noise explains the sets differ from these shares.
fn strengths(goal: &Goal, sets: std::ops::Range<usize>, shares: &[f64]) -> Vec<f64> {
    let excess = |set: usize| goal.lack_of_fit(set, &shares[goal.range(set)]) / goal.freedom(set) - 1.0;
    let found: Vec<(f64, f64)> = sets.map(|set| (goal.freedom(set), excess(set))).collect();
    let median = median(found.iter().map(|&(_, excess)| excess).collect());
    let strength = |&(freedom, excess): &(f64, f64)| {
        let mixed = (freedom * excess + WEIGHT_OF_MEDIAN * median) / (freedom + WEIGHT_OF_MEDIAN);
        mixed.clamp(EXCESS.0, EXCESS.1).sqrt()
    };
    found.iter().map(strength).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    // If this fails, sets that only hold noise are followed as closely as those that hold structure.
    #[test]
    fn a_set_that_stands_out_is_followed_more_closely() {
        let codes = fixture::correlated(4000);
        let input = fixture::release(&[3, 2, 2], &codes, 2, 100.0, 1);
        let goal = Goal::of(&input);
        let watch = fixture::silent();
        let chain = Chain::new(&goal, 1000, Chance::new(1, 0), &watch).expect("not stopped");
        let (_, strengths) = chain.finish();
        // Columns 0 and 1 go together in the fixture; column 2 goes with none.
        let of = |columns: &[usize]| {
            strengths[(0..goal.len()).find(|&s| goal.columns(s) == columns).expect("a set")]
        };
        assert!(of(&[0, 1]) > 3.0 * of(&[0, 2]).max(of(&[1, 2])), "{strengths:?}");
    }

    #[test]
    fn the_median_of_none_is_zero() {
        assert!(median(vec![]).abs() < f64::MIN_POSITIVE);
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
