//! How the text of a file is stored in bytes.

use serde::Serialize;

/// The encoding of a text file. It is given and never guessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// The code page of Western European Windows. Every byte has a character: the five bytes that Microsoft left open
    /// stand for control characters (WHATWG Encoding Standard, index windows-1252).
    #[serde(rename = "windows-1252")]
    Windows1252,
    /// UTF-16 that begins with a byte order mark.
    #[serde(rename = "utf-16")]
    Utf16,
    /// UTF-16 whose lower byte comes first.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16 whose upper byte comes first.
    #[serde(rename = "utf-16be")]
    Utf16Be,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 5] = [Self::Utf8, Self::Windows1252, Self::Utf16, Self::Utf16Le, Self::Utf16Be];
}

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Windows1252 => "windows-1252",
            Self::Utf16 => "utf-16",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        })
    }
}

impl std::str::FromStr for Encoding {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let lower = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|encoding| encoding.to_string() == lower).ok_or_else(|| {
            format!("there is no encoding {name:?}; choose utf-8, windows-1252, utf-16, utf-16le or utf-16be")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_as_they_are_written() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
            assert_eq!(encoding.to_string().to_uppercase().parse(), Ok(encoding));
            assert_eq!(serde_json::to_string(&encoding).ok(), Some(format!("\"{encoding}\"")));
        }
        assert!("latin-1".parse::<Encoding>().is_err());
    }
}
