//! The fields of an address or of a form, as a struct of the page.
//!
//! Blanks around a value are dropped, but not those of spellings and labels, which are taken as they are written. An empty value
//! counts as missing, and of several fields with one name the first counts.

use std::collections::BTreeMap;

use posterity::plan::{Form, Place, field};
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
    let typed = fields.into_iter().filter(|(_, value)| !value.trim().is_empty());
    let typed = typed.map(|(name, value)| {
        let kept = if is_verbatim(&name) { &*value } else { value.trim() };
        (name, kept.to_owned())
    });
    T::deserialize(MapDeserializer::new(typed)).map_err(|error: Error| Failure::Bad(sentence(error)))
}

/// Whether the input of a column takes lines as they are written: a value of the data may begin or end with blanks.
fn is_verbatim(input: &str) -> bool {
    let name = input.trim_end_matches(|letter: char| letter.is_ascii_digit());
    field(name).is_some_and(|field| field.places == [Place::Column] && matches!(field.form, Form::Texts))
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
        aliases0: Typed,
        labels3: Typed,
        a100: Typed,
    }

    #[test]
    fn reads_fields() {
        let read = |text: &str| fields::<Asked>(text.as_bytes()).expect("read");
        let asked = read("n=+90+&a+b=%3Cx%3E&empty=&n=7&other=1");
        assert_eq!(asked.n.value(), Ok(Some(90)));
        // A blank is a part of a spelling, also on the last line.
        let spelled = read("aliases0=A%3Da%0D%0AA%3DA+&labels3=+%0D%0A");
        assert_eq!((&*spelled.aliases0, spelled.labels3.get()), ("A=a\r\nA=A ", None));
        assert_eq!((&*asked.strange, asked.empty.get()), ("<x>", None));
        assert_eq!(&*read("a+b=%ff%zz").strange, "\u{fffd}%zz");
        let many: String = (1..=200).map(|index| format!("a{index}=1&")).collect();
        assert_eq!(read(&many).a100.get(), Some("1"));
        assert_eq!(read(&format!("n=1&{many}")).a100.get(), None);
    }
}
