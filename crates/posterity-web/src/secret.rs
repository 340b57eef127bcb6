//! Random names that nobody can guess.

use std::fmt;

use posterity::hexadecimal::hex;

/// 128 random bits from the operating system, as 32 hexadecimal digits. Its `Debug` form hides them.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new secret.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(hex(&bytes)))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is the secret. The time it takes does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        ours.len() == theirs.len()
            && ours.iter().zip(theirs).fold(0, |different, (a, b)| different | (a ^ b)) == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_itself_is_it() {
        let secret = Secret::new().expect("random bits");
        let text = secret.as_str().to_owned();
        assert_eq!(text.len(), 32);
        assert!(secret.is(&text));
        let mut other = text.clone().into_bytes();
        other[31] ^= 1;
        for wrong in ["", &text[..31], &format!("{text}0"), &String::from_utf8_lossy(&other)] {
            assert!(!secret.is(wrong), "{wrong}");
        }
        assert!(!format!("{secret:?}").contains(&text));
        assert!(!secret.is(Secret::new().expect("random bits").as_str()));
    }
}
