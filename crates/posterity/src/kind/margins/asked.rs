//! What a reading asks of the released tables.

use posterity_margins::{ColumnSet, Workload};

use super::which::names;
use crate::about::{About, AboutColumn};
use crate::table::{
    Bins, Contrast, ContrastKind, IntervalKind, Layout, NumberOf, Numbers, Reading, ReadingError, Side,
    Space, SpaceColumn, Statistic, Term, Ways, Words,
};

/// How many of the sets that hold some of the columns an error names.
const TOLD: usize = 5;

/// Refuses readings and comparisons that these tables do not have.
pub(super) fn check(
    about: &About,
    workload: &Workload,
    readings: &[Reading],
    comparisons: &[Contrast],
) -> Result<(), ReadingError> {
    readings.iter().try_for_each(|reading| LaidOut::new(about, workload, reading).map(|_| ()))?;
    comparisons.iter().try_for_each(|one| check_contrast(about, workload, one))
}

/// Refuses credible intervals of numbers of records.
pub(super) fn check_kind(ways: Ways, readings: &[Reading]) -> Result<(), ReadingError> {
    if ways.interval == IntervalKind::Confidence {
        return Ok(());
    }
    let statistics: Vec<Statistic> = readings.iter().map(Reading::statistic).collect();
    if statistics.contains(&Statistic::Count) {
        return Err(ReadingError::NoCredible);
    }
    if statistics.contains(&Statistic::Sum) {
        return Err(ReadingError::ConfidenceOnly { what: "sums" });
    }
    if statistics.contains(&Statistic::Quantile) {
        return Err(ReadingError::ConfidenceOnly { what: "quantiles of a release of many tables" });
    }
    Ok(())
}

/// A reading with its columns and their cells.
pub(super) struct LaidOut {
    pub(super) set: ColumnSet,
    pub(super) layout: Layout,
    /// The labels of its values.
    pub(super) words: Words,
    /// Of a mean or another number of a column, the numbers of each group of each condition.
    pub(super) numbers: Option<Numbers>,
    /// Of the shares below each edge, those shares.
    pub(super) bins: Option<Bins>,
}

impl LaidOut {
    pub(super) fn new(about: &About, workload: &Workload, reading: &Reading) -> Result<Self, ReadingError> {
        if let Some((what, column)) = reading.number_of() {
            let term = Term::each(column);
            let (set, space) = together(about, workload, reading.given().iter().chain([&term]))?;
            let words = Words::of_reading(&space, reading);
            if *what == NumberOf::Cumulative {
                let bins = Some(Bins::new(&space, reading, column)?);
                let layout = Layout::of(&space, reading)?;
                return Ok(Self { set, layout, words, numbers: None, bins });
            }
            let (layout, numbers) = Numbers::new(&space, reading, column)?;
            return Ok(Self { set, layout, words, numbers: Some(numbers), bins: None });
        }
        let (set, space) = together(about, workload, reading.shares_of().iter().chain(reading.given()))?;
        let (layout, words) = (Layout::of(&space, reading)?, Words::of_reading(&space, reading));
        Ok(Self { set, layout, words, numbers: None, bins: None })
    }
}

/// A comparison with its columns and the cells of both sides.
pub(super) struct LaidOutContrast {
    pub(super) set: ColumnSet,
    pub(super) sides: [Side; 2],
}

/// Refuses a comparison that these tables do not have.
fn check_contrast(about: &About, workload: &Workload, contrast: &Contrast) -> Result<(), ReadingError> {
    match contrast.readings() {
        Some(sides) => sides.iter().try_for_each(|side| LaidOut::new(about, workload, side).map(|_| ())),
        None => LaidOutContrast::new(about, workload, contrast).map(|_| ()),
    }
}

impl LaidOutContrast {
    pub(super) fn new(about: &About, workload: &Workload, contrast: &Contrast) -> Result<Self, ReadingError> {
        if contrast.kind() == ContrastKind::Independence {
            return Err(ReadingError::NoIndependence);
        }
        let (set, space) = together(about, workload, contrast.shares_of().iter().chain(contrast.given()))?;
        let sides = [Side::new(&space, contrast, 0)?, Side::new(&space, contrast, 1)?];
        Ok(Self { set, sides })
    }
}

/// The columns of some terms, which stand together in a table, and the cells of that table.
fn together<'a>(
    about: &About,
    workload: &Workload,
    terms: impl Iterator<Item = &'a Term>,
) -> Result<(ColumnSet, Space), ReadingError> {
    let set = columns(about, terms)?;
    if workload.find(&set).is_none() {
        let (columns, held) = (names(&set, &about.columns), held(about, workload, &set));
        return Err(ReadingError::NotTogether { columns, held });
    }
    let space = space(set.columns().iter().map(|&column| &about.columns[usize::from(column)]));
    Ok((set, space))
}

/// The cells of some columns.
pub(super) fn space<'a>(columns: impl Iterator<Item = &'a AboutColumn>) -> Space {
    Space::new(columns.map(SpaceColumn::from).collect())
}

/// The columns of some terms.
fn columns<'a>(about: &About, terms: impl Iterator<Item = &'a Term>) -> Result<ColumnSet, ReadingError> {
    let mut found = Vec::new();
    for term in terms {
        let at = about.columns.iter().position(|column| column.name == term.column);
        let at = at.ok_or_else(|| ReadingError::UnknownColumn {
            column: term.column.clone(),
            columns: about.columns.iter().map(|column| column.name.clone()).collect(),
        })?;
        found.push(at as u16);
    }
    // A column may stand on both sides.
    found.sort_unstable();
    found.dedup();
    ColumnSet::new(found).map_err(|error| ReadingError::Document { reason: error.to_string() })
}

/// A few sets that hold as many of these columns as any.
fn held(about: &About, workload: &Workload, wanted: &ColumnSet) -> Vec<String> {
    let shared = |set: &ColumnSet| set.columns().iter().filter(|&&column| wanted.contains(column)).count();
    let maximal = workload.maximal().into_iter().map(|index| &workload.sets()[index]);
    let mut sets: Vec<&ColumnSet> = maximal.collect();
    // The sort keeps the order of sets that share as many.
    sets.sort_by_key(|set| std::cmp::Reverse(shared(set)));
    sets.into_iter().take(TOLD).map(|set| names(set, &about.columns)).collect()
}
