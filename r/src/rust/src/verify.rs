//! Whether a document says what was drawn, charged and signed.

use extendr_api::prelude::*;
use posterity::ledger::Ledger;
use posterity::text_file::read_text;
use posterity::{PublicKey, verify_document};

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::worker::run;

/// Derives a document again, and checks it against a ledger, a key or both.
pub(crate) fn verify(call: &Call) -> Result<Robj, Failure> {
    let document = call.needed_text("document")?;
    let (ledger, key) = (call.path("ledger")?, call.path("key")?);
    let (charge, not_checked) = run(move |_| {
        let verified = verify_document(&document)?;
        if let Some(key) = &key {
            let text = read_text(key).map_err(|error| Failure::argument("key", error))?;
            let key: PublicKey = text.parse().map_err(|error| Failure::argument("key", error))?;
            verified.by_key(&key)?;
        }
        let charge = ledger.map(|path| {
            let ledger = Ledger::open(path)?;
            ledger.verify()?;
            Ok::<_, Failure>(verified.by_ledger(&ledger)?)
        });
        let charge = charge.transpose()?;
        let mut not_checked = verified.not_checked().to_vec();
        if key.is_none() && charge.is_none() {
            not_checked.push("whether it was charged (ledger) and who made it (key)".to_owned());
        }
        Ok((charge, not_checked))
    })?;
    let charge = charge.as_ref().map(json::object).transpose()?;
    Ok(json::list([("charge", charge.unwrap_or_default()), ("not_checked", not_checked.into())]))
}
