//! Ledgers. The file is opened anew for each call, so several processes can use it.

use std::path::PathBuf;

use extendr_api::prelude::*;
use posterity::ledger::{self, Head, NewAccount, UnitError, now_utc};
use posterity::meaning::{check_delta, delta_warning};
use posterity::{PublishError, Unit};
use serde::Serialize;

use crate::argument::{amount, named};
use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::worker::{run, warn};

/// Opens a ledger to see that it can be used, and creates the file if it is told to.
pub(crate) fn open(call: &Call) -> Result<Robj, Failure> {
    let (path, create) = (call.needed_path("path")?, call.truth("create")?);
    run(move |_| {
        if create {
            ledger::Ledger::open_or_create(path)?;
        } else {
            ledger::Ledger::open(path)?;
        }
        Ok(())
    })?;
    Ok(().into())
}

fn read<T: Serialize + Send + 'static>(
    path: PathBuf,
    ask: impl FnOnce(&ledger::Ledger) -> Result<T, Failure> + Send + 'static,
) -> Result<Robj, Failure> {
    json::object(&run(move |_| ask(&ledger::Ledger::open(path)?))?)
}

/// Creates an account.
pub(crate) fn create_account(call: &Call) -> Result<Robj, Failure> {
    let (epsilon, delta) =
        (amount(&call.need("epsilon")?, "epsilon")?, amount(&call.need("delta")?, "delta")?);
    let unit: Unit =
        call.needed_text("unit")?.parse().map_err(|error: UnitError| Failure::argument("unit", error))?;
    check_delta(&delta, call.truth("allow_large_delta")?).map_err(PublishError::from)?;
    let adjacency = named(&call.need("adjacency")?, "adjacency")?;
    // What its epsilon means depends on how it is divided.
    warn(delta_warning(delta.to_f64_shown(), None).as_slice());
    let mut new = NewAccount::new(call.needed_text("account")?, epsilon, delta).unit(unit);
    new = new.adjacency(adjacency);
    if let Some(population) = call.text("population")? {
        new = new.population(population);
    }
    if let Some(reason) = call.text("reason")? {
        new = new.reason(reason);
    }
    if call.truth("adds_up")? {
        new = new.adds_up();
    }
    let path = call.needed_path("path")?;
    let created = run(move |watch| {
        let mut ledger = ledger::Ledger::open(path)?;
        watch.commit();
        Ok(ledger.open_account(&new, &now_utc())?)
    })?;
    json::object(&created)
}

/// All accounts.
pub(crate) fn accounts(call: &Call) -> Result<Robj, Failure> {
    read(call.needed_path("path")?, |ledger| Ok(ledger.accounts()?))
}

/// What was charged to an account.
pub(crate) fn history(call: &Call) -> Result<Robj, Failure> {
    let account = call.needed_text("account")?;
    read(call.needed_path("path")?, move |ledger| Ok(ledger.history(&account)?))
}

/// How many more releases of an epsilon an account can pay.
pub(crate) fn releases_of(call: &Call) -> Result<Robj, Failure> {
    let (account, epsilon) = (call.needed_text("account")?, amount(&call.need("epsilon")?, "epsilon")?);
    read(call.needed_path("path")?, move |ledger| Ok(ledger.account(&account)?.releases_of(&epsilon)))
}

/// The head of a ledger in which nothing was changed by hand.
pub(crate) fn verify(call: &Call) -> Result<Robj, Failure> {
    let noted: Option<Head> =
        call.text("head")?.map(|head| head.parse().map_err(Failure::from)).transpose()?;
    read(call.needed_path("path")?, move |ledger| {
        let verified = match &noted {
            Some(noted) => ledger.verify_against(noted)?,
            None => ledger.verify()?,
        };
        Ok(verified.head.to_string())
    })
}
