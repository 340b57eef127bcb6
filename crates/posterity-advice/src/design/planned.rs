//! What to expect of releases that are planned already.

use posterity::Reading;
use posterity::table::Space;
use posterity::{Epsilon, Terms, TermsError};
use serde::Serialize;

use super::column_shape::{ColumnShape, cell_shares};
use super::columns::MOST_CELLS;
use super::design::{Design, DesignName, Division, ExpectedReading};
use super::design_error::DesignError;
use super::forecasts::Forecasts;
use super::one_release::OneRelease;
use super::table::{Set, Table};

/// What to expect of the readings of one release on its own terms: its prior, its mechanism, its budget and its level.
/// The records are assumed to be spread over the cells as [`cell_shares`] says.
///
/// ```
/// use posterity_advice::design::{Columns, expected_readings};
/// use posterity::Terms;
/// use posterity::table::Space;
/// let columns: Columns = "ward=3,cured=2".parse()?;
/// let space = Space::new(columns.as_slice().to_vec());
/// let expected =
///     expected_readings(&space, &["cured | ward".parse()?], &Terms::new("1".parse()?), (300, &[]), &|_| ())?;
/// assert!(expected[0].half_width > expected[0].without_privacy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DesignError`], for example if the noise of the mechanism is not modelled cell by cell.
pub fn expected_readings(
    space: &Space,
    readings: &[Reading],
    terms: &Terms,
    (n, shapes): (u64, &[ColumnShape]),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<ExpectedReading>, DesignError> {
    let cells = space.all_cells();
    if cells > MOST_CELLS {
        let reading = readings.first().map(ToString::to_string).unwrap_or_default();
        return Err(DesignError::Cells { reading, cells: cells as f64, most: MOST_CELLS });
    }
    let mechanism = terms.spec.description();
    if !mechanism.decodable || mechanism.tunable {
        return Err(DesignError::NotModelled { mechanism: mechanism.name });
    }
    let setting = terms.setting(cells, n).map_err(|error| match error {
        TermsError::Prior(error) => DesignError::Prior(error),
        TermsError::Records(error) => DesignError::Records(error),
        _ => DesignError::NotModelled { mechanism: mechanism.name },
    })?;
    let shares = cell_shares(space, shapes);
    let (prior, by) = (setting.prior().clone(), (terms.spec.clone(), terms.adjacency));
    let readings = readings.iter().filter(|reading| !reading.is_count()).cloned().collect();
    let one = OneRelease::new(space.clone(), readings, prior, (shares, n), terms.level, by)?;
    ExpectedReading::all(&one, terms.epsilon.to_f64(), &Forecasts::new(progress))
}

/// What to expect of all readings of a table, from one release of all its columns.
///
/// # Errors
/// [`DesignError`], for example if that release is too large.
pub fn joint_readings(table: &Table, epsilon: &Epsilon) -> Result<Vec<ExpectedReading>, DesignError> {
    if !table.has_joint() {
        let reading = table.readings().first().map(ToString::to_string).unwrap_or_default();
        return Err(DesignError::Cells { reading, cells: table.joint_cells(), most: MOST_CELLS });
    }
    let release = table.release(&table.joint())?;
    ExpectedReading::all(&release, epsilon.to_f64(), &Forecasts::new(&|_| ()))
}

/// Releases as they are planned, beside one joint release of all columns with the same budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedDesigns {
    /// The releases as they are planned.
    pub planned: Design,
    /// One joint release of all columns.
    pub joint: Design,
}

/// Compares releases of these sets of columns, with these budgets and readings, with one joint release. The table has
/// all readings in the order of the releases. Nothing if the joint table is too large, or if it is the plan.
///
/// # Errors
/// [`DesignError`].
pub fn compare_with_joint(
    table: &Table,
    releases: &[(Vec<String>, usize, f64)],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<PlannedDesigns>, DesignError> {
    let names = table.columns().sizes();
    let joint = table.joint();
    let mut first = 0;
    let mut sets = Vec::with_capacity(releases.len());
    for (columns, readings, _) in releases {
        let position = |column: &String| names.iter().position(|(name, _)| name == column);
        let columns = columns.iter().filter_map(position).collect();
        sets.push(Set { columns, readings: (first..first + readings).collect() });
        first += readings;
    }
    let is_joint = matches!(sets.as_slice(), [only] if only.columns == joint.columns);
    if !table.has_joint() || is_joint {
        return Ok(None);
    }
    let forecasts = Forecasts::new(progress);
    let shares: Vec<f64> = releases.iter().map(|(_, _, epsilon)| *epsilon).collect();
    let design = |name, division, sets: &[Set], shares: &[f64]| {
        let releases = sets.iter().map(|set| table.release(set)).collect::<Result<Vec<_>, _>>()?;
        Design::new(table, name, division, (sets, &releases), shares, &forecasts)
    };
    Ok(Some(PlannedDesigns {
        planned: design(DesignName::Separate, Division::Given, &sets, &shares)?,
        joint: design(DesignName::Joint, Division::Whole, &[joint], &[shares.iter().sum()])?,
    }))
}
