//! Signatures of release documents: Ed25519 (RFC 8032).

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hexadecimal::{bytes, hex};

/// A key that signs. Whoever has it can sign in its owner's name. The `Debug` form hides it.
///
/// ```
/// use posterity::signing::SecretKey;
/// let key = SecretKey::generate()?;
/// let text = key.to_text();
/// assert_eq!(text.parse::<SecretKey>()?.public_key(), key.public_key());
/// # Ok::<(), posterity::signing::SignatureError>(())
/// ```
#[derive(Clone)]
pub struct SecretKey {
    key: SigningKey,
}

/// The key by which a signature is verified. It is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
}

/// A signature in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The public key, for finding the right one. It proves nothing by itself: anyone can make a key.
    pub key: String,
    /// The signature, as 128 hexadecimal digits.
    pub value: String,
}

/// Why something cannot be signed or is not signed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// Not a key.
    #[error("this is not a {wanted} key of posterity; make a pair with `posterity budget keygen`")]
    NotAKey {
        /// Which was expected: `secret` or `public`.
        wanted: &'static str,
    },
    /// The system gave no randomness.
    #[error("the system gave no randomness for a key ({reason})")]
    NoRandomness {
        /// What the system said.
        reason: String,
    },
    /// The document has no signature.
    #[error("the document is not signed")]
    Unsigned,
    /// Another key signed it.
    #[error("the document was signed by another key, {found}")]
    OtherKey {
        /// The public key that the document names.
        found: String,
    },
    /// The signature does not fit.
    #[error("the signature does not match: the document was changed, or somebody else signed it")]
    Wrong,
}

const SECRET: &str = "posterity-ed25519-secret";
const PUBLIC: &str = "posterity-ed25519-public";

impl SecretKey {
    /// A new key, from the operating system's randomness.
    ///
    /// # Errors
    /// [`SignatureError::NoRandomness`].
    pub fn generate() -> Result<Self, SignatureError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)
            .map_err(|error| SignatureError::NoRandomness { reason: error.to_string() })?;
        Ok(Self { key: SigningKey::from_bytes(&seed) })
    }

    /// The text to keep in a file that nobody else can read.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{SECRET} {}\n", hex(self.key.as_bytes()))
    }

    /// The key to publish.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        PublicKey { key: self.key.verifying_key() }
    }

    /// Signs the digest of a document or of the list of a study's results.
    #[must_use]
    pub fn sign(&self, digest: &str) -> Signature {
        let value = hex(&self.key.sign(&message(digest)).to_bytes());
        Signature { key: hex(self.public_key().key.as_bytes()), value }
    }
}

impl PublicKey {
    /// Whether a signature of a digest is by this key.
    ///
    /// # Errors
    /// [`SignatureError::OtherKey`] or [`SignatureError::Wrong`].
    pub fn verify(&self, digest: &str, signature: &Signature) -> Result<(), SignatureError> {
        if signature.key != hex(self.key.as_bytes()) {
            return Err(SignatureError::OtherKey { found: signature.key.chars().take(64).collect() });
        }
        let value: [u8; 64] = bytes(&signature.value).ok_or(SignatureError::Wrong)?;
        let value = ed25519_dalek::Signature::from_bytes(&value);
        self.key.verify_strict(&message(digest), &value).map_err(|_| SignatureError::Wrong)
    }
}

impl FromStr for SecretKey {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seed = text.trim().strip_prefix(SECRET).and_then(|rest| bytes(rest.trim_start()));
        let seed = seed.ok_or(SignatureError::NotAKey { wanted: "secret" })?;
        Ok(Self { key: SigningKey::from_bytes(&seed) })
    }
}

impl FromStr for PublicKey {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = SignatureError::NotAKey { wanted: "public" };
        let key = text.trim().strip_prefix(PUBLIC).and_then(|rest| bytes(rest.trim_start()));
        let key = key.and_then(|key| VerifyingKey::from_bytes(&key).ok()).ok_or(wrong)?;
        Ok(Self { key })
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC} {}", hex(self.key.as_bytes()))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").finish_non_exhaustive()
    }
}

/// What is signed: the digest, after a text that says what it is the digest of.
fn message(digest: &str) -> Vec<u8> {
    format!("posterity release document, version 1: {digest}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden value: RFC 8032, section 7.1, the public key of test 1.
    #[test]
    fn golden() {
        let secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let key: SecretKey = format!("{SECRET} {secret}").parse().expect("a key");
        let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        assert_eq!(key.public_key().to_string(), format!("{PUBLIC} {public}"));
    }

    #[test]
    fn signatures_hold_for_one_digest_and_one_key() {
        let (key, other) = (SecretKey::generate().expect("bits"), SecretKey::generate().expect("bits"));
        let signature = key.sign("ab");
        let public: PublicKey = key.public_key().to_string().parse().expect("a key");
        assert_eq!(public.verify("ab", &signature), Ok(()));
        assert_eq!(public.verify("ac", &signature), Err(SignatureError::Wrong));
        let found = signature.key.clone();
        assert_eq!(other.public_key().verify("ab", &signature), Err(SignatureError::OtherKey { found }));
        let forged = Signature { key: signature.key.clone(), ..other.sign("ab") };
        assert_eq!(public.verify("ab", &forged), Err(SignatureError::Wrong));
        assert!(!format!("{key:?}").contains(&key.to_text()[SECRET.len() + 1..20 + SECRET.len()]));
    }

    #[test]
    fn rejects() {
        for text in ["", SECRET, "posterity-ed25519-secret 12", &format!("{PUBLIC} {}", "0".repeat(64))] {
            let error = text.parse::<SecretKey>().map(|_| ());
            assert_eq!(error, Err(SignatureError::NotAKey { wanted: "secret" }), "{text}");
        }
        for text in ["", &format!("{SECRET} {}", "0".repeat(64)), &format!("{PUBLIC} {}", "g".repeat(64))] {
            assert_eq!(
                text.parse::<PublicKey>(),
                Err(SignatureError::NotAKey { wanted: "public" }),
                "{text}"
            );
        }
    }
}
