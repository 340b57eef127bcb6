//! Values in sentences.

/// How many values of a list are written out.
const SHOWN: usize = 12;

/// Values as they are typed after a flag: separated by commas. Of a long list, the first.
pub(crate) fn list(values: &[impl ToString]) -> String {
    let shown: Vec<String> = values.iter().take(SHOWN).map(ToString::to_string).collect();
    let rest = if values.len() > SHOWN { format!(",... ({} in all)", values.len()) } else { String::new() };
    shown.join(",") + &rest
}
