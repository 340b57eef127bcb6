//! Names of categories that fit a picture.

use posterity::hidden::shown;

/// The name with its hidden characters shown, of which XML 1.0 allows only some in a document. Two more that it does
/// not allow are no characters, and become blanks.
pub(crate) fn printable(name: &str) -> String {
    shown(name).replace(['\u{fffe}', '\u{ffff}'], " ")
}

/// Whether the bundled font has all letters of a name.
pub(crate) fn is_bundled(name: &str) -> bool {
    name.chars().all(has_glyph)
}

/// The name in letters of the bundled font; its number, from one, if it is written in another script.
pub(crate) fn bundled(name: &str, index: usize) -> String {
    let mut text = String::new();
    for c in printable(name).chars() {
        match c {
            _ if has_glyph(c) => text.push(c),
            // Combining accents, which follow their letter, are left out.
            '\u{300}'..='\u{36f}' => {}
            _ => return format!("category {}", index + 1),
        }
    }
    text
}

/// A long text in lines, cut at blanks: as many letters as fit across a page.
pub(crate) fn wrapped(text: &str) -> Vec<String> {
    const LETTERS: usize = 104;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The name if it fits, else its beginning and its end: names often differ in one of them only.
pub(crate) fn shortened(name: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(name) {
        return name.to_owned();
    }
    let letters: Vec<char> = name.chars().collect();
    let keep = |count: usize| {
        let tail = count / 3;
        let head: String = letters[..count - tail].iter().collect();
        let tail: String = letters[letters.len() - tail..].iter().collect();
        format!("{}…{}", head.trim_end(), tail.trim_start())
    };
    let longest = (2..letters.len()).rev().map(&keep).find(|text| fits(text));
    longest.unwrap_or_else(|| keep(1.min(letters.len())))
}

/// The letters of European languages beyond ASCII: Latin-1 and Latin Extended-A.
const EUROPEAN: std::ops::RangeInclusive<char> = '\u{a0}'..='\u{17f}';

/// The other letters of the bundled subset of the font.
const SPECIAL: [char; 19] =
    ['Ș', 'ș', 'Ț', 'ț', 'γ', 'δ', 'ε', '–', '—', '‘', '’', '“', '”', '„', '…', '€', '−', '≤', '≥'];

/// All letters of the bundled subset of the font.
pub(crate) fn bundled_letters() -> impl Iterator<Item = char> {
    (' '..='~').chain(EUROPEAN).chain(SPECIAL)
}

/// Whether the bundled subset of the font has the character.
fn has_glyph(c: char) -> bool {
    matches!(c, ' '..='~') || EUROPEAN.contains(&c) || SPECIAL.contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_europe_are_kept_and_what_the_font_lacks_is_replaced() {
        for (name, expected) in [
            ("cured", "cured"),
            ("Café ≥ 5 €", "Café ≥ 5 €"),
            ("Cafe\u{301}", "Cafe"),
            ("Größe in Łódź", "Größe in Łódź"),
            ("東京", "category 3"),
            ("Tōkyō 東京", "category 3"),
            ("a\tb\u{202e}", "a\\tb\\u202e"),
        ] {
            assert_eq!(bundled(name, 2), expected);
        }
        assert!(is_bundled("n – 3 × γ… é") && !is_bundled("京"));
    }

    #[test]
    fn long_names_keep_both_ends() {
        let within = |most: usize| move |text: &str| text.chars().count() <= most;
        for (name, most, expected) in [
            ("income", 6, "income"),
            ("income from 10 to 20", 9, "income…20"),
            ("income from 20 to 30", 9, "income…30"),
            ("ééééé", 4, "éé…é"),
            ("ab", 1, "a…"),
            ("a", 0, "a…"),
        ] {
            assert_eq!(shortened(name, within(most)), expected);
        }
    }
}
