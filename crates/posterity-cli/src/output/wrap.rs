//! Lines of at most a given width.

use std::ops::Range;

/// The byte ranges of the lines into which a text is broken between words. `first` and `other` are the widths of the
/// first line and of all others. A word that is longer than a line has a line of its own.
pub(super) fn lines(text: &str, first: usize, other: usize) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let width = if lines.len() > 1 { other } else { first };
        match lines.last_mut() {
            Some(line) if text[line.start..word.end].chars().count() <= width => line.end = word.end,
            _ => lines.push(word),
        }
    }
    lines
}

/// The byte ranges of the words between spaces.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    let ranges = text.split(' ').map(move |word| {
        let begin = next;
        next += word.len() + 1;
        begin..begin + word.len()
    });
    ranges.filter(|word| !word.is_empty())
}

/// The text broken into lines, of which all but the first are indented.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let rest = width.saturating_sub(indent);
    let lines: Vec<&str> = lines(text, width, rest).into_iter().map(|line| &text[line]).collect();
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("", 10, 2), "");
        assert_eq!(wrapped("one two three", 20, 2), "one two three");
        assert_eq!(wrapped("one two three", 7, 2), "one two\n  three");
        assert_eq!(wrapped("one two three four", 9, 2), "one two\n  three\n  four");
        assert_eq!(wrapped("über über", 4, 0), "über\nüber");
        assert_eq!(wrapped("a-very-long-word is long", 6, 1), "a-very-long-word\n is\n long");
        assert_eq!(wrapped("narrow", 0, 4), "narrow");
    }

    #[test]
    fn no_line_is_wider_than_asked_for() {
        let text =
            "Replacing any one record by any other changes the probability of every possible release. "
                .repeat(5);
        for width in [20, 60, 100] {
            let wrapped = wrapped(&text, width, 9);
            assert!(wrapped.lines().all(|line| line.chars().count() <= width), "{wrapped}");
            let words: Vec<&str> = wrapped.split_whitespace().collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
