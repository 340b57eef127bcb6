//! The files of a study: all of them follow from its outline and the documents of its answers.

use std::collections::BTreeMap;

use posterity::{Contrasted, ReadingTable};
use posterity_present::Mark;
use posterity_present::csv::text;
use posterity_present::tests::tests;
use serde::Serialize;

use crate::answers::Answers;
use crate::checked::check_requirements;
use crate::csv;
use crate::error::StudyError;
use crate::files::{REPORT, REQUIREMENTS, comparison_file, picture_file, reading_files, test_file};
use crate::folder_error::FolderError;
use crate::outline::Outline;
use crate::report::report;
use crate::requirement::verdicts_sheet;
use crate::watch::Watch;

/// From the name of each file to its text.
pub(crate) fn results(
    outline: &Outline,
    answers: &Answers,
    watch: &dyn Watch,
) -> Result<BTreeMap<String, String>, StudyError> {
    let all = answers.answers().len();
    let mut files = BTreeMap::new();
    let mut pictures = Vec::with_capacity(all);
    for (index, answer) in answers.answers().iter().enumerate() {
        watch.results(index, all);
        let (name, document) = (answer.name(), answer.document());
        let drawn = answer.pictures();
        let drawn = drawn.map_err(|error| StudyError::Plot { question: name.to_owned(), error })?;
        files.insert(format!("{name}.json"), json(name, document)?);
        if let Some((posterior, cells)) = document.posterior().zip(drawn.cells.clone()) {
            files.insert(format!("{name}.svg"), cells);
            files.insert(format!("{name}.csv"), csv::cells(posterior));
        }
        let mark = Mark::new(document.is_private(), document.seed());
        add_readings(&mut files, (name, mark), answer.tables(), &drawn.tables, answer.comparisons());
        let tested = document.tests();
        if !tested.is_empty() {
            files.insert(test_file(name), text(mark.on(tests(&tested))));
        }
        pictures.push(drawn);
    }
    let verdicts = check_requirements(&outline.requirements, answers);
    if !verdicts.is_empty() {
        files.insert(REQUIREMENTS.to_owned(), text(answers.mark().on(verdicts_sheet(&verdicts))));
    }
    files.insert(REPORT.to_owned(), report(outline, answers, &pictures, &verdicts));
    watch.results(all, all);
    Ok(files)
}

/// Adds the tables that were read, with their pictures, and what was compared.
fn add_readings(
    files: &mut BTreeMap<String, String>,
    (name, mark): (&str, Mark),
    tables: &[ReadingTable],
    pictures: &[String],
    comparisons: &[Contrasted],
) {
    for ((file, table), picture) in reading_files(name, tables).into_iter().zip(tables).zip(pictures) {
        files.insert(picture_file(&file), picture.clone());
        files.insert(file, csv::reading(mark, table));
    }
    if !comparisons.is_empty() {
        files.insert(comparison_file(name), csv::comparisons(mark, comparisons));
    }
}

fn json(name: &str, document: &impl Serialize) -> Result<String, StudyError> {
    let text = posterity::json::text(document);
    let text = text.map_err(|error| FolderError::Refused {
        path: name.to_owned(),
        action: "written as JSON",
        error: error.into(),
    })?;
    Ok(text + "\n")
}
