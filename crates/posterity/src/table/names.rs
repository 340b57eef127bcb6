//! How names and values are written.

/// The characters that separate names.
pub(super) const SIGNS: &str = "|,={}():";

/// Words that mean something in some places, so that names like them are quoted.
const KEYWORDS: [&str; 9] = ["in", "mean", "count", "odds", "independence", "-", "/", "<", ">"];

/// A name as it is written: in quotes where it has to be. Lists of sets have `;` between them, so it is quoted too.
pub(crate) fn name_text(name: &str) -> String {
    let plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !SIGNS.contains(c) && !";\"'\\".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !KEYWORDS.contains(&name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// `{A, B}`.
pub(super) fn set_text(values: &[String]) -> String {
    format!("{{{}}}", values.iter().map(|value| name_text(value)).collect::<Vec<_>>().join(", "))
}
