//! The files of a study: all of them follow from its outline and the documents of its answers.

use std::collections::BTreeMap;

use crate::answers::{Answer, Answers};
use crate::checked::check_requirements;
use crate::csv;
use crate::error::StudyError;
use crate::files::{REPORT, REQUIREMENTS, comparison_file, picture_file, reading_files};
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
        let name = answer.name();
        let drawn =
            answer.pictures().map_err(|error| StudyError::Plot { question: name.to_owned(), error })?;
        files.insert(format!("{name}.svg"), drawn.cells.clone());
        files.insert(format!("{name}.json"), json(answer)?);
        files.insert(format!("{name}.csv"), csv::cells(answer.document()));
        let tables = reading_files(name, answer.tables()).into_iter().zip(answer.tables());
        for ((file, table), picture) in tables.zip(&drawn.tables) {
            files.insert(picture_file(&file), picture.clone());
            files.insert(file, csv::reading(table));
        }
        pictures.push(drawn);
        if !answer.comparisons().is_empty() {
            files.insert(comparison_file(name), csv::comparisons(answer.comparisons()));
        }
    }
    let verdicts = check_requirements(&outline.requirements, answers);
    if !verdicts.is_empty() {
        files.insert(REQUIREMENTS.to_owned(), posterity_present::csv::text(verdicts_sheet(&verdicts)));
    }
    files.insert(REPORT.to_owned(), report(outline, answers, &pictures, &verdicts));
    watch.results(all, all);
    Ok(files)
}

fn json(answer: &Answer) -> Result<String, StudyError> {
    let text = posterity::json::text(answer.document());
    let text = text.map_err(|error| FolderError::Refused {
        path: answer.name().to_owned(),
        action: "written as JSON",
        error: error.into(),
    })?;
    Ok(text + "\n")
}
