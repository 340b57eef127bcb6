//! `posterity budget`

use std::io::{self, Write};

use posterity::About;
use posterity::ledger::{Account, Amount, HeadError, Ledger, LedgerError, now_utc};
use serde::Serialize;

use crate::args::{BudgetCommand, Format, LedgerFile};
use crate::failure::Failure;
use crate::output::{Table, csv_cell, write_json};

/// Runs one of the commands about a ledger.
pub(crate) fn budget(command: &BudgetCommand) -> Result<(), Failure> {
    match command {
        BudgetCommand::Create { file, account, epsilon, delta } => create(file, account, epsilon, delta),
        BudgetCommand::Show { file, account } => show(file, account.as_deref()),
        BudgetCommand::History { file, account } => history(file, account),
        BudgetCommand::Verify { file, head } => verify(file, head.as_deref()),
        BudgetCommand::Export { ledger } => {
            let export = Ledger::open(ledger).and_then(|ledger| ledger.export()).map_err(Failure::ledger)?;
            Ok(write_json(&mut io::stdout().lock(), &export)?)
        }
    }
}

fn create(file: &LedgerFile, account: &str, epsilon: &str, delta: &str) -> Result<(), Failure> {
    let amount = |flag: &str, text: &str| text.parse::<Amount>().map_err(|error| Failure::usage(flag, error));
    let (epsilon, delta) = (amount("--epsilon", epsilon)?, amount("--delta", delta)?);
    let mut ledger = Ledger::open_or_create(&file.ledger).map_err(Failure::ledger)?;
    let created =
        ledger.create_account(account, &epsilon, &delta, &now_utc()).map_err(|error| match error {
            LedgerError::ZeroEpsilon { .. } => Failure::usage("--epsilon", error),
            LedgerError::LargeDelta { .. } => Failure::usage("--delta", error),
            other => Failure::account(other),
        })?;
    eprintln!("note: created account {} in {}", created.name, file.ledger.display());
    print_accounts(file.format, &[created])
}

fn show(file: &LedgerFile, account: Option<&str>) -> Result<(), Failure> {
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let accounts = match account {
        Some(name) => vec![ledger.account(name).map_err(Failure::account)?],
        None => ledger.accounts().map_err(Failure::ledger)?,
    };
    print_accounts(file.format, &accounts)
}

fn print_accounts(format: Format, accounts: &[Account]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match format {
        Format::Json => write_json(&mut out, &accounts)?,
        Format::Csv => {
            writeln!(
                out,
                "account,epsilon,spent_epsilon,remaining_epsilon,delta,spent_delta,remaining_delta,charges,created"
            )?;
            for one in accounts {
                writeln!(
                    out,
                    "{},{},{},{},{},{},{},{},{}",
                    csv_cell(&one.name),
                    one.epsilon,
                    one.spent_epsilon,
                    one.remaining_epsilon,
                    one.delta,
                    one.spent_delta,
                    one.remaining_delta,
                    one.charges,
                    one.created
                )?;
            }
        }
        Format::Table => {
            let mut table =
                Table::new(&["account", "epsilon", "spent", "left", "delta", "spent", "left", "charges"]);
            for one in accounts {
                let amounts = [
                    &one.epsilon,
                    &one.spent_epsilon,
                    &one.remaining_epsilon,
                    &one.delta,
                    &one.spent_delta,
                    &one.remaining_delta,
                ];
                let cells = amounts.into_iter().map(ToString::to_string);
                table.row(
                    [one.name.clone()].into_iter().chain(cells).chain([one.charges.to_string()]).collect(),
                );
            }
            table.write(&mut out)?;
        }
    }
    Ok(())
}

fn history(file: &LedgerFile, account: &str) -> Result<(), Failure> {
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let lines = ledger.history(account).map_err(Failure::account)?;
    let mut out = io::stdout().lock();
    match file.format {
        Format::Json => write_json(&mut out, &lines)?,
        Format::Csv => {
            writeln!(out, "entry,time,epsilon,delta,status,question")?;
            for line in &lines {
                let (entry, at, status) = (line.entry, &line.at, &line.status);
                let question = csv_cell(&line.question);
                writeln!(out, "{entry},{at},{},{},{status},{question}", line.epsilon, line.delta)?;
            }
        }
        Format::Table => {
            let mut table = Table::new(&["entry", "time", "epsilon", "delta", "status", "question"]);
            for line in &lines {
                table.row(vec![
                    line.entry.to_string(),
                    line.at.to_string(),
                    line.epsilon.to_string(),
                    line.delta.to_string(),
                    line.status.to_string(),
                    About::of_charge(&line.question),
                ]);
            }
            table.write(&mut out)?;
            writeln!(out, "\nThe questions to the letter are in --format json.")?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Verification {
    holds: bool,
    head: String,
    accounts: u64,
    charges: u64,
    releases: u64,
}

fn verify(file: &LedgerFile, head: Option<&str>) -> Result<(), Failure> {
    let noted = head.map(str::parse).transpose().map_err(|error: HeadError| {
        Failure::usage("--head", format!("{error} (`posterity budget verify`)"))
    })?;
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let verified = match &noted {
        Some(noted) => ledger.verify_against(noted),
        None => ledger.verify(),
    };
    let verified = verified.map_err(Failure::ledger)?;
    let mut out = io::stdout().lock();
    let head = verified.head.to_string();
    let (accounts, charges, releases) = (verified.accounts, verified.charges, verified.releases);
    match file.format {
        Format::Json => {
            write_json(&mut out, &Verification { holds: true, head, accounts, charges, releases })?
        }
        Format::Csv => {
            writeln!(out, "holds,head,accounts,charges,releases")?;
            writeln!(out, "true,{head},{accounts},{charges},{releases}")?;
        }
        Format::Table => {
            writeln!(out, "The chain holds: {accounts} accounts, {charges} charges, {releases} releases.")?;
            writeln!(out, "Head: {head}")?;
            writeln!(
                out,
                "Note the head elsewhere; `budget verify --head` then shows whether anything before it was changed."
            )?;
        }
    }
    Ok(())
}
