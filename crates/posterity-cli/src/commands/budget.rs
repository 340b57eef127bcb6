//! `posterity budget`

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use posterity::ledger::{Account, Adjacency, HeadError, HistoryLine, NewAccount, Price, Rule, now_utc};
use posterity::number::{left, spent};
use posterity::signing::SecretKey;
use posterity::{About, Amount, Ledger, Unit, meaning};
use posterity_present::describe::beside;
use posterity_present::words::counted;
use serde::Serialize;

use crate::failure::Failure;
use crate::notice::{note, warn};
use crate::output::{Column, Format, Page, Paragraph, Printing, Report, Sheet, Value, print, print_json};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  posterity budget create study.ledger --account hospital-2026 --epsilon 2
  posterity release people.csv --column cured --categories yes,no --epsilon 1 \\
      --ledger study.ledger --account hospital-2026
  posterity budget show study.ledger
  posterity budget history study.ledger --account hospital-2026
  posterity budget verify study.ledger";

const CREATE_EXAMPLES: &str = "\
Examples:
  posterity budget create study.ledger --account hospital-2026 --epsilon 2
  posterity budget create study.ledger --account trial --epsilon 1/3

  # Each patient is protected, with all of their records
  posterity budget create study.ledger --account wards --unit patient \\
      --population \"all patients of 2026\" --epsilon 2

  # Nobody learns whether someone is in the data at all: n is private
  posterity budget create study.ledger --account clinic --adjacency add-remove --epsilon 2

  # With a small delta, many small releases fit: 97 of epsilon 0.1 instead of 50
  posterity budget create study.ledger --account series --epsilon 5 --delta 1e-6";

const UNIT_EXAMPLES: &str = "\
Examples:
  posterity budget unit study.ledger --account hospital-2026 --unit patient";

const KEYGEN_EXAMPLES: &str = "\
Examples:
  # Writes office.secret, to be kept, and office.public, to be published
  posterity budget keygen office
  posterity release people.csv --column cured --categories yes,no --epsilon 1 \\
      --ledger study.ledger --account hospital-2026 --sign office.secret --format json > release.json
  posterity verify release.json --key office.public

  # All results of a study, with its report
  posterity verify admissions-study --ledger study.ledger";

const SHOW_EXAMPLES: &str = "\
Examples:
  posterity budget show study.ledger

  # How many more releases of epsilon 0.25 fit?
  posterity budget show study.ledger --releases-of 0.25
  posterity budget show study.ledger --account hospital-2026 --format json";

const HISTORY_EXAMPLES: &str = "\
Examples:
  posterity budget history study.ledger --account hospital-2026";

const VERIFY_EXAMPLES: &str = "\
Examples:
  # Note the head that this prints
  posterity budget verify study.ledger

  # Later: has anything before that head been changed?
  posterity budget verify study.ledger --head HEAD";

const EXPORT_EXAMPLES: &str = "\
Examples:
  posterity budget export study.ledger > study.json";

/// Which ledger, and how to print.
#[derive(Debug, Args)]
pub(crate) struct LedgerFile {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

/// Create and watch privacy budgets: accounts in a ledger that refuses any charge beyond the budget.
///
/// The ledger counts what is charged to it. What is charged to another account or another ledger, or to none, is not
/// counted: whoever owns the data must see to it that all its releases go through one account.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum BudgetCommand {
    /// Create an account with a budget, and the ledger if there is none.
    #[command(after_help = CREATE_EXAMPLES)]
    Create {
        #[command(flatten)]
        file: LedgerFile,
        /// The name of the account
        #[arg(long, value_name = "NAME")]
        account: String,
        /// How much epsilon may be spent in all; an exact decimal or fraction
        #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
        epsilon: String,
        /// How much delta may be spent in all. With a delta, releases may number more than their sum allows: together
        /// they are private at this epsilon and delta
        #[arg(long, value_name = "DELTA", default_value = "0", allow_hyphen_values = true)]
        delta: String,
        /// State that a delta above 0.001 is meant: with a probability of up to delta everything about a person may be
        /// told
        #[arg(long, requires = "delta")]
        allow_large_delta: bool,
        /// Whom the account protects: the column of the unit, such as patient, or record. Releases for another unit are
        /// refused
        #[arg(long, value_name = "UNIT", default_value = "record")]
        unit: String,
        /// What is kept from whoever sees the releases. With replace, n is public: everybody may know how many there are,
        /// and it is protected what each of them is like. With add-remove, it is protected whether anyone is in the data
        /// at all, so n is private, too; releases that publish n are refused. A release with add-remove may also be
        /// charged to an account with replace, at twice its epsilon
        #[arg(long, value_name = "ADJACENCY", default_value = "replace")]
        adjacency: String,
        /// Of which population, in words
        #[arg(long, value_name = "WORDS")]
        population: Option<String>,
        /// Why a second account is needed for the same unit of the same population. The ledger keeps it, and both accounts
        /// are shown together from then on
        #[arg(long, value_name = "WORDS", requires = "population")]
        reason: Option<String>,
        /// Let releases add up although there is a delta
        #[arg(long, requires = "delta")]
        adds_up: bool,
    },
    /// Give an account that has no charges yet another unit.
    ///
    /// Once something is charged, the unit cannot change: a promise per record and a promise per patient cannot be
    /// added up. The change is an entry of the ledger.
    #[command(after_help = UNIT_EXAMPLES)]
    Unit {
        #[command(flatten)]
        file: LedgerFile,
        /// The account
        #[arg(long, value_name = "NAME")]
        account: String,
        /// Whom it protects: the column of the unit, or record
        #[arg(long, value_name = "UNIT")]
        unit: String,
        /// Of which population, in words
        #[arg(long, value_name = "WORDS")]
        population: Option<String>,
    },
    /// Make a pair of keys to sign releases with: NAME.secret and NAME.public.
    #[command(after_help = KEYGEN_EXAMPLES)]
    Keygen {
        /// The name of both files, without its end
        #[arg(value_name = "NAME")]
        name: PathBuf,
    },
    /// Show what accounts have spent and what is left.
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        #[command(flatten)]
        file: LedgerFile,
        /// Only this account
        #[arg(long, value_name = "NAME")]
        account: Option<String>,
        /// Count how many more releases of this epsilon fit
        #[arg(long, value_name = "EPSILON", default_value = "0.1", allow_hyphen_values = true)]
        releases_of: String,
    },
    /// List the charges of an account.
    #[command(after_help = HISTORY_EXAMPLES)]
    History {
        #[command(flatten)]
        file: LedgerFile,
        /// The account
        #[arg(long, value_name = "NAME")]
        account: String,
    },
    /// Check that no entry was changed, removed or added by hand. Exit code 1 if one was.
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify {
        #[command(flatten)]
        file: LedgerFile,
        /// A head that was noted before, as `budget verify` prints it
        #[arg(long, value_name = "HEAD")]
        head: Option<String>,
    },
    /// Print the whole ledger as JSON.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export {
        /// The ledger
        #[arg(value_name = "LEDGER")]
        ledger: PathBuf,
    },
}

/// Runs one of the commands about a ledger.
pub(crate) fn budget(command: &BudgetCommand) -> Result<(), Failure> {
    match command {
        BudgetCommand::Create {
            file,
            account,
            epsilon,
            delta,
            allow_large_delta,
            unit,
            adjacency,
            population,
            reason,
            adds_up,
        } => {
            let amounts = (amount("--epsilon", epsilon)?, amount("--delta", delta)?);
            let adjacency = self::adjacency(adjacency)?;
            meaning::check_delta(&amounts.1, *allow_large_delta)
                .map_err(|error| Failure::large_delta(&error))?;
            // What its epsilon means depends on how it is divided.
            meaning::delta_warning(amounts.1.to_f64_shown(), None).iter().for_each(warn);
            let new = NewAccount::new(account, amounts.0, amounts.1).unit(self::unit(unit)?);
            let new = new.adjacency(adjacency);
            let new = if *adds_up { new.adds_up() } else { new };
            let new = population.iter().fold(new, |new, words| new.population(words));
            create(file, &reason.iter().fold(new, |new, words| new.reason(words)))
        }
        BudgetCommand::Show { file, account, releases_of } => {
            show(file, account.as_deref(), amount("--releases-of", releases_of)?)
        }
        BudgetCommand::Unit { file, account, unit, population } => {
            decide(file, account, &self::unit(unit)?, population.as_deref())
        }
        BudgetCommand::Keygen { name } => keygen(name),
        BudgetCommand::History { file, account } => history(file, account),
        BudgetCommand::Verify { file, head } => verify(file, head.as_deref()),
        BudgetCommand::Export { ledger } => {
            let export = Ledger::open(ledger).and_then(|ledger| ledger.export()).map_err(Failure::ledger)?;
            Ok(print_json(&export)?)
        }
    }
}

fn amount(flag: &str, text: &str) -> Result<Amount, Failure> {
    text.parse().map_err(|error| Failure::usage(flag, error))
}

fn unit(text: &str) -> Result<Unit, Failure> {
    text.parse().map_err(|error| Failure::usage("--unit", error))
}

fn adjacency(text: &str) -> Result<Adjacency, Failure> {
    text.parse().map_err(|error| Failure::usage("--adjacency", error))
}

/// The epsilon of the releases that are counted unless told otherwise.
const TENTH: &str = "0.1";

fn create(file: &LedgerFile, new: &NewAccount) -> Result<(), Failure> {
    let mut ledger = Ledger::open_or_create(&file.ledger).map_err(Failure::ledger)?;
    let created = ledger.open_account(new, &now_utc()).map_err(Failure::account)?;
    note(format!("created account {} in {}", created.name, file.ledger.display()));
    if created.population.is_none() {
        note(
            "is it for one year's data, or for all that is ever released about these people? Nothing is charged yet, so `budget unit` \
             can still say it: --population 'stays of 2026', or --population 'patients of the clinic, whatever the year' \
             (docs/second-year.md)",
        );
    }
    print_accounts(file, &ledger, vec![created], amount("--releases-of", TENTH)?)
}

fn show(file: &LedgerFile, account: Option<&str>, releases_of: Amount) -> Result<(), Failure> {
    if releases_of.is_zero() {
        return Err(Failure::usage("--releases-of", "choose a positive number such as 0.1"));
    }
    let ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let accounts = match account {
        Some(name) => vec![ledger.account(name).map_err(Failure::account)?],
        None => ledger.accounts().map_err(Failure::ledger)?,
    };
    print_accounts(file, &ledger, accounts, releases_of)
}

fn decide(file: &LedgerFile, account: &str, unit: &Unit, population: Option<&str>) -> Result<(), Failure> {
    let mut ledger = Ledger::open(&file.ledger).map_err(Failure::ledger)?;
    let decided = ledger.decide_unit(account, unit, population, &now_utc()).map_err(Failure::account)?;
    note(format!("account {account} protects each {unit}"));
    print_accounts(file, &ledger, vec![decided], amount("--releases-of", TENTH)?)
}

/// Writes a pair of keys into new files.
fn keygen(name: &Path) -> Result<(), Failure> {
    let file = |end: &str| {
        let mut file = name.as_os_str().to_owned();
        file.push(end);
        PathBuf::from(file)
    };
    let (secret, public) = (file(".secret"), file(".public"));
    let failed = |path: &Path, error: std::io::Error| {
        Failure::refused(format!("{} could not be written: {error}", path.display()))
    };
    let key = SecretKey::generate().map_err(Failure::refused)?;
    write_new(&secret, &key.to_text(), true).map_err(|error| failed(&secret, error))?;
    let text = format!("{}\n", key.public_key());
    write_new(&public, &text, false).map_err(|error| failed(&public, error))?;
    note(format!(
        "wrote {}, which only you may read, and {}, which may be published",
        secret.display(),
        public.display()
    ));
    Ok(())
}

/// Writes a file that must not exist yet, and that only its owner may read if it is secret.
fn write_new(path: &Path, text: &str, secret: bool) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    options.open(path)?.write_all(text.as_bytes())
}

fn print_ledger(file: &LedgerFile, report: &impl Report) -> Result<(), Failure> {
    Ok(print(&Printing { format: file.format, explain: false }, report)?)
}

/// Prints accounts, with what others of the ledger add to them.
fn print_accounts(
    file: &LedgerFile,
    ledger: &Ledger,
    accounts: Vec<Account>,
    releases_of: Amount,
) -> Result<(), Failure> {
    let all = ledger.accounts().map_err(Failure::ledger)?;
    print_ledger(file, &Accounts::new(accounts, &all, releases_of))
}

/// Which accounts protect the same people, each group once.
fn together(accounts: &[Account], all: &[Account]) -> Vec<String> {
    let mut told: Vec<&str> = Vec::new();
    let mut said = Vec::new();
    for one in accounts {
        let others: Vec<Account> = all.iter().filter(|other| other.protects_those_of(one)).cloned().collect();
        if !others.iter().any(|other| told.contains(&other.name.as_str())) {
            said.extend(beside(one, &others).map(|beside| format!("{}: {beside}", one.name)));
        }
        told.push(&one.name);
    }
    said
}

/// What accounts have spent, and what is left.
struct Accounts {
    accounts: Vec<Account>,
    together: Vec<String>,
    lines: Vec<Line>,
    releases_of: Amount,
}

/// One account, with how many more releases fit.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    account: Account,
    more_releases: MoreReleases,
}

/// How many more releases of an epsilon fit.
#[derive(Clone, Serialize)]
struct MoreReleases {
    epsilon: Amount,
    releases: u64,
}

impl Accounts {
    fn new(accounts: Vec<Account>, all: &[Account], releases_of: Amount) -> Self {
        let line = |account: &Account| {
            let releases = account.releases_of(&releases_of);
            let more_releases = MoreReleases { epsilon: releases_of.clone(), releases };
            Line { account: account.clone(), more_releases }
        };
        let (lines, together) = (accounts.iter().map(line).collect(), together(&accounts, all));
        Self { accounts, together, lines, releases_of }
    }
}

/// Whom an account protects, in a word, and whether n is private as well.
fn protects(account: &Account) -> String {
    match account.adjacency {
        Adjacency::Replace => account.unit.to_string(),
        Adjacency::AddRemove => format!("{}, n private", account.unit),
    }
}

impl Report for Accounts {
    type Document = [Line];

    fn document(&self) -> &[Line] {
        &self.lines
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "account",
            "unit",
            "adjacency",
            "epsilon",
            "spent_epsilon",
            "remaining_epsilon",
            "delta",
            "spent_delta",
            "remaining_delta",
            "sum_epsilon",
            "charges",
            "releases_of",
            "more_releases",
            "created",
        ];
        let rows = self.lines.iter().map(|line| {
            let one = &line.account;
            let exact = |amount: &Amount| Value::text(amount.to_string());
            vec![
                Value::text(&one.name),
                Value::text(one.unit.to_string()),
                Value::text(one.adjacency.to_string()),
                exact(&one.epsilon),
                exact(&one.spent_epsilon),
                exact(&one.remaining_epsilon),
                exact(&one.delta),
                exact(&one.spent_delta),
                exact(&one.remaining_delta),
                exact(&one.sum_epsilon),
                Value::Whole(one.charges),
                exact(&line.more_releases.epsilon),
                Value::Whole(line.more_releases.releases),
                Value::text(one.created.to_string()),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let more = format!("more of {}", left(&self.releases_of));
        let columns = ["epsilon", "delta", "spent", "left", "charges"].map(Column::number);
        let names = [Column::text("account"), Column::text("protects")].into_iter();
        let columns = names.chain(columns).chain([Column::number(more)]).collect();
        let rows = self.lines.iter().map(|line| {
            let one = &line.account;
            vec![
                Value::text(&one.name),
                Value::text(protects(one)),
                Value::text(left(&one.epsilon)),
                Value::text(left(&one.delta)),
                Value::text(spent(&one.spent_epsilon)),
                Value::text(left(&one.remaining_epsilon)),
                Value::Whole(one.charges),
                Value::Whole(line.more_releases.releases),
            ]
        });
        let mut page = Page::default();
        page.sheet(Sheet::new(columns, rows));
        if self.accounts.iter().any(|one| matches!(one.rule, Rule::Renyi(_))) {
            page.say(
                "With a delta, spent is the epsilon at which all releases so far are private at that delta, and left is the \
                 largest epsilon of one more release. Smaller ones fit in larger numbers.",
            );
        }
        if self.accounts.iter().any(|one| one.adjacency == Adjacency::AddRemove) {
            page.say(
                "Where n is private (add-remove), it is protected whether anyone is in the data at all. Releases that publish n \
                 are refused there.",
            );
        }
        for one in &self.accounts {
            if let Some(population) = &one.population {
                page.say(format!("Population of {}: {population}.", one.name));
            }
        }
        self.together.iter().for_each(|said| page.say(said.as_str()));
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

impl History {
    /// In which releases n is private, and what follows for their price.
    fn private(&self) -> Option<String> {
        let private: Vec<&HistoryLine> =
            self.0.iter().filter(|line| line.release.adjacency == Adjacency::AddRemove).collect();
        let last = private.last()?;
        let which = match private.len() {
            all if all == self.0.len() => "In all of these releases".to_owned(),
            1 => format!("In the release of entry {}", last.entry),
            some => format!("In {some} of these releases, the last of them entry {},", last.entry),
        };
        // An account counts all of them alike.
        let any = |holds: fn(&HistoryLine) -> bool| private.iter().any(|line| holds(line));
        let with_rho = any(|line| line.price.rho().is_some());
        let price = match with_rho {
            _ if last.release.price == last.price => "",
            false => {
                " The account counts n as public (replace), so it was charged twice their epsilon, and (1 + e^epsilon) times \
                 their delta if they have one."
            }
            true if any(|line| line.price.sum_epsilon().is_some()) => {
                " The account counts n as public (replace), so it was charged twice their epsilon, and four times their rho."
            }
            true => " The account counts n as public (replace), so it was charged four times their rho.",
        };
        Some(format!("{which} n is private (add-remove).{price}"))
    }
}

impl History {
    /// Whether a charge has a price in rho.
    fn has_rho(&self) -> bool {
        self.0.iter().any(|line| line.price.rho().is_some())
    }
}

impl Report for History {
    type Document = [HistoryLine];

    fn document(&self) -> &[HistoryLine] {
        &self.0
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "entry",
            "time",
            "unit",
            "epsilon",
            "delta",
            "rho",
            "adjacency",
            "release_epsilon",
            "release_delta",
            "release_rho",
            "status",
            "question",
        ];
        let rows = self.0.iter().map(|line| {
            let exact =
                |amount: Option<&Amount>| Value::text(amount.map(Amount::to_string).unwrap_or_default());
            // Beside a rho, the epsilons of releases without delta.
            let sum = |price: &Price| exact(price.sum_epsilon().as_ref());
            let own = &line.release.price;
            vec![
                Value::text(line.entry.to_string()),
                Value::text(line.at.to_string()),
                Value::text(line.unit.to_string()),
                sum(&line.price),
                exact(line.price.delta()),
                exact(line.price.rho()),
                Value::text(line.release.adjacency.to_string()),
                sum(own),
                exact(own.delta()),
                exact(own.rho()),
                Value::text(line.status.to_string()),
                Value::text(&line.question),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        // Most accounts have no charge of rho, and need no column for it.
        let amounts: &[&str] =
            if self.has_rho() { &["epsilon", "delta", "rho"] } else { &["epsilon", "delta"] };
        let first = ["entry", "time"].map(Column::text).into_iter();
        let columns = first.chain(amounts.iter().map(|name| Column::number(*name)));
        let columns = columns.chain([Column::text("status"), Column::prose("question")]).collect();
        let rows = self.0.iter().map(|line| {
            let paid = [line.price.sum_epsilon(), line.price.delta().cloned(), line.price.rho().cloned()];
            let paid = paid.into_iter().take(amounts.len());
            let paid = paid.map(|amount| Value::text(amount.as_ref().map(spent).unwrap_or_default()));
            let first = [line.entry.to_string(), line.at.to_string()].map(Value::text).into_iter();
            let last = [Value::text(line.status.to_string()), Value::text(About::of_charge(&line.question))];
            first.chain(paid).chain(last).collect()
        });
        let mut page = Page::default();
        page.sheet(Sheet::new(columns, rows));
        if let Some(private) = self.private() {
            page.say(private);
        }
        if self.has_rho() {
            page.say(
                "A release with a price in rho has no epsilon of its own: the account's filter counts order times rho at each \
                 of its orders, and the sum of all epsilons no longer counts. An epsilon beside a rho is that of releases \
                 without delta in the same charge.",
            );
        }
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

#[cfg(test)]
mod tests {
    use posterity::ledger::{Charge, Timestamp};

    use super::*;

    /// The history of an account of an adjacency after charges of an epsilon of 0.1 each, with public or private n.
    fn history(account: Adjacency, releases: &[Adjacency]) -> History {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, at) = ("1".parse::<Amount>().expect("a number"), Timestamp::from_unix_seconds(0));
        let mut ledger = Ledger::create(folder.path().join("ledger")).expect("a new file");
        let new = NewAccount::new("a", one, Amount::ZERO).adjacency(account);
        ledger.open_account(&new, &at).expect("a new account");
        for adjacency in releases {
            let charge = Charge::new("q", "0.1".parse().expect("a number"), Amount::ZERO).expect("valid");
            let charge = charge.adjacency(*adjacency);
            let answered = ledger.answer("a", &charge, |_| false, &at, |_| Ok::<_, String>("{}".to_owned()));
            assert!(answered.is_ok(), "{answered:?}");
        }
        History(ledger.history("a").expect("there"))
    }

    /// The history of an account with delta after a charge of epsilon and one of rho with private n.
    fn with_rho() -> (History, Accounts) {
        let folder = tempfile::tempdir().expect("a folder");
        let at = Timestamp::from_unix_seconds(0);
        let amount = |text: &str| text.parse::<Amount>().expect("a number");
        let mut ledger = Ledger::create(folder.path().join("ledger")).expect("a new file");
        let new = NewAccount::new("a", amount("1"), amount("1e-6"));
        ledger.open_account(&new, &at).expect("a new account");
        let pure = Charge::new("q", amount("0.1"), Amount::ZERO).expect("valid");
        let rho = Charge::concentrated("r", amount("0.001")).expect("valid").adjacency(Adjacency::AddRemove);
        for charge in [pure, rho] {
            let answered = ledger.answer("a", &charge, |_| false, &at, |_| Ok::<_, String>("{}".to_owned()));
            assert!(answered.is_ok(), "{answered:?}");
        }
        let account = ledger.account("a").expect("there");
        (History(ledger.history("a").expect("there")), Accounts::new(vec![account], &[], amount("0.1")))
    }

    /// A charge of rho is shown as such everywhere, and never as an epsilon of 0.
    #[test]
    fn a_charge_of_rho_is_shown() {
        let (history, accounts) = with_rho();
        let price = " The account counts n as public (replace), so it was charged four times their rho.";
        let private = format!("In the release of entry 4 n is private (add-remove).{price}");
        assert_eq!(history.private(), Some(private));
        let json = serde_json::to_value(history.document()).expect("JSON");
        assert_eq!((&json[0]["epsilon"], json[0].get("rho")), (&"0.1".into(), None));
        assert_eq!((&json[1]["rho"], json[1].get("epsilon")), (&"0.004".into(), None));
        assert_eq!(json[1]["release"]["rho"], "0.001");
        let accounts = serde_json::to_value(accounts.document()).expect("JSON");
        assert_eq!(accounts[0]["sum_rho"], "0.004");
    }

    #[test]
    fn the_history_says_where_n_is_private() {
        use Adjacency::{AddRemove, Replace};
        assert_eq!(history(Replace, &[Replace; 2]).private(), None);
        assert_eq!(
            history(AddRemove, &[AddRemove; 2]).private().as_deref(),
            Some("In all of these releases n is private (add-remove).")
        );
        let twice = " The account counts n as public (replace), so it was charged twice their epsilon, and (1 + e^epsilon) times \
                     their delta if they have one.";
        let one = history(Replace, &[Replace, AddRemove]).private();
        assert_eq!(one, Some(format!("In the release of entry 4 n is private (add-remove).{twice}")));
        let some = history(Replace, &[AddRemove, Replace, AddRemove]).private();
        let expected =
            format!("In 2 of these releases, the last of them entry 6, n is private (add-remove).{twice}");
        assert_eq!(some, Some(expected));
    }
}
