//! How long it takes to read a release.

use posterity::Reading;
use posterity::table::{Sizes, Space};

use super::design_error::DesignError;
use super::widths::Classes;

/// The sizes on which the time to read a release depends.
#[derive(Clone, Debug)]
pub(super) struct Work {
    cells: f64,
    /// For each reading: the rows that are looked at, the cells of a row, and the cells of its condition if these are
    /// not all.
    readings: Vec<(f64, f64, Option<f64>)>,
}

/// Work that is little: no need to count in larger units. One is about ten nanoseconds.
const LITTLE_WORK: f64 = 1.5e7;

/// The work of all simulated releases, and bounds on the number of pairs of releases.
const WORK_OF_ALL_RELEASES: f64 = 3e7;
const PAIRS: (f64, f64) = (2.0, 200.0);

impl Work {
    pub(super) fn new(space: &Space, readings: &[Reading], classes: &[Classes]) -> Result<Self, DesignError> {
        let cells = space.all_cells() as f64;
        let sizes = |(reading, classes): (&Reading, &Classes)| {
            let sizes = Sizes::new(reading, space)?;
            let condition = (sizes.condition < space.all_cells()).then_some(sizes.condition as f64);
            Ok((classes.rows().len() as f64, sizes.row as f64, condition))
        };
        let readings = readings.iter().zip(classes).map(sizes).collect::<Result<_, DesignError>>()?;
        Ok(Self { cells, readings })
    }

    /// About how many counts and pairs of counts are weighed to read one release of n records, or larger units.
    fn per_release(&self, n: u64, epsilon: f64) -> f64 {
        // The noise of a sum spreads as far as its largest part, or as the root of the number of its parts.
        let spread = |cells: f64| (70.0 / epsilon).max(45.0 * cells.sqrt() / epsilon).min(n as f64) + 4.0;
        let of_reading = |&(rows, row, condition): &(f64, f64, Option<f64>)| {
            let all = rows * spread(row);
            // Each end of an interval takes several looks at all pairs.
            condition.map_or(all, |condition| 30.0 * all * spread(condition))
        };
        // Beyond some hundred cells those with the same counts are looked at once.
        let cells = 10.0 * self.cells + 40.0 * self.cells.min(250.0);
        cells * spread(1.0) + self.readings.iter().map(of_reading).sum::<f64>()
    }

    pub(super) fn is_little(&self, n: u64, epsilon: f64) -> bool {
        self.per_release(n, epsilon) <= LITTLE_WORK
    }

    /// The least and the most pairs of simulated releases.
    pub(super) fn pairs(&self, n: u64, epsilon: f64) -> (usize, usize) {
        let most =
            (0.5 * WORK_OF_ALL_RELEASES / self.per_release(n, epsilon)).clamp(PAIRS.0, PAIRS.1) as usize;
        (most.min(12), most)
    }
}
