//! The fields of a form, or of the part of an address after its question mark.

/// The most fields of a form. Our own forms have fewer.
const MOST: usize = 100;

/// Names and values, in the order in which they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields of a text such as `n=90&k=2`. What cannot be read becomes a replacement character. Further fields are dropped.
    pub(crate) fn new(text: &[u8]) -> Self {
        Self(
            form_urlencoded::parse(text)
                .take(MOST)
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    /// These fields.
    pub(crate) fn of(fields: &[(&str, &str)]) -> Self {
        Self(fields.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The same with a field set.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.retain(|(one, _)| one != name);
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The value of a field, without blanks around it. An empty one counts as missing.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    }

    /// The value of a field, or nothing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_forms() {
        let fields = Fields::new(b"n=90&a+b=%3Cx%3E&empty=&n=7");
        assert_eq!(fields.get("n"), Some("90"));
        assert_eq!(fields.get("a b"), Some("<x>"));
        assert_eq!((fields.get("empty"), fields.text("none")), (None, ""));
        assert_eq!(Fields::new(b"%ff=%zz").get("none"), None);
        assert_eq!(Fields::new("a=1&".repeat(1_000).as_bytes()).0.len(), MOST);
    }
}
