//! Whether answers are as they must be.

use posterity::number::{grouped, points};
use posterity::plan::Requirement;
use posterity::table::{ReadingRow, ReadingTable, Statistic};
use posterity::{About, Reading};

use crate::answers::Answers;
use crate::requirement::{Verdict, verdicts, written};

/// What is found of each requirement in the answers.
#[must_use]
pub fn check_requirements(requirements: &[Requirement], answers: &Answers) -> Vec<Verdict> {
    requirements.iter().flat_map(|requirement| check(requirement, answers)).collect()
}

fn check(requirement: &Requirement, answers: &Answers) -> Vec<Verdict> {
    let found = find(&requirement.reading, answers);
    let reach = || {
        let found = found.as_ref()?;
        let (reach, of) = widest(found.table, found.about)?;
        Some((format!("at most {} points{}", points(reach), at(&of)), reach))
    };
    let group = || {
        let Found { about, read, .. } = found.as_ref()?;
        let (least, of) = smallest(&read(&Reading::count(requirement.reading.given().to_vec()))?, about)?;
        Some((format!("at least {}{}", grouped(&least.to_string()), at(&of)), least))
    };
    let before = answers.agreed().map(|agreed| agreed.requirements.contains(&written(requirement)));
    let verdicts = verdicts(requirement, reach, group).into_iter();
    verdicts.map(|verdict| Verdict { before_the_draw: before, ..verdict }).collect()
}

/// Reads more from a release.
type Reader<'a> = Box<dyn Fn(&Reading) -> Option<ReadingTable> + 'a>;

/// The table of a reading, what its release is about, and what reads more from it.
struct Found<'a> {
    table: &'a ReadingTable,
    about: &'a About,
    read: Reader<'a>,
}

fn find<'a>(reading: &Reading, answers: &'a Answers) -> Option<Found<'a>> {
    answers.answers().iter().find_map(|answer| {
        let table = answer.tables().iter().find(|table| table.reading == *reading)?;
        let read: Reader<'a> = Box::new(|reading| answer.document().read(reading).ok());
        Some(Found { table, about: answer.document().about(), read })
    })
}

/// The rows of real groups. A group of missing or other values is none that somebody asked for, and fails nothing.
pub(crate) fn of_groups<'a>(
    table: &'a ReadingTable,
    about: &'a About,
) -> impl Iterator<Item = &'a ReadingRow> {
    let is_real =
        |row: &&ReadingRow| !row.given.iter().any(|(column, value)| about.is_unknown(column, value));
    table.rows.iter().filter(is_real)
}

/// How far the widest interval of a reading reaches, and of what it is.
fn widest(table: &ReadingTable, about: &About) -> Option<(f64, String)> {
    if table.statistic != Statistic::Share {
        return None;
    }
    let reach = |[low, high]: [f64; 2], shown: f64| (shown - low).max(high - shown);
    let reached =
        |row: &ReadingRow| (reach(row.interval, row.shown()), table.words.row(&row.given, &row.cell));
    let rows = of_groups(table, about).map(reached);
    rows.max_by(|(one, _), (other, _)| one.total_cmp(other))
}

/// The least number of records that the interval of a group leaves possible, and which group it is.
fn smallest(counts: &ReadingTable, about: &About) -> Option<(f64, String)> {
    let rows = of_groups(counts, about).map(|row| (row.interval[0], counts.words.row(&row.given, &row.cell)));
    rows.min_by(|(one, _), (other, _)| one.total_cmp(other))
}

fn at(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(", at {label}") }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::plan_file::PlanFile;
    use crate::study::Study;

    const PLAN: &str = "
source = 'people.csv'
epsilon = 1
[columns]
ward = ['A', 'B']
cured = ['yes', 'no']
[[question]]
columns = ['ward', 'cured']
read = ['cured=yes | ward', 'ward']
[[require]]
read = 'cured=yes | ward'
points = 8
group = 100
[[require]]
read = 'ward'
group = 1000
";

    fn words(verdicts: &[Verdict]) -> Vec<&'static str> {
        verdicts.iter().map(Verdict::word).collect()
    }

    /// If this fails, a committee is told that its terms are met where they are not, or the other way round.
    #[test]
    fn requirements_are_forecast_and_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |a: usize, b: usize| {
            let people = |ward: &str, size: usize| -> String {
                (0..size)
                    .map(|id| format!("{ward},{}\n", if id.is_multiple_of(3) { "yes" } else { "no" }))
                    .collect()
            };
            let text = format!("ward,cured\n{}{}", people("A", a), people("B", b));
            std::fs::write(folder.path().join("people.csv"), text).expect("written");
        };
        let plan = |text: &str| PlanFile::parse(text, folder.path());
        let checked = |a: usize, b: usize| {
            write(a, b);
            let plan = plan(PLAN).expect("a plan");
            let requirements = plan.plan().requirements().to_vec();
            check_requirements(
                &requirements,
                &Study::new(plan).expect("a study").experiment(1, &()).expect("drawn"),
            )
        };
        assert_eq!(words(&checked(600, 500)), ["met", "met", "met"]);
        // One ward is small: its interval is wide, and it may have fewer than a hundred.
        let small = checked(900, 60);
        assert_eq!(words(&small), ["not met", "not met", "not met"]);
        assert!(small[0].found.contains("yes | B") && small[1].found.ends_with(", at B"), "{small:?}");
        let forecast = |n| plan(PLAN).expect("a plan").forecast(n, &|_| ()).expect("a forecast").requirements;
        assert_eq!(words(&forecast(1100)), ["met", "met", "met"]);
        assert_eq!(words(&forecast(150)), ["not met", "not met", "not met"]);
    }

    /// If this fails, records without a ward make a group that fails what was required of wards.
    #[test]
    fn groups_of_missing_values_fail_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let people = |ward: &str, size: usize| -> String {
            let cured = |id: usize| {
                if id.is_multiple_of(10) {
                    ""
                } else if id.is_multiple_of(3) {
                    "yes"
                } else {
                    "no"
                }
            };
            (0..size).map(|id| format!("{ward},{}\n", cured(id))).collect()
        };
        let text = format!("ward,cured\n{}{}{}", people("A", 600), people("B", 500), people("", 7));
        std::fs::write(folder.path().join("people.csv"), text).expect("written");
        let plan = PLAN.replace("epsilon = 1", "epsilon = 1\nmissing = 'unknown'");
        let plan = PlanFile::parse(&plan, folder.path()).expect("a plan");
        let requirements = plan.plan().requirements().to_vec();
        let answers = Study::new(plan).expect("a study").experiment(1, &()).expect("drawn");
        let table = &answers.answers()[0].tables()[0];
        assert!(table.unknown.is_some() && table.rows.len() == 3, "{table:?}");
        let found = check_requirements(&requirements, &answers);
        assert_eq!(words(&found), ["met", "met", "met"], "{found:?}");
    }

    #[test]
    fn rejects() {
        for (from, to, said) in [
            ("read = 'ward'\ngroup", "read = 'cured'\ngroup", "no question reads"),
            ("points = 8\ngroup = 100\n", "", "say points = 5"),
            ("points = 8", "points = 0", "above zero"),
            ("group = 100\n", "group = 2.5\n", "whole number"),
            ("points = 8", "point = 8", "points"),
            ("'cured=yes | ward', 'ward'", "'count | ward', 'ward', 'cured=yes | ward'", ""),
        ] {
            let found = PlanFile::parse(&PLAN.replace(from, to), Path::new(""));
            match (said, found) {
                ("", found) => assert!(found.is_ok(), "{to}"),
                (said, found) => {
                    let error = found.expect_err(to).to_string();
                    assert!(error.contains(said), "{error}");
                }
            }
        }
        let counted = PLAN
            .replace("'ward']\n[[require]]", "'count']\n[[require]]")
            .replace("read = 'ward'\ngroup = 1000", "read = 'count'\npoints = 3");
        let error = PlanFile::parse(&counted, Path::new("")).expect_err("points of a count").to_string();
        assert!(error.contains("points are of shares"), "{error}");
    }
}
