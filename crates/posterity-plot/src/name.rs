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
        match plain(c) {
            _ if has_glyph(c) => text.push(c),
            Some(plain) => text.push_str(plain),
            None => return format!("category {}", index + 1),
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

/// The letters of the bundled subset of the font besides those of ASCII.
const SPECIAL: [char; 9] = ['±', '·', '×', 'γ', 'δ', 'ε', '–', '…', '−'];

/// All letters of the bundled subset of the font.
pub(crate) fn bundled_letters() -> impl Iterator<Item = char> {
    (' '..='~').chain(SPECIAL)
}

/// Whether the bundled subset of the font has the character.
fn has_glyph(c: char) -> bool {
    matches!(c, ' '..='~') || SPECIAL.contains(&c)
}

/// The character in letters of the bundled font, without accents.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' => "A",
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'Æ' => "AE",
        'æ' => "ae",
        'Ç' | 'Ć' | 'Č' => "C",
        'ç' | 'ć' | 'č' => "c",
        'Ď' | 'Đ' | 'Ð' => "D",
        'ď' | 'đ' | 'ð' => "d",
        'È'..='Ë' | 'Ē' | 'Ė' | 'Ę' | 'Ě' => "E",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'Ğ' => "G",
        'ğ' => "g",
        'Ì'..='Ï' | 'Ī' | 'İ' => "I",
        'ì'..='ï' | 'ī' | 'ı' => "i",
        'Ł' => "L",
        'ł' => "l",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ñ' | 'ń' | 'ň' => "n",
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ő' => "O",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'Œ' => "OE",
        'œ' => "oe",
        'Ř' => "R",
        'ř' => "r",
        'Ś' | 'Ş' | 'Š' | 'Ș' => "S",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'Ť' | 'Ț' => "T",
        'ť' | 'ț' => "t",
        'Ù'..='Ü' | 'Ū' | 'Ů' | 'Ű' => "U",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'Ý' | 'Ÿ' => "Y",
        'ý' | 'ÿ' => "y",
        'Ź' | 'Ż' | 'Ž' => "Z",
        'ź' | 'ż' | 'ž' => "z",
        '\u{a0}' => " ",
        '‘' | '’' => "'",
        '“' | '”' | '„' => "\"",
        '—' => "–",
        '≤' => "<=",
        '≥' => ">=",
        '€' => "EUR",
        // Combining accents, which follow their letter.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_font_lacks_is_replaced() {
        for (name, expected) in [
            ("cured", "cured"),
            ("Café ≥ 5 €", "Cafe >= 5 EUR"),
            ("Cafe\u{301}", "Cafe"),
            ("Straße", "Strasse"),
            ("東京", "category 3"),
            ("Tōkyō 東京", "category 3"),
            ("a\tb\u{202e}", "a\\tb\\u202e"),
        ] {
            assert_eq!(bundled(name, 2), expected);
        }
        assert!(is_bundled("n – 3 × γ…") && !is_bundled("é"));
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
