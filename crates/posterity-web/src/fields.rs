//! The fields of an address or of a form, as a struct of the page.
//!
//! Blanks around a value are dropped, an empty value counts as missing, and of several fields with one name the first
//! counts.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::de::value::{Error, MapDeserializer};

use crate::failure::Failure;
use crate::sentence::sentence;

/// The most fields that are read. Our own forms have fewer.
const MAX_FIELDS: usize = 100;

/// Reads a text such as `n=90&k=2`. What is no Unicode becomes a replacement character. Fields after the first hundred
/// are dropped.
pub(crate) fn fields<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    let mut fields = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(text).take(MAX_FIELDS) {
        fields.entry(name).or_insert(value);
    }
    let typed = fields.into_iter().map(|(name, value)| (name, value.trim().to_owned()));
    let typed = typed.filter(|(_, value)| !value.is_empty());
    T::deserialize(MapDeserializer::new(typed)).map_err(|error: Error| Failure::Bad(sentence(error)))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::typed::Typed;

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Asked {
        n: Typed<u64>,
        #[serde(rename = "a b")]
        strange: Typed,
        empty: Typed,
        a100: Typed,
    }

    #[test]
    fn reads_fields() {
        let read = |text: &str| fields::<Asked>(text.as_bytes()).expect("read");
        let asked = read("n=+90+&a+b=%3Cx%3E&empty=&n=7&other=1");
        assert_eq!(asked.n.value(), Ok(Some(90)));
        assert_eq!((&*asked.strange, asked.empty.get()), ("<x>", None));
        assert_eq!(&*read("a+b=%ff%zz").strange, "\u{fffd}%zz");
        let many: String = (1..=200).map(|index| format!("a{index}=1&")).collect();
        assert_eq!(read(&many).a100.get(), Some("1"));
        assert_eq!(read(&format!("n=1&{many}")).a100.get(), None);
    }
}
