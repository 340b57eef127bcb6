//! What to expect of the answers to a plan, without data.

use posterity::data::Column;
use posterity::document::Kind;
use posterity::margins::MarginsTerms;
use posterity::number::{grouped, points};
use posterity::plan::{GroupSizes, Plan, PlannedMargins, PlannedQuestion, PlannedTable, Requirement};
use posterity::table::{Space, SpaceColumn};
use posterity::{Epsilon, Reading, Terms};
use posterity_advice::design::{
    ColumnShape, Columns, DesignError, ExpectedReading, PlannedDesigns, SEED, Table, assumed, cell_shares,
    compare_with_joint, expected_readings, is_of_unknown, value_shares,
};
use posterity_core::table::Block;
use serde::Serialize;

use crate::checked::of_groups;
use crate::requirement::{Verdict, verdicts};

/// What to expect of the answers to a plan, for a number of records. No data is read, and nothing is charged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanForecast {
    /// The number of records, or of units.
    pub n: u64,
    /// What is assumed of the data, in words.
    pub assumed: String,
    /// The seed of the simulated releases; none if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What to expect of each question, on its own terms; then of the tables of many columns.
    pub questions: Vec<QuestionForecast>,
    /// The plan beside one joint release of all its columns with the same budget; none if that is the plan, or is too large, or if the columns have other categories in other questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<PlannedDesigns>,
    /// Whether what the plan requires is to be expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Verdict>,
}

/// What to expect of the readings of one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionForecast {
    /// The name of the question.
    pub name: String,
    /// What to expect of each reading; none if that cannot be said.
    pub readings: Vec<ExpectedReading>,
    /// Why it cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// That tables of many columns will say nearly nothing but noise, in words; none if they will say more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Forecasts the half-widths of all readings for n records, and compares the plan with one joint release.
///
/// # Errors
/// [`DesignError`] if there can be no such number of records.
pub fn forecast(plan: &Plan, n: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<PlanForecast, DesignError> {
    let questions: Vec<QuestionForecast> =
        plan.questions().map(|asked| expected_of(plan, asked, n, progress)).collect::<Result<_, _>>()?;
    let outside = plan.all::<PlannedTable>().any(|asked| asked.space().outside().is_some());
    let tables =
        || plan.questions().zip(&questions).filter(|(asked, _)| asked.as_a::<PlannedTable>().is_some());
    let comparison = match tables().all(|(_, question)| question.refused.is_none()) {
        // What cannot be compared is left out. All columns of many are no joint release.
        true if plan.all::<PlannedMargins>().next().is_none() => {
            compared(plan, n, outside, progress).unwrap_or_default()
        }
        _ => None,
    };
    let simulated = tables().any(|(_, question)| question.readings.iter().any(|one| one.simulated));
    let seed = simulated.then_some(SEED);
    let columns = columns(plan);
    let assumed = assumed(&columns, &shapes(plan, &columns), None, outside);
    let requirements = plan.requirements().iter();
    let requirements = requirements.flat_map(|one| expected(one, plan, &questions, n)).collect();
    Ok(PlanForecast { n, assumed, seed, questions, comparison, requirements })
}

/// The columns of all questions.
fn columns(plan: &Plan) -> Vec<SpaceColumn> {
    let of_tables = plan.all::<PlannedTable>().flat_map(|asked| asked.space().columns().to_vec());
    let of_many =
        plan.all::<PlannedMargins>().flat_map(|asked| &asked.question().columns).map(SpaceColumn::from);
    of_tables.chain(of_many).fold(Vec::new(), |mut columns, column| {
        if columns.iter().all(|known: &SpaceColumn| known.name != column.name) {
            columns.push(column);
        }
        columns
    })
}

/// How large the plan expects the groups of columns to be.
fn shapes(plan: &Plan, columns: &[SpaceColumn]) -> Vec<ColumnShape> {
    let shape = |sizes: &GroupSizes| {
        let column = columns.iter().find(|column| column.name == sizes.column())?;
        Some(ColumnShape::of_values(column, |value| sizes.of(value)))
    };
    plan.shape().iter().filter_map(shape).collect()
}

fn compared(
    plan: &Plan,
    n: u64,
    outside: bool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<PlannedDesigns>, DesignError> {
    let columns = columns(plan);
    let differs = |column: &SpaceColumn| {
        columns.iter().any(|known| known.name == column.name && known.values != column.values)
    };
    if plan.all::<PlannedTable>().flat_map(|asked| asked.space().columns()).any(differs) {
        return Ok(None);
    }
    let tables = || plan.questions().filter_map(|asked| Some((asked, asked.as_a::<PlannedTable>()?)));
    let readings: Vec<Vec<Reading>> = tables().map(|(asked, table)| shown(asked, table)).collect();
    let releases: Vec<(Vec<String>, usize, f64)> = (tables().map(|(_, table)| table).zip(&readings))
        .map(|(asked, readings)| {
            let names = asked.space().columns().iter().map(|column| column.name.clone());
            (names.collect(), readings.len(), asked.terms().epsilon.to_f64())
        })
        .collect();
    let all = readings.into_iter().flatten().collect();
    let shapes = shapes(plan, &columns);
    let mut table = Table::new(Columns::new(columns)?, all, n)?;
    for shape in shapes {
        table = table.with_shape(shape)?;
    }
    let table = if outside { table.with_outside() } else { table };
    compare_with_joint(&table, &releases, progress)
}

/// What is expected of a requirement for this many records.
fn expected(requirement: &Requirement, plan: &Plan, questions: &[QuestionForecast], n: u64) -> Vec<Verdict> {
    let mut readings = questions.iter().flat_map(|question| &question.readings);
    let widest = readings.find(|expected| expected.reading == requirement.reading).map(|one| one.widest);
    let reach = || widest.map(|reach| (format!("about {} points are expected", points(reach)), reach));
    verdicts(requirement, reach, || {
        let size = n as f64 * smallest_part(&requirement.reading, plan)?;
        Some((format!("about {} are expected", grouped(&format!("{size:.0}"))), size))
    })
}

/// Which part of all records the smallest group of a reading has, of those that somebody asked for.
fn smallest_part(reading: &Reading, plan: &Plan) -> Option<f64> {
    let asked = plan.questions().find(|asked| asked.readings().contains(reading))?;
    let space = match asked.as_a::<PlannedTable>() {
        Some(table) => table.space().clone(),
        None => space_of(asked.as_a::<PlannedMargins>()?, reading),
    };
    let grouping = reading.grouping(&space).ok()?;
    let shares = cell_shares(&space, &shapes(plan, space.columns()));
    let size = |block: &Block| -> f64 {
        block.asked().iter().flatten().chain(block.others()).map(|&cell| shares[cell]).sum()
    };
    let real = grouping.blocks().iter().filter(|block| !is_of_unknown(reading, &space, block));
    real.map(size).min_by(f64::total_cmp)
}

/// What is read of a question: its readings, or its only column.
fn shown(asked: &PlannedQuestion, table: &PlannedTable) -> Vec<Reading> {
    if !asked.readings().is_empty() {
        return asked.readings().to_vec();
    }
    let each = |column: &posterity::table::SpaceColumn| {
        Reading::shares(vec![posterity::table::Term::each(&column.name)], Vec::new())
    };
    table.space().columns().iter().map(each).collect()
}

/// What to expect of the readings of tables of many columns: what the interval of each reaches, beside what it would reach
/// without noise.
fn expected_of_margins(
    plan: &Plan,
    (name, asked): (String, &PlannedMargins),
    n: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<QuestionForecast, DesignError> {
    let columns: Vec<SpaceColumn> = asked.question().columns.iter().map(SpaceColumn::from).collect();
    let shapes = shapes(plan, &columns);
    let warning = MarginsTerms::mostly_noise(asked.plan(), n as f64);
    let expected = match asked.expected(n, &|column| value_shares(column, &shapes)) {
        Ok(expected) => expected,
        Err(error) => {
            return Ok(QuestionForecast {
                name,
                readings: Vec::new(),
                refused: Some(error.to_string()),
                warning,
            });
        }
    };
    let mut readings = Vec::new();
    for reading in asked.shown().iter().filter(|reading| !reading.is_count()) {
        let Ok(table) = expected.read(reading) else { continue };
        let mut found =
            without_noise(&space_of(asked, reading), reading, asked.terms(), (n, &shapes), progress)?;
        let about = expected.about();
        let half_widths = || of_groups(&table, about).map(|row| 0.5 * (row.interval[1] - row.interval[0]));
        if let Some(one) = &mut found {
            one.half_width = half_widths().sum::<f64>() / half_widths().count() as f64;
            one.widest = half_widths().fold(0.0, f64::max);
            one.interval = table.interval;
        }
        readings.extend(found);
    }
    Ok(QuestionForecast { name, readings, refused: None, warning })
}

/// The cells of the columns that a reading names.
fn space_of(asked: &PlannedMargins, reading: &Reading) -> Space {
    let named = |column: &&Column| reading.columns().contains(column.name.as_str());
    let columns = asked.question().columns.iter().filter(named);
    Space::new(columns.map(SpaceColumn::from).collect())
}

/// What to expect of a reading without privacy, which is all that is taken from it; nothing if its table is too large.
fn without_noise(
    space: &Space,
    reading: &Reading,
    terms: &MarginsTerms,
    assumed: (u64, &[ColumnShape]),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<ExpectedReading>, DesignError> {
    let terms = Terms { level: terms.ways.level, ..Terms::new(terms.epsilon.clone()) };
    match expected_readings(space, std::slice::from_ref(reading), &terms, assumed, progress) {
        Ok(readings) => Ok(readings.into_iter().next()),
        Err(error @ (DesignError::Records(_) | DesignError::Counts(_))) => Err(error),
        Err(_) => Ok(None),
    }
}

/// What to expect of a question, on its own terms.
fn expected_of(
    plan: &Plan,
    asked: &PlannedQuestion,
    n: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<QuestionForecast, DesignError> {
    let name = asked.name().to_owned();
    if let Some(margins) = asked.as_a::<PlannedMargins>() {
        return expected_of_margins(plan, (name, margins), n, progress);
    }
    let (readings, refused) = match asked.as_a::<PlannedTable>() {
        Some(table) => match expected_of_table(plan, (&shown(asked, table), table), n, progress) {
            Ok(readings) => (readings, None),
            Err(error @ (DesignError::Records(_) | DesignError::Counts(_))) => return Err(error),
            Err(error) => (Vec::new(), Some(error.to_string())),
        },
        None => (Vec::new(), Some(asked.unforeseen().to_owned())),
    };
    Ok(QuestionForecast { name, readings, refused, warning: None })
}

fn expected_of_table(
    plan: &Plan,
    (readings, asked): (&[Reading], &PlannedTable),
    n: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<ExpectedReading>, DesignError> {
    // Where several records of a unit count, the noise is as much wider.
    let most = asked.question().per_unit.most().get();
    let epsilon = Epsilon::from_f64(asked.terms().epsilon.to_f64() / f64::from(most))?;
    let terms = Terms { epsilon, ..asked.terms().clone() };
    let shapes = shapes(plan, asked.space().columns());
    expected_readings(asked.space(), readings, &terms, (n, &shapes), progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "
source = 'people.csv'
epsilon = 1
[columns]
ward = ['A', 'B', 'C']
cured = ['yes', 'no']
[[question]]
columns = ['ward', 'cured']
read = ['cured | ward']
[[question]]
columns = ['ward']
";

    fn forecast(text: &str, n: u64) -> Result<PlanForecast, DesignError> {
        crate::PlanFile::parse(text, std::path::Path::new("")).expect("a plan").forecast(n, &|_| ())
    }

    /// Each question on its own terms, and the plan beside one joint release. No file is there to be read.
    #[test]
    fn a_plan_is_compared_with_one_joint_release() {
        let found = forecast(PLAN, 600).expect("a forecast");
        let widths: Vec<&ExpectedReading> = found.questions.iter().flat_map(|one| &one.readings).collect();
        assert_eq!(widths.len(), 2);
        assert!(widths.iter().all(|one| one.half_width > one.without_privacy), "{widths:?}");
        let compared = found.comparison.expect("two questions");
        // The second question can be read from the first, so that its share is wasted.
        assert!(compared.joint.times < compared.planned.times, "{compared:?}");
        let spent: Vec<f64> = compared.planned.releases.iter().map(|one| one.epsilon).collect();
        assert_eq!(spent, [0.5, 0.5]);
    }

    #[test]
    fn what_cannot_be_said_is_named() {
        let other = PLAN.replace("epsilon = 1", "epsilon = 1\nmechanism = 'ehds'");
        let found = forecast(&other, 60).expect("a forecast");
        assert!(found.questions[0].refused.as_ref().is_some_and(|why| why.contains("ehds")), "{found:?}");
        assert_eq!(found.comparison, None);
        assert!(matches!(forecast(PLAN, 0), Err(DesignError::Records(_))));
        // One question about all columns is the joint release.
        let one = &PLAN[..PLAN.rfind("[[question]]").expect("two")];
        assert_eq!(forecast(one, 60).expect("a forecast").comparison, None);
        let within = PLAN.replace("epsilon = 1", "epsilon = 1\nwithin = 'age > 30'");
        assert!(forecast(&within, 600).expect("a forecast").assumed.starts_with("half of the records"));
    }

    /// If this fails, a plan is met in its forecast and not in its release, because a ward is smaller than the others.
    #[test]
    fn groups_are_as_large_as_the_plan_expects() {
        let require = "[[require]]\nread = 'cured | ward'\npoints = 10\ngroup = 60\n";
        let met = |text: &str| {
            let found = forecast(&(text.to_owned() + require), 600).expect("a forecast");
            let widest = found.questions[0].readings[0].widest;
            (found.requirements.iter().map(Verdict::word).collect::<Vec<_>>(), widest, found.assumed)
        };
        let (alike, of_alike, assumed) = met(PLAN);
        assert_eq!((alike, assumed.as_str()), (vec!["met", "met"], "all cells are equally large"));
        let shaped = PLAN.replace("epsilon = 1", "epsilon = 1\nshape = { ward = [12, 7, 1] }");
        let (uneven, of_uneven, assumed) = met(&shaped);
        assert_eq!(uneven, ["not met", "not met"]);
        assert_eq!(assumed, "the groups of ward are as large as given, and all others equally large");
        assert!(of_uneven > 2.0 * of_alike, "{of_uneven} {of_alike}");
        // The same as advice on one such release.
        let columns = "ward=3,cured=2".parse().expect("columns");
        let table =
            Table::new(columns, vec!["cured | ward".parse().expect("a reading")], 600).expect("a table");
        let table = table.with_shape("ward=12,7,1".parse().expect("a shape")).expect("fits");
        let half = Epsilon::from_f64(0.5).expect("a budget");
        let advised = posterity_advice::design::joint_readings(&table, &half).expect("advice");
        assert_eq!(advised[0].widest, of_uneven);
    }

    /// If this fails, a group of missing values that nobody asked for decides whether a plan is met.
    #[test]
    fn nobody_is_expected_to_be_in_a_group_of_missing_values() {
        let with = |missing: &str, of: &str| {
            let text = format!(
                "source = 'people.csv'\nepsilon = 1\n{missing}\n[columns]\nward = ['A', 'B']\ncured = ['yes', 'no']\n{of}\n\
                 columns = ['ward', 'cured']\nread = ['cured=yes | ward']\n\
                 [[require]]\nread = 'cured=yes | ward'\npoints = 6.5\ngroup = 500\n"
            );
            forecast(&text, 1_000).expect("a forecast")
        };
        let many = "[[margins]]\nsets = 2";
        for (of, more) in [("[[question]]", ""), (many, "delta = 1e-9\n")] {
            let missing = format!("{more}missing = 'not known'");
            let found = with(&missing, of);
            assert_eq!(found.assumed, "all cells are equally large, and no value is unknown");
            let words: Vec<_> = found.requirements.iter().map(Verdict::word).collect();
            assert_eq!(words, ["met", "met"], "{found:?}");
            let reading = &found.questions[0].readings[0];
            assert_eq!(reading.rows, 2);
            // Tables of many columns have more noise, and not that of a group without records.
            assert!(reading.widest < 0.2, "{reading:?}");
            let sized = format!("{missing}\nshape = {{ cured = {{ yes = 4, no = 4, 'not known' = 2 }} }}");
            let wider = &with(&sized, of).questions[0].readings[0];
            assert!(wider.widest > reading.widest, "{wider:?} {reading:?}");
        }
    }
}
