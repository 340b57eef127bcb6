//! Names that are almost the one that was written.

use posterity::data::letters_apart;

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
