//! One field of a form: the text that was typed, and the type that it stands for.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

use serde::Deserialize;

use crate::sentence::sentence;

/// What was typed into a field; empty if nothing was. The text is kept, so that a form can be shown again.
#[derive(Deserialize)]
#[serde(from = "String")]
pub(crate) struct Typed<T = String> {
    text: String,
    means: PhantomData<fn() -> T>,
}

impl<T> Typed<T> {
    /// The text; none if nothing was typed.
    pub(crate) fn get(&self) -> Option<&str> {
        (!self.text.is_empty()).then_some(&*self.text)
    }

    /// The text, or the usual one if nothing was typed.
    pub(crate) fn or<'a>(&'a self, usual: &'a str) -> &'a str {
        self.get().unwrap_or(usual)
    }
}

impl<T: FromStr<Err: Display>> Typed<T> {
    /// What the text means, or what is wrong with it; none if nothing was typed.
    pub(crate) fn value(&self) -> Result<Option<T>, String> {
        self.get().map(|text| text.parse().map_err(sentence)).transpose()
    }

    /// What the text means. `remedy` is said if nothing was typed.
    pub(crate) fn required(&self, remedy: &str) -> Result<T, String> {
        self.value()?.ok_or_else(|| remedy.to_owned())
    }
}

impl<T, S: Into<String>> From<S> for Typed<T> {
    fn from(text: S) -> Self {
        Self { text: text.into(), means: PhantomData }
    }
}

impl<T> Deref for Typed<T> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<T> Default for Typed<T> {
    fn default() -> Self {
        "".into()
    }
}

impl<T> Clone for Typed<T> {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<T> Display for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Numbers with commas between them; none if nothing was typed. `name` is that of the field.
pub(crate) fn numbers(typed: &Typed) -> Result<Option<Vec<f64>>, String> {
    let Some(text) = typed.get() else { return Ok(None) };
    let parsed: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let wrong = |_| format!("{text:?} is no list of numbers. Put commas between them: 6, 1, 3.");
    parsed.map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_kept() {
        let typed = |text: &str| Typed::<u8>::from(text);
        assert_eq!((typed("7").value(), typed("").value()), (Ok(Some(7)), Ok(None)));
        assert_eq!(typed("").required("Give one."), Err("Give one.".to_owned()));
        let wrong = typed("x");
        assert_eq!((wrong.or("1"), typed("").or("1")), ("x", "1"));
        assert_eq!(wrong.required("Give one."), Err("Invalid digit found in string.".to_owned()));
    }
}
