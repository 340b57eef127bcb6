//! Names that are almost the one that was written.

use posterity_count::letters_apart;

/// The known name that is nearest to a written one, if only few letters differ.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = 1 + written.chars().count() / 3;
    known
        .into_iter()
        .map(|name| (letters_apart(&written.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The name of files, from any text.
#[must_use]
pub fn file_name(text: &str) -> String {
    let letter = |letter: char| if letter.is_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    let name: String = text.chars().map(letter).take(80).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "question".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let known = ["epsilon", "columns", "question", "unit"];
        let table = [
            ("epsilom", Some("epsilon")),
            ("Column", Some("columns")),
            ("questions", Some("question")),
            ("units", Some("unit")),
            ("budget", None),
        ];
        for (written, expected) in table {
            assert_eq!(nearest(written, known), expected, "{written}");
        }
    }
}
