//! `posterity budget`

use posterity::About;
use posterity::ledger::{Account, Amount, HeadError, HistoryLine, Ledger, LedgerError, now_utc};
use posterity::number::{left, spent};
use serde::Serialize;

use crate::args::{BudgetCommand, LedgerFile, Printing};
use crate::failure::Failure;
use crate::notice::note;
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print, print_json};
use crate::progress::Progress;
use crate::words::counted;

/// Runs one of the commands about a ledger.
pub(crate) fn budget(command: &BudgetCommand) -> Result<(), Failure> {
    match command {
        BudgetCommand::Create { file, account, epsilon, delta } => create(file, account, epsilon, delta),
        BudgetCommand::Show { file, account } => show(file, account.as_deref()),
        BudgetCommand::History { file, account } => history(file, account),
        BudgetCommand::Verify { file, head } => verify(file, head.as_deref()),
        BudgetCommand::Export { ledger } => {
            let export = Ledger::open(ledger).and_then(|ledger| ledger.export()).map_err(Failure::ledger)?;
            Ok(print_json(&export)?)
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
    note(format!("created account {} in {}", created.name, file.ledger.display()));
    print_ledger(file, &Accounts(vec![created]))
}

fn show(file: &LedgerFile, account: Option<&str>) -> Result<(), Failure> {
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let accounts = match account {
        Some(name) => vec![ledger.account(name).map_err(Failure::account)?],
        None => ledger.accounts().map_err(Failure::ledger)?,
    };
    print_ledger(file, &Accounts(accounts))
}

fn print_ledger(file: &LedgerFile, report: &impl Report) -> Result<(), Failure> {
    Ok(print(&Printing { format: file.format, explain: false }, report)?)
}

/// What accounts have spent, and what is left.
struct Accounts(Vec<Account>);

impl Report for Accounts {
    type Document = [Account];

    fn document(&self) -> &[Account] {
        &self.0
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "account",
            "epsilon",
            "spent_epsilon",
            "remaining_epsilon",
            "delta",
            "spent_delta",
            "remaining_delta",
            "charges",
            "created",
        ];
        let rows = self.0.iter().map(|one| {
            let exact = |amount: &Amount| Value::text(amount.to_string());
            vec![
                Value::text(&one.name),
                exact(&one.epsilon),
                exact(&one.spent_epsilon),
                exact(&one.remaining_epsilon),
                exact(&one.delta),
                exact(&one.spent_delta),
                exact(&one.remaining_delta),
                Value::Whole(one.charges),
                Value::text(one.created.to_string()),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let columns = ["epsilon", "spent", "left", "delta", "spent", "left", "charges"].map(Column::number);
        let columns = [Column::text("account")].into_iter().chain(columns).collect();
        let rows = self.0.iter().map(|one| {
            vec![
                Value::text(&one.name),
                Value::text(left(&one.epsilon)),
                Value::text(spent(&one.spent_epsilon)),
                Value::text(left(&one.remaining_epsilon)),
                Value::text(left(&one.delta)),
                Value::text(spent(&one.spent_delta)),
                Value::text(left(&one.remaining_delta)),
                Value::Whole(one.charges),
            ]
        });
        let mut page = Page::default();
        page.sheet(Sheet::new(columns, rows));
        page
    }
}

fn history(file: &LedgerFile, account: &str) -> Result<(), Failure> {
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let lines = ledger.history(account).map_err(Failure::account)?;
    print_ledger(file, &History(lines))
}

/// The charges of an account.
struct History(Vec<HistoryLine>);

impl Report for History {
    type Document = [HistoryLine];

    fn document(&self) -> &[HistoryLine] {
        &self.0
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["entry", "time", "epsilon", "delta", "status", "question"];
        let rows = self.0.iter().map(|line| {
            vec![
                Value::text(line.entry.to_string()),
                Value::text(line.at.to_string()),
                Value::text(line.epsilon.to_string()),
                Value::text(line.delta.to_string()),
                Value::text(line.status.to_string()),
                Value::text(&line.question),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let columns = vec![
            Column::text("entry"),
            Column::text("time"),
            Column::number("epsilon"),
            Column::number("delta"),
            Column::text("status"),
            Column::prose("question"),
        ];
        let rows = self.0.iter().map(|line| {
            vec![
                Value::text(line.entry.to_string()),
                Value::text(line.at.to_string()),
                Value::text(spent(&line.epsilon)),
                Value::text(spent(&line.delta)),
                Value::text(line.status.to_string()),
                Value::text(About::of_charge(&line.question)),
            ]
        });
        let mut page = Page::default();
        page.sheet(Sheet::new(columns, rows));
        page.say("The exact amounts and questions are in --format json.");
        page
    }
}

/// That the chain of entries holds, and what is in it.
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
    let progress = Progress::spinner("verifying");
    let verified = match &noted {
        Some(noted) => ledger.verify_against(noted),
        None => ledger.verify(),
    };
    drop(progress);
    let verified = verified.map_err(Failure::ledger)?;
    let (accounts, charges, releases) = (verified.accounts, verified.charges, verified.releases);
    let head = verified.head.to_string();
    print_ledger(file, &Verification { holds: true, head, accounts, charges, releases })
}

impl Report for Verification {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["holds", "head", "accounts", "charges", "releases"].map(Column::text).into();
        let row = vec![
            Value::Truth(self.holds),
            Value::text(&self.head),
            Value::Whole(self.accounts),
            Value::Whole(self.charges),
            Value::Whole(self.releases),
        ];
        Sheet::new(columns, [row])
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(format!(
            "The chain holds: {}, {}, {}.",
            counted(self.accounts, "account"),
            counted(self.charges, "charge"),
            counted(self.releases, "release")
        ));
        page.say(Paragraph::led("Head:", &self.head));
        page.say(
            "Note the head elsewhere; `budget verify --head` then shows whether anything before it was changed.",
        );
        page
    }
}
