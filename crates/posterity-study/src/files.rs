//! The names of files of results.

use std::collections::{BTreeSet, HashMap};

use posterity::document::Kind as _;
use posterity::plan::{Plan, PlanError, PlannedQuestion, file_name};
use posterity::{Reading, ReadingTable, Table};

/// The file with the list of all files of a folder of results.
pub(crate) const MANIFEST: &str = "study.json";

/// The report of a study.
pub(crate) const REPORT: &str = "report.html";

/// Whether what was required is met.
pub(crate) const REQUIREMENTS: &str = "requirements.csv";

/// A name without the difference between capital and small letters, because some systems ignore it in names of files.
pub(crate) fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

/// Checks that no two questions of a plan would write the same file.
pub(crate) fn check_files(plan: &Plan) -> Result<(), PlanError> {
    let mut writers: HashMap<String, Option<&str>> = HashMap::new();
    writers.extend([MANIFEST, REPORT, REQUIREMENTS].map(|file| (folded(file), None)));
    for (index, asked) in plan.questions().enumerate() {
        for file in question_files(asked) {
            if let Some(other) = writers.insert(folded(&file), Some(asked.name())) {
                return Err(plan.wrong(index, both(asked.name(), other, &file)));
            }
        }
    }
    Ok(())
}

fn both(question: &str, other: Option<&str>, file: &str) -> String {
    match other {
        Some(other) => format!(
            "the questions {other:?} and {question:?} would both write the file {file:?} (capital letters do not tell files apart \
             everywhere); give one of them another name"
        ),
        None => format!(
            "the question {question:?} would write the file {file:?}, which every study writes; give it another name"
        ),
    }
}

/// The names of all files of a question. Only declared cells are listed in a file and drawn.
fn question_files(asked: &PlannedQuestion) -> Vec<String> {
    let ends: &[&str] = if asked.kind() == Table::NAME { &["svg", "json", "csv"] } else { &["json"] };
    let files = files_ending(ends, asked.name(), asked.readings(), !asked.comparisons().is_empty());
    let tests = (!asked.tests().is_empty()).then(|| test_file(asked.name()));
    files.into_iter().chain(tests).collect()
}

fn files_ending(ends: &[&str], question: &str, readings: &[Reading], compares: bool) -> Vec<String> {
    let mut files: Vec<String> = ends.iter().map(|end| format!("{question}.{end}")).collect();
    for file in files_of(question, readings.iter()) {
        files.extend([picture_file(&file), file]);
    }
    files.extend(compares.then(|| comparison_file(question)));
    files
}

/// The names of the files of the readings of an answer.
pub(crate) fn reading_files(question: &str, tables: &[ReadingTable]) -> Vec<String> {
    files_of(question, tables.iter().map(|table| &table.reading))
}

/// The file of the tests of a question.
pub(crate) fn test_file(question: &str) -> String {
    format!("{question}-tests.csv")
}

/// The file of the comparisons of a question.
pub(crate) fn comparison_file(question: &str) -> String {
    format!("{question}-comparisons.csv")
}

/// A file for each reading, numbered where two would be the same.
fn files_of<'a>(question: &str, readings: impl Iterator<Item = &'a Reading>) -> Vec<String> {
    let mut taken = BTreeSet::from([folded(&comparison_file(question))]);
    let mut file = |reading: &Reading| {
        let base = format!("{question}-{}", shortened(&reading.to_string()));
        let mut name = format!("{base}.csv");
        let mut number = 2;
        while !taken.insert(folded(&name)) {
            name = format!("{base}-{number}.csv");
            number += 1;
        }
        name
    };
    readings.map(&mut file).collect()
}

/// The file of the picture of a table, beside that of the table.
pub(crate) fn picture_file(table: &str) -> String {
    format!("{}.svg", table.strip_suffix(".csv").unwrap_or(table))
}

/// A reading as a part of a file name: `admitted | gender` is `admitted-by-gender`.
fn shortened(reading: &str) -> String {
    let name = file_name(&reading.replace(" | ", "-by-").replace(", ", "-"));
    let mut short = String::new();
    for letter in name.chars() {
        if letter != '-' || !short.ends_with('-') {
            short.push(letter);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_name_their_files() {
        assert_eq!(shortened("admitted | department, gender"), "admitted-by-department-gender");
        assert_eq!(shortened("ward in {A, B}"), "ward-in-A-B");
        assert_eq!(picture_file("question-ward-in-A-B.csv"), "question-ward-in-A-B.svg");
    }

    #[test]
    fn no_two_files_of_a_question_are_the_same() {
        let readings = ["ward", "Ward", "ward in {A, \"B C\"}", "ward in {\"A B\", C}", "comparisons"]
            .map(|text| text.parse::<Reading>().expect("a reading"));
        let files = files_ending(&["svg", "json", "csv"], "q", &readings, true);
        let expected = ["q-Ward-2.csv", "q-ward-in-A-B-C-2.csv", "q-comparisons.csv", "q-comparisons-2.csv"];
        assert!(expected.iter().all(|one| files.iter().any(|file| file == one)), "{files:?}");
        let different: BTreeSet<String> = files.iter().map(|file| folded(file)).collect();
        assert_eq!(different.len(), files.len(), "{files:?}");
    }
}
