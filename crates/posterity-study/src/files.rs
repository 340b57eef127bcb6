//! The names of files of results.

use posterity::ReadingTable;

/// The name of files, from any text.
pub(crate) fn file_name(text: &str) -> String {
    let letter = |letter: char| if letter.is_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    let name: String = text.chars().map(letter).take(80).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "question".to_owned() } else { name }
}

/// The names of the files of the readings of an answer.
pub(crate) fn reading_files(question: &str, tables: &[ReadingTable]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for table in tables {
        let base = format!("{}-{}", question, shortened(&table.reading.to_string()));
        let mut name = format!("{base}.csv");
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{base}-{number}.csv");
            number += 1;
        }
        names.push(name);
    }
    names
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
}
