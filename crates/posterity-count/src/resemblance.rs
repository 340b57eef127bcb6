//! Values that are not declared and are almost a declared one.

use std::collections::HashMap;
use std::fmt;

use crate::cells::Dimension;
use crate::question::{Column, Domain};
use crate::whole_number::whole_literal;

/// How a value differs from a category that it resembles. It says nothing else of the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    capitals: bool,
    blanks: bool,
    accents: bool,
    digits: bool,
}

/// `in capital letters and blanks`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.capitals, "capital letters"),
            (self.blanks, "blanks"),
            (self.accents, "accents"),
            (self.digits, "how a number is written"),
        ];
        let words: Vec<&str> =
            all.into_iter().filter_map(|(differs, word)| differs.then_some(word)).collect();
        f.write_str("in ")?;
        match words.split_last() {
            Some((last, before)) if !before.is_empty() => write!(f, "{} and {last}", before.join(", ")),
            _ => f.write_str(words.first().copied().unwrap_or_default()),
        }
    }
}

/// A category that a value resembles, by its index. The least of some is the one to tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resemblance {
    /// The index of the category.
    pub(crate) category: usize,
    /// How the value differs from it, or from an alias of it.
    pub(crate) differs: Difference,
}

impl Resemblance {
    /// A number with a decimal comma, which resembles one that a bin holds.
    pub(crate) const DECIMAL_COMMA: Self = Self {
        category: 0,
        differs: Difference { capitals: false, blanks: false, accents: false, digits: true },
    };
}

/// The declared values of a column and their aliases, without what people overlook.
#[derive(Clone, Debug)]
pub(crate) struct Resemblances {
    names: Vec<(String, usize)>,
    /// From what is left of a name to its places.
    folded: HashMap<String, Vec<usize>>,
    /// The length of the longest name, so that much longer values need no look.
    longest: usize,
    /// The first and the last letter of each folded name, so that most values need none; nothing if some are not ASCII.
    ends: Option<Vec<(u8, u8)>>,
    /// Whether some name is a whole number.
    numbers: bool,
}

/// So many bytes of a value may be overlooked. A value that is longer than every name by more resembles none.
const OVERLOOKED: usize = 64;

impl Resemblances {
    pub(crate) fn new(dimension: &Dimension) -> Self {
        let names: Vec<(String, usize)> = match &dimension.domain {
            Domain::Values(values) => {
                let declared = dimension.names_of(values).filter(|(_, index)| *index < values.len());
                declared.map(|(name, index)| (name.clone(), index)).collect()
            }
            Domain::Bins(_) => Vec::new(),
        };
        let mut folded: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, (name, _)) in names.iter().enumerate() {
            folded.entry(fold(name)).or_default().push(place);
        }
        let longest = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let ends = |name: &String| match name.as_bytes() {
            [first, .., last] if first.is_ascii() && last.is_ascii() => Some((*first, *last)),
            [only] if only.is_ascii() => Some((*only, *only)),
            _ => None,
        };
        let ends = folded.keys().map(ends).collect();
        let numbers = names.iter().any(|(name, _)| name.parse::<i128>().is_ok());
        Self { names, folded, longest, ends, numbers }
    }

    /// Whether a value begins and ends as a name does. Most values that resemble none do not.
    fn has_ends(&self, value: &str) -> bool {
        let Some(ends) = &self.ends else { return true };
        let mut letters = value.bytes().filter(|byte| *byte > b' ');
        let Some(first) = letters.next() else { return false };
        let last = letters.next_back().unwrap_or(first);
        let is_plain = first.is_ascii() && last.is_ascii();
        !is_plain || ends.contains(&(first.to_ascii_lowercase(), last.to_ascii_lowercase()))
    }

    /// The category that a value which is not declared resembles, if it does: the one from which it differs in the fewest
    /// ways, and of several such the one that is declared first.
    pub(crate) fn of(&self, value: &[u8]) -> Option<Resemblance> {
        if value.len() > self.longest + OVERLOOKED {
            return None;
        }
        let value = std::str::from_utf8(value).ok()?;
        let places = if self.has_ends(value) { self.folded.get(&fold(value)) } else { None };
        let found = places.into_iter().flatten().map(|&place| {
            let (name, category) = &self.names[place];
            Resemblance { category: *category, differs: difference(name, value) }
        });
        let ways = |one: &Resemblance| {
            let Difference { capitals, blanks, accents, digits } = one.differs;
            [capitals, blanks, accents, digits].into_iter().filter(|differs| *differs).count()
        };
        found.min_by_key(|one| (ways(one), *one)).or_else(|| self.of_number(value))
    }

    /// The category that is the same number: `1` for `1.0`, as pandas writes whole numbers where some are missing.
    fn of_number(&self, value: &str) -> Option<Resemblance> {
        if !self.numbers {
            return None;
        }
        let trimmed = value.trim();
        let digits = whole_literal(trimmed.strip_prefix('+').unwrap_or(trimmed).as_bytes())?.to_string();
        let (_, category) = self.names.iter().find(|(name, _)| *name == digits)?;
        let differs = Difference { digits: true, blanks: trimmed != value, ..Difference::default() };
        Some(Resemblance { category: *category, differs })
    }
}

impl Column {
    /// The category that a value resembles which is not declared: it differs from the category, or from an alias of it, only
    /// in capital letters, blanks or accents, or in how a number is written.
    ///
    /// ```
    /// use posterity_count::Column;
    /// let ward = Column::new("ward", ["Gériatrie", "Surgery", "1"]);
    /// let like = |value: &str| ward.resembled(value).map(|(category, differs)| format!("{category} {differs}"));
    /// assert_eq!(like("surgery ").as_deref(), Some("Surgery in capital letters and blanks"));
    /// assert_eq!(like("Geriatrie").as_deref(), Some("Gériatrie in accents"));
    /// assert_eq!(like("1.0").as_deref(), Some("1 in how a number is written"));
    /// assert_eq!(like("Surgeries"), None);
    /// ```
    #[must_use]
    pub fn resembled(&self, value: &str) -> Option<(String, Difference)> {
        let (dimension, names) = Dimension::of(self).ok()?;
        let Resemblance { category, differs } = Resemblances::new(&dimension).of(value.as_bytes())?;
        Some((names[category].clone(), differs))
    }
}

/// How two names differ that are the same when folded.
fn difference(name: &str, value: &str) -> Difference {
    let kept = |keep: fn(Folding) -> Folding| {
        let folding = keep(Folding { capitals: true, blanks: true, accents: true });
        folding.of(name) != folding.of(value)
    };
    Difference {
        capitals: kept(|all| Folding { capitals: false, ..all }),
        blanks: kept(|all| Folding { blanks: false, ..all }),
        accents: kept(|all| Folding { accents: false, ..all }),
        digits: false,
    }
}

fn fold(text: &str) -> String {
    Folding { capitals: true, blanks: true, accents: true }.of(text)
}

/// What is overlooked.
#[derive(Clone, Copy)]
struct Folding {
    capitals: bool,
    blanks: bool,
    accents: bool,
}

impl Folding {
    fn of(self, text: &str) -> String {
        let mut folded = String::with_capacity(text.len());
        for letter in text.chars() {
            if self.blanks && is_blank(letter) || self.accents && is_accent(letter) {
                continue;
            }
            let letter = if self.accents { without_accent(letter) } else { letter };
            if self.capitals {
                folded.extend(letter.to_lowercase());
            } else {
                folded.push(letter);
            }
        }
        folded
    }
}

/// Blanks, also those that no line is broken at and those that have no width.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Accents that follow their letter.
fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// The letter without its accent, of the letters of European languages.
fn without_accent(letter: char) -> char {
    if letter.is_ascii() {
        return letter;
    }
    const PLAIN: [(char, &str); 23] = [
        ('a', "àáâãäåāăą"),
        ('c', "çćĉċč"),
        ('d', "ďđ"),
        ('e', "èéêëēĕėęě"),
        ('g', "ĝğġģ"),
        ('h', "ĥħ"),
        ('i', "ìíîïĩīĭįı"),
        ('j', "ĵ"),
        ('k', "ķ"),
        ('l', "ĺļľŀł"),
        ('n', "ñńņňŋ"),
        ('o', "òóôõöøōŏő"),
        ('r', "ŕŗř"),
        ('s', "śŝşšș"),
        ('t', "ţťŧț"),
        ('u', "ùúûüũūŭůűų"),
        ('w', "ŵ"),
        ('y', "ýÿŷ"),
        ('z', "źżž"),
        ('-', "‐‑–—−"),
        ('\'', "‘’ʼ"),
        ('"', "“”„"),
        (' ', "\u{a0}"),
    ];
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    match PLAIN.iter().find(|(_, accented)| accented.contains(lower)) {
        Some((plain, _)) if lower == letter => *plain,
        Some((plain, _)) => plain.to_ascii_uppercase(),
        None => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_overlook() {
        let ward =
            Column::new("ward", ["Geriatrics", "A", "a", "Straße 9", "12", "-3"]).with_alias("A", "North");
        let table = [
            ("Geriatrics ", Some(("Geriatrics", "in blanks"))),
            ("\u{a0}Geri atrics", Some(("Geriatrics", "in blanks"))),
            ("GERIATRICS", Some(("Geriatrics", "in capital letters"))),
            ("Ge\u{301}riatrics", Some(("Geriatrics", "in accents"))),
            ("géRIATRICS\u{200b}", Some(("Geriatrics", "in capital letters, blanks and accents"))),
            // The nearer of two, and of two that are equally near the one that is declared first.
            ("a ", Some(("a", "in blanks"))),
            ("A ", Some(("A", "in blanks"))),
            ("á", Some(("a", "in accents"))),
            ("north", Some(("A", "in capital letters"))),
            ("straße9", Some(("Straße 9", "in capital letters and blanks"))),
            ("12.0", Some(("12", "in how a number is written"))),
            ("+12", Some(("12", "in how a number is written"))),
            (" 012", Some(("12", "in blanks and how a number is written"))),
            ("-3.00", Some(("-3", "in how a number is written"))),
            ("12.5", None),
            ("Geriatric", None),
            ("b", None),
            ("", None),
        ];
        for (value, expected) in table {
            let found = ward.resembled(value).map(|(category, differs)| (category, differs.to_string()));
            let found = found.as_ref().map(|(category, differs)| (category.as_str(), differs.as_str()));
            assert_eq!(found, expected, "{value:?}");
        }
        let long = format!("Geriatrics{}", " ".repeat(1_000));
        assert_eq!(ward.resembled(&long), None);
    }
}
