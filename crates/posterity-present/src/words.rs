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

/// How many there are of something: "1 charge", "2 charges".
#[must_use]
pub fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_words() {
        assert_eq!(list(&[1.0, 0.5]), "1,0.5");
        assert_eq!(list(&[7; 12]), "7,7,7,7,7,7,7,7,7,7,7,7");
        assert_eq!(list(&[7; 14]), "7,7,7,7,7,7,7,7,7,7,7,7,... (14 in all)");
        assert_eq!([0, 1, 2].map(|n| counted(n, "charge")), ["0 charges", "1 charge", "2 charges"]);
    }
}
