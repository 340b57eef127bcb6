//! Keeps to a budget: releases that are charged to an account of a ledger.
//!
//! `cargo run -p posterity --example budget`

use std::error::Error;

use posterity::ledger::now_utc;
use posterity::{Amount, Data, Ledger, Payment, Publisher, Release};

/// Spends a budget of 1 in two releases, and is refused the third.
pub fn main() -> Result<(), Box<dyn Error>> {
    // A real ledger stays where everyone who releases from the same data can use it.
    let folder = tempfile::tempdir()?;
    let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    ledger.create_account("trial", &"1".parse()?, &Amount::ZERO, &now_utc())?;

    // The name stands for this data. By it the ledger knows a question that was asked before.
    let data = Data::counts([("cured", 71), ("not cured", 19)])?.named("trial-7", None, None)?;

    let publisher = Publisher::new("0.6".parse()?);
    say("first", &publisher.clone().charge(&mut ledger, "trial").publish(&data)?);
    // The same question: the ledger has the answer, and nothing is charged.
    say("again", &publisher.charge(&mut ledger, "trial").publish(&data)?);
    // Another epsilon is another question.
    let cheaper = Publisher::new("0.4".parse()?);
    say("other", &cheaper.charge(&mut ledger, "trial").publish(&data)?);

    // Nothing is left. The refusal comes before anything is drawn.
    let more = Publisher::new("0.1".parse()?);
    match more.charge(&mut ledger, "trial").publish(&data) {
        Ok(_) => return Err("the budget was exceeded".into()),
        Err(error) => println!("refused: {error}"),
    }

    // Every charge is on a hash-chained list, which anyone can verify.
    ledger.verify()?;
    for line in ledger.history("trial")? {
        println!("{}: {}, {}", line.at, line.price, line.status);
    }
    Ok(())
}

fn say(which: &str, release: &Release) {
    let paid = match release.payment() {
        Payment::Charged { epsilon, remaining, .. } => format!("charged {epsilon}, {remaining} is left"),
        Payment::ChargedRho { rho, remaining, .. } => format!("charged rho {rho}, {remaining} is left"),
        Payment::Recalled { .. } => "recalled, nothing charged".to_owned(),
        Payment::Nothing => "no account".to_owned(),
    };
    let (mean, _) = release.document().best_summary();
    println!("{which}: {:.3} were cured ({paid})", mean[0]);
}
