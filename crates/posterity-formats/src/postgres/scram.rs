//! Proving to know a password without telling it: SCRAM-SHA-256 (Newman, Menon-Sen, Melnikov and Williams 2010, RFC 5802;
//! Hansen 2015, RFC 7677).

use std::num::NonZeroU32;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::{digest, hmac, pbkdf2};

use crate::postgres_fault::PostgresFault;

/// The name of the exchange.
pub(super) const MECHANISM: &str = "SCRAM-SHA-256";

/// Says that the exchange is not bound to the channel, and the same in base 64.
const UNBOUND: &str = "n,,";
const UNBOUND_BASE64: &str = "biws";

/// How often a password may be hashed. Fewer times would help whoever wants to guess it, and more would take minutes.
const ITERATIONS: std::ops::RangeInclusive<u32> = 4_096..=10_000_000;

/// The side of the client.
pub(super) struct Scram {
    nonce: String,
    first: String,
}

/// What the server has to answer at the end.
pub(super) struct Expected {
    key: hmac::Key,
    signed: String,
}

impl Scram {
    /// Begins with a nonce that is never used again. A server of PostgreSQL knows the user already.
    pub(super) fn new(user: &str, nonce: &str) -> Self {
        Self { nonce: nonce.to_owned(), first: format!("n={user},r={nonce}") }
    }

    /// The first message.
    pub(super) fn first(&self) -> String {
        format!("{UNBOUND}{}", self.first)
    }

    /// The second message, which answers the first of the server.
    pub(super) fn answer(&self, server: &str, password: &str) -> Result<(String, Expected), PostgresFault> {
        let (nonce, salt, iterations) = challenge(server).ok_or(PostgresFault::NotPostgres)?;
        if !nonce.starts_with(&self.nonce) || nonce.len() == self.nonce.len() {
            return Err(PostgresFault::NotProven);
        }
        let mut salted = [0; digest::SHA256_OUTPUT_LEN];
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, iterations, &salt, password.as_bytes(), &mut salted);
        let salted = key(&salted);
        let last = format!("c={UNBOUND_BASE64},r={nonce}");
        let signed = format!("{},{server},{last}", self.first);
        let client = hmac::sign(&salted, b"Client Key");
        let stored = digest::digest(&digest::SHA256, client.as_ref());
        let signature = hmac::sign(&key(stored.as_ref()), signed.as_bytes());
        let proof: Vec<u8> = client.as_ref().iter().zip(signature.as_ref()).map(|(a, b)| a ^ b).collect();
        let expected = key(hmac::sign(&salted, b"Server Key").as_ref());
        Ok((format!("{last},p={}", STANDARD.encode(proof)), Expected { key: expected, signed }))
    }
}

impl Expected {
    /// Checks the last message of the server, which proves that it knows the password too.
    pub(super) fn check(&self, server: &str) -> Result<(), PostgresFault> {
        let signature = server.strip_prefix("v=").and_then(|text| STANDARD.decode(text).ok());
        let proven = signature
            .is_some_and(|signature| hmac::verify(&self.key, self.signed.as_bytes(), &signature).is_ok());
        if proven { Ok(()) } else { Err(PostgresFault::NotProven) }
    }
}

fn key(bytes: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, bytes)
}

/// The nonce of both, the salt and the number of iterations.
fn challenge(server: &str) -> Option<(&str, Vec<u8>, NonZeroU32)> {
    let mut parts = server.split(',');
    let nonce = parts.next()?.strip_prefix("r=")?;
    let salt = STANDARD.decode(parts.next()?.strip_prefix("s=")?).ok()?;
    let iterations: u32 = parts.next()?.strip_prefix("i=")?.parse().ok()?;
    let iterations = NonZeroU32::new(iterations).filter(|many| ITERATIONS.contains(&many.get()))?;
    Some((nonce, salt, iterations))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: &str = "rOprNGfwEbeRWgbNEkqO";
    const SERVER: &str =
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    const VERIFIER: &str = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    /// The example of RFC 7677, section 3.
    #[test]
    fn the_example_of_the_standard() {
        let scram = Scram::new("user", NONCE);
        assert_eq!(scram.first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let (last, expected) = scram.answer(SERVER, "pencil").expect("an answer");
        assert_eq!(
            last,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        assert_eq!(expected.check(VERIFIER), Ok(()));
    }

    /// If this fails, a server that does not know the password is believed.
    #[test]
    fn the_server_has_to_prove_it_too() {
        let scram = Scram::new("user", NONCE);
        let (_, expected) = scram.answer(SERVER, "another").expect("an answer");
        for wrong in [VERIFIER, "v=", "", "e=other-error", "v=AAAA"] {
            assert_eq!(expected.check(wrong), Err(PostgresFault::NotProven), "{wrong}");
        }
        let replayed = SERVER.replace(NONCE, "somethingElse");
        assert_eq!(scram.answer(&replayed, "pencil").err(), Some(PostgresFault::NotProven));
        let own = format!("r={NONCE},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        assert_eq!(scram.answer(&own, "pencil").err(), Some(PostgresFault::NotProven));
    }

    #[test]
    fn weak_and_wrong_challenges_are_refused() {
        let scram = Scram::new("", NONCE);
        for wrong in [
            SERVER.replace("i=4096", "i=1"),
            SERVER.replace("i=4096", "i=0"),
            SERVER.replace("i=4096", "i=4000000000"),
            SERVER.replace("i=4096", "i=x"),
            SERVER.replace("s=", "s=%"),
            SERVER.replace("r=", "m=x,r="),
            String::new(),
        ] {
            assert_eq!(scram.answer(&wrong, "pencil").err(), Some(PostgresFault::NotPostgres), "{wrong}");
        }
    }
}
