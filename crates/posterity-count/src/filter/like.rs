//! The patterns of `LIKE`.

use super::error::FilterError;

/// A pattern: `%` stands for any text, `_` for any one character, and every other character for itself.
///
/// Upper and lower case differ. A character is one Unicode scalar value. There is no escape character unless `ESCAPE`
/// names one; it then makes the `%`, the `_` or the escape character after it stand for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// These bytes.
    Bytes(Vec<u8>),
    /// One character.
    One,
    /// Any text.
    Any,
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn new(text: &str, escape: Option<char>) -> Result<Self, FilterError> {
        let mut pieces = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                _ if Some(character) == escape => match characters.next() {
                    Some(next) if next == '%' || next == '_' || Some(next) == escape => {
                        literal(&mut pieces, next);
                    }
                    _ => {
                        let message = format!(
                            "in the pattern {text:?}, the escape character {character:?} must stand before %, _ or itself"
                        );
                        return Err(FilterError::Invalid { message });
                    }
                },
                '%' if pieces.last() == Some(&Piece::Any) => {}
                '%' => pieces.push(Piece::Any),
                '_' => pieces.push(Piece::One),
                _ => literal(&mut pieces, character),
            }
        }
        Ok(Self { pieces })
    }

    /// The pattern with a backslash as the escape character, as the query engine reads it.
    #[cfg(feature = "datafusion")]
    pub(crate) fn with_backslashes(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Any => text.push('%'),
                Piece::One => text.push('_'),
                Piece::Bytes(bytes) => {
                    for character in String::from_utf8_lossy(bytes).chars() {
                        if matches!(character, '%' | '_' | '\\') {
                            text.push('\\');
                        }
                        text.push(character);
                    }
                }
            }
        }
        text
    }

    /// Whether the whole text fits the pattern.
    #[inline]
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        // What must stand at both ends is looked at first: most texts differ there.
        match self.pieces.as_slice() {
            [pieces @ .., Piece::Any, Piece::Bytes(end)] => {
                text.last() == end.last()
                    && text.strip_suffix(end.as_slice()).is_some_and(|text| begins(pieces, text))
            }
            [pieces @ .., Piece::Any] => begins(pieces, text),
            pieces => fits(pieces, text),
        }
    }
}

/// Whether the text begins with what fits these pieces, of which the last is not `%`.
#[inline]
fn begins(pieces: &[Piece], text: &[u8]) -> bool {
    match pieces {
        [] => true,
        [Piece::Bytes(bytes)] => text.starts_with(bytes),
        [Piece::Bytes(bytes), ..] if !text.starts_with(bytes) => false,
        pieces => walk(pieces, text, |_| true),
    }
}

/// Whether the whole text fits these pieces.
fn fits(pieces: &[Piece], text: &[u8]) -> bool {
    walk(pieces, text, |at| at == text.len())
}

/// Whether the text begins with what fits these pieces and ends at a place where it may.
fn walk(pieces: &[Piece], text: &[u8], may_end: impl Fn(usize) -> bool) -> bool {
    let (mut piece, mut at) = (0, 0);
    // The piece after the last `%`, and where it was tried. Only the last one need ever be tried further on: what
    // the ones before it stand for may as well be as short as possible.
    let mut retry = None;
    loop {
        let step = match pieces.get(piece) {
            None if may_end(at) => return true,
            None => None,
            Some(Piece::Any) => {
                retry = Some((piece + 1, at));
                Some(0)
            }
            Some(Piece::One) => character(text, at),
            Some(Piece::Bytes(bytes)) => text[at..].starts_with(bytes).then_some(bytes.len()),
        };
        if let Some(step) = step {
            piece += 1;
            at += step;
            continue;
        }
        let Some((after, tried)) = retry else { return false };
        let Some(step) = character(text, tried) else { return false };
        retry = Some((after, tried + step));
        (piece, at) = (after, tried + step);
    }
}

/// Adds a character that stands for itself.
fn literal(pieces: &mut Vec<Piece>, character: char) {
    if !matches!(pieces.last(), Some(Piece::Bytes(_))) {
        pieces.push(Piece::Bytes(Vec::new()));
    }
    if let Some(Piece::Bytes(bytes)) = pieces.last_mut() {
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// How many bytes the character at this place has, if there is one.
fn character(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let (_, after) = rest.split_first()?;
    Some(1 + after.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn like(text: &str, pattern: &str) -> bool {
        Pattern::new(pattern, Some('!')).expect(pattern).matches(text.as_bytes())
    }

    #[test]
    fn goldens() {
        let table = [
            ("", "", true),
            ("", "%", true),
            ("", "_", false),
            ("a", "", false),
            ("a", "A", false),
            ("abc", "a%", true),
            ("abc", "%c", true),
            ("abc", "%b%", true),
            ("abc", "a_c", true),
            ("abc", "a__c", false),
            ("abc", "%%%", true),
            ("abcabd", "%ab_", true),
            ("aaab", "%aab", true),
            ("aaab", "a%a%a%a%b", false),
            ("ß", "_", true),
            ("日本", "__", true),
            ("日本", "_", false),
            ("日本", "日%", true),
            ("e\u{301}", "_", false),
            ("50%", "50!%", true),
            ("500", "50!%", false),
            ("a_b", "a!_b", true),
            ("axb", "a!_b", false),
            ("!", "!!", true),
            ("a\nb", "a_b", true),
            ("aba", "ab%ba", false),
            ("abba", "ab%ba", true),
            ("abxba", "_b%ba", true),
            ("ß", "_%", true),
            ("", "_%", false),
        ];
        for (text, pattern, fits) in table {
            assert_eq!(like(text, pattern), fits, "{text:?} LIKE {pattern:?}");
        }
    }

    #[test]
    fn stray_escapes_are_refused() {
        for pattern in ["!", "a!", "!a", "%!"] {
            let error = Pattern::new(pattern, Some('!'));
            assert!(matches!(error, Err(FilterError::Invalid { .. })), "{pattern}");
        }
    }

    #[test]
    fn long_texts_take_no_exponential_time() {
        let text = "a".repeat(20_000);
        assert!(!like(&text, &format!("{}b", "%a".repeat(50))));
    }

    /// The definition, character by character.
    fn defined(text: &[char], pattern: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('%', rest)) => (0..=text.len()).any(|skip| defined(&text[skip..], rest)),
            Some((first, rest)) => match text.split_first() {
                Some((character, text)) => (*first == '_' || first == character) && defined(text, rest),
                None => false,
            },
        }
    }

    proptest! {
        #[test]
        fn matching_follows_the_definition(text in "[abß日]{0,8}", pattern in "[abß日%_]{0,8}") {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            let expected = defined(&characters(&text), &characters(&pattern));
            prop_assert_eq!(Pattern::new(&pattern, None).expect("no escapes").matches(text.as_bytes()), expected);
        }
    }
}
