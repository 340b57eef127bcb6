//! Names that are almost the one that was written.

/// The known name that is nearest to a written one, if only few letters differ.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = 1 + written.chars().count() / 3;
    known
        .into_iter()
        .map(|name| (distance(&written.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters have to be added, removed or replaced (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(letter != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }
}
