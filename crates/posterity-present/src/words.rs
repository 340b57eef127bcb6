//! Values in sentences.

/// How many values of a list are written out.
const SHOWN: usize = 12;

/// Values as they are typed after a flag: separated by commas. Of a long list, the first.
#[must_use]
pub fn list(values: &[impl ToString]) -> String {
    let shown: Vec<String> = values.iter().take(SHOWN).map(ToString::to_string).collect();
    let rest = if values.len() > SHOWN { format!(",... ({} in all)", values.len()) } else { String::new() };
    shown.join(",") + &rest
}

/// Things in a sentence: "a", "a and b", "a, b and c".
#[must_use]
pub fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// How many there are of something: "1 charge", "2 charges".
#[must_use]
pub fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// A sentence with a capital letter at its begin.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./,:=@%+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_words() {
        assert_eq!(list(&[1.0, 0.5]), "1,0.5");
        assert_eq!(list(&[7; 12]), "7,7,7,7,7,7,7,7,7,7,7,7");
        assert_eq!(list(&[7; 14]), "7,7,7,7,7,7,7,7,7,7,7,7,... (14 in all)");
        let things = ["a", "b", "c"].map(ToOwned::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&things[..n])), ["", "a", "a and b", "a, b and c"]);
        assert_eq!([0, 1, 2].map(|n| counted(n, "charge")), ["0 charges", "1 charge", "2 charges"]);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("yes,no"), "yes,no");
        assert_eq!(quoted("year = 2025"), "'year = 2025'");
        assert_eq!(quoted("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
