//! The arguments as they are typed. Each flag is declared here and nowhere else; help is generated from it.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use posterity::data::PerUnit;
use posterity::design::Columns;
use posterity::{Contrast, Measure, Reader, Reading, Shape, Spec, Terms, profile_epsilon};
use posterity_core::accuracy::Metric;
use posterity_core::decode::Decoder;
use posterity_core::model::{Epsilon, Prior, interval_level};
use posterity_plot::PlotFile;

use crate::mechanism_args::{MechanismArgs, MechanismsParser, taught};
use crate::picture_args::PictureArgs;

/// Publish Bayesian posteriors of categorical data with differential privacy.
///
/// From counts over declared categories, a public prior and a privacy budget epsilon, posterity releases a Beta or
/// Dirichlet posterior, says what it promises to every person in the data, and never draws noise by floating point.
#[derive(Debug, Parser)]
#[command(name = "posterity", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Draw one private release from a file or from counts.
    #[command(after_help = RELEASE_EXAMPLES)]
    Release(Box<ReleaseArgs>),
    /// Read a release again: shares, means and comparisons of its columns. No data, no cost.
    ///
    /// Everything follows from the document that `posterity release --format json` prints, so whoever has it can do this. A
    /// release of several columns answers every question about them; the noise is in every interval.
    #[command(after_help = READ_EXAMPLES)]
    Read(ReadArgs),
    /// Show everything exact about one mechanism at one data set. Not private.
    ///
    /// Sensitivities, the probability and the distance of every possible outcome, and the expected distance. The result
    /// depends on the data without protection: it is for choosing a mechanism on data that may be seen.
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(InspectArgs),
    /// Compare mechanisms at one data set. Not private.
    ///
    /// For each mechanism the mean, the median and the quartiles of the distance between the released and the true
    /// posterior: exact, or from simulated releases with --runs.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Find the exact privacy loss of a mechanism over all data sets of size n.
    ///
    /// The largest log ratio of probabilities over all adjacent data sets and all outcomes, with the pair that shows it.
    /// Touches no data. Exit code 1 if the loss exceeds epsilon.
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(AuditArgs),
    /// Say which mechanism to use, or which epsilon is enough for an error. Touches no data.
    ///
    /// With --epsilon the mechanisms are ranked at that budget. With --half-width or --distance the least epsilon is found, to
    /// three digits, for the mechanism that needs the least; or it is said that the data are too few for any epsilon, and how
    /// many records would do.
    #[command(after_help = ADVISE_EXAMPLES)]
    Advise(AdviseArgs),
    /// Compute the tables and figures of the research, and one report on its claims.
    ///
    /// Writes NAME.csv, NAME.svg and NAME.png for each experiment and report.html, which shows each figure beside the
    /// claims that it decides: confirmed, refined or refuted, with the number that says so. Everything is seeded: two
    /// runs write the same bytes, on any number of threads. Touches no private data.
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArgs),
    /// Ask many questions of one source under one budget, and write one report.
    ///
    /// A plan declares the columns with their possible values once, and asks questions as sets of columns with shares of
    /// epsilon. All of it is checked before anything is charged; every question is counted in one pass; one charge pays for
    /// all; and a folder is written with a document for each question, tables, pictures and report.html for people. A study
    /// that died is finished for nothing by running the same plan again. docs/studies.md describes plans.
    #[command(after_help = STUDY_EXAMPLES)]
    Study(StudyArgs),
    /// Create and watch privacy budgets: accounts in a ledger that cannot be overspent by what is charged to them.
    ///
    /// The ledger counts what is charged to it. What is charged to another account or another ledger, or to none, is not counted:
    /// whoever owns the data must see to it that all its releases go through one account.
    #[command(subcommand, after_help = BUDGET_EXAMPLES)]
    Budget(BudgetCommand),
    /// Plan, release and watch budgets in a browser, on this machine only.
    ///
    /// Opens a page that no other machine can reach. Without --data it plans and reads no data. It runs until it is stopped
    /// with Ctrl-C.
    #[cfg(feature = "web")]
    #[command(after_help = WEB_EXAMPLES)]
    Web(WebArgs),
    /// Check that a release document or a study's results say what was drawn, charged and signed. Exit code 1 if not.
    ///
    /// Everything in a document is derived again from its request, its promise and its draw, and every difference is named. With
    /// --ledger: these three are what the ledger charged and recorded. With --key: whoever has that key signed them; this needs
    /// no ledger. Of a study's folder, all tables, pictures and the report are derived again as well. What was not checked is
    /// said.
    #[command(after_help = VERIFY_RELEASE_EXAMPLES)]
    Verify(VerifyArgs),
    /// Print a script that completes commands and flags in a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands.
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Write the pages of all commands into this folder, which is made if there is none
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

const RELEASE_EXAMPLES: &str = "\
Examples:
  # How many patients were cured, each record protected
  posterity release people.csv --column cured --categories yes,no --epsilon 1

  # Each patient protected with all of their visits
  posterity release visits.parquet --column ward --categories A,B,C --unit patient \\
      --where \"year = 2025\" --epsilon 0.5

  # Two columns together, one of them sorted into bins
  posterity release visits.csv --column age --bins 0,18,40,65,120 \\
      --column cured --categories yes,no --epsilon 1

  # Two columns, read as outcome within each ward
  posterity release visits.csv --column ward --categories A,B,C \\
      --column outcome --categories yes,no --epsilon 1 \\
      --read 'outcome | ward' --compare 'outcome=yes | ward: A - B'

  # From counts, with names, another prior and a picture
  posterity release --counts 48,42 --categories cured,not --epsilon 1
  posterity release --counts 54,9,27 --prior 0.5,0.5,0.5 --epsilon 0.5 --plot posterior.svg

  # Another mechanism; and an experiment, which is not private
  posterity release --counts 54,9,27 --epsilon 1 --mechanism 'ehds(gamma=0.5)'
  posterity release --counts 48,42 --epsilon 1 --seed 7";

const STUDY_EXAMPLES: &str = "\
Examples:
  # Check a plan and see what it would spend, without any data
  posterity study survey.toml --plan-only

  # The study, into the folder survey
  posterity study survey.toml

  # An experiment, which is not private
  posterity study survey.toml --seed 7 --out trial

A plan:
  title = \"Cured by ward\"
  source = \"visits.csv\"
  epsilon = 1
  ledger = \"study.ledger\"          # leave out both, and nobody keeps account
  account = \"hospital-2026\"
  unit = \"patient\"
  [columns]
  ward = [\"A\", \"B\", \"C\"]
  cured = [\"yes\", \"no\"]
  age = { bins = [0, 18, 65, 120] }
  [[question]]
  columns = [\"ward\", \"cured\"]
  share = 2
  read = [\"cured | ward\"]
  compare = [\"cured=yes | ward: A - B\"]
  [[question]]
  columns = [\"age\"]";

const READ_EXAMPLES: &str = "\
Readings:
  outcome                        the share of each outcome
  outcome, gender                of each combination
  outcome | ward                 of each outcome within each ward
  outcome=yes | ward in {A, B}   of one outcome within two wards together
  mean(score) | ward             the expected score within each ward

Comparisons:
  outcome=yes | ward: A - B         the share in ward A minus that in ward B
  outcome=yes | ward: A / B         their ratio
  outcome=yes | ward: odds A / B    their odds ratio
  independence(outcome, ward)       mutual information and Cramer's V

Quote names and values with other characters: 'age=\"[0,18)\" | \"blood type\"'

Examples:
  posterity release visits.csv --column ward --categories A,B,C \\
      --column outcome --categories yes,no --epsilon 1 --format json > visits.json
  posterity read visits.json
  posterity read visits.json --read 'outcome | ward' --compare 'outcome=yes | ward: A - B'
  posterity read visits.json --read 'outcome | ward' --level 0.9 --format csv > outcome.csv
  posterity read visits.json --read 'outcome | ward' --plot wards.svg --picture mosaic";

const BUDGET_EXAMPLES: &str = "\
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

const VERIFY_RELEASE_EXAMPLES: &str = "\
Examples:
  posterity verify release.json --ledger study.ledger
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

const INSPECT_EXAMPLES: &str = "\
Examples:
  posterity inspect --counts 4,4 --epsilon 1 --mechanism ehds

  # All outcomes with their probabilities
  posterity inspect --counts 20,20,20 --epsilon 1 --mechanism lshist --format csv > law.csv";

const COMPARE_EXAMPLES: &str = "\
Examples:
  posterity compare --counts 50,50 --epsilon 1
  posterity compare --counts 20,20,20 --epsilon 1 --distance l1

  # Against the least distance that any private mechanism can have
  posterity compare --counts 3,3,3 --epsilon 1 --mechanisms lattice,geometric,lshist \\
      --decode none,best --limit

  # Simulated, for sizes whose outcomes cannot be listed
  posterity compare --counts 500000,500000 --epsilon 1 --runs 1000 --seed 1 --format csv";

const AUDIT_EXAMPLES: &str = "\
Examples:
  posterity audit --prior 1,1 --n 100 --epsilon 1 --mechanism ehds

  # What is lost at one data set: less than at others, and no promise
  posterity audit --counts 50,50 --epsilon 1 --mechanism ehds

  # Does not hold: exit code 1
  posterity audit --prior 0.05,0.05 --n 300 --epsilon 0.1 --mechanism ehdl

  # A certificate, which `posterity release --certificate` takes
  posterity audit --k 2 --n 90 --epsilon 1 --mechanism mh --certificate mh-90.json";

const ADVISE_EXAMPLES: &str = "\
Examples:
  posterity advise --n 731 --k 2 --epsilon 1

  # Which epsilon is enough for 95 % intervals of at most 3 points to each side?
  posterity advise --n 1000 --k 3 --half-width 0.03

  # The same for expected shares of 60, 10 and 30 %, with a picture of the error
  posterity advise --n 1000 --k 3 --half-width 0.03 --shape 60,10,30 --plot error.svg

  # Three categories that are expected in the proportions 6 : 1 : 3
  posterity advise --n 90 --prior 0.5,0.5,0.5 --epsilon 0.5 --shape 6,1,3

  # A table of three columns: one release or several, and how wide will the intervals be?
  posterity advise --columns gender=2,admitted=2,department=6 --n 4526 --epsilon 1 \\
      --read 'admitted | gender' --read 'admitted | gender, department'

  # Which epsilon is enough for all of its intervals?
  posterity advise --columns 2,2,6 --n 4526 --read 'a | b' --half-width 0.03";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  posterity reproduce --list
  posterity reproduce --quick
  posterity reproduce size-beta loss-by-size --out figures

  # Experiments of your own; docs/reproduce.md says how to write one
  posterity reproduce --experiments mine.toml";

#[cfg(feature = "web")]
const WEB_EXAMPLES: &str = "\
Examples:
  posterity web

  # Release files of a folder, charged to a ledger
  posterity web --data survey --ledger study.ledger";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  posterity completions bash > ~/.local/share/bash-completion/completions/posterity
  posterity completions fish > ~/.config/fish/completions/posterity.fish

  # zsh: into a folder of $fpath
  posterity completions zsh > ~/.zfunc/_posterity";

const MAN_EXAMPLES: &str = "\
Examples:
  posterity man | man -l -
  posterity man --out ~/.local/share/man/man1";

#[cfg(feature = "web")]
#[derive(Debug, Args)]
pub(crate) struct WebArgs {
    /// The folder whose files can be released; nothing outside it is read
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,

    /// Charge releases to accounts of this ledger, and show them; an account that is created there creates the file
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// The port of this machine to answer on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,

    /// Print the address and do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReleaseArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    pub(crate) public: Public,

    #[command(flatten)]
    pub(crate) mechanism: MechanismArgs,

    /// How noisy counts become a posterior; costs no privacy [default: best for lattice, none for the others]
    #[arg(long, value_name = "NAME", value_parser = decoder_parser())]
    pub(crate) decode: Option<Decoder>,

    #[command(flatten)]
    pub(crate) readings: ReadingArgs,

    /// Charge the release to an account of this ledger; see `posterity budget`
    #[arg(long, value_name = "FILE", requires = "account")]
    pub(crate) ledger: Option<PathBuf>,

    /// The account to charge
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub(crate) account: Option<String>,

    /// Draw and pay anew even if the ledger holds the answer to the same question
    #[arg(long, requires = "ledger")]
    pub(crate) again: bool,

    /// Sign the document with this key; see `posterity budget keygen`
    #[arg(long, value_name = "FILE", requires = "ledger")]
    pub(crate) sign: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    /// Probability of each reported interval
    #[arg(long, value_name = "P", default_value_t = Terms::LEVEL, value_parser = parse_level, allow_hyphen_values = true)]
    pub(crate) level: f64,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Release even though the mechanism promises nothing (ehdl, mh); the output says so
    #[arg(long)]
    pub(crate) not_private: bool,

    /// A certificate of this release from `posterity audit --certificate`; the audit is repeated, and ehdl and mh are then
    /// private at the loss that it shows
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

/// What is read from a release.
#[derive(Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Show these shares or means: 'outcome | ward', 'ward in {A, B}', 'mean(score) | ward'; repeat the flag for several. It
    /// costs no privacy; `posterity read --help` shows all forms [default: all cells, and each column by itself]
    #[arg(long, value_name = "READING")]
    pub(crate) read: Vec<Reading>,

    /// Compare two shares: 'outcome=yes | ward: A - B', or 'independence(outcome, ward)'; repeat the flag for several. It costs
    /// no privacy
    #[arg(long, value_name = "COMPARISON")]
    pub(crate) compare: Vec<Contrast>,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// The document of the release, from `posterity release --format json`; - for standard input
    #[arg(value_name = "RELEASE.json")]
    pub(crate) document: PathBuf,

    #[command(flatten)]
    pub(crate) readings: ReadingArgs,

    /// Probability of each reported interval [default: that of the document]
    #[arg(long, value_name = "P", value_parser = parse_level, allow_hyphen_values = true)]
    pub(crate) level: Option<f64>,

    /// How many draws are made for comparisons and for what has no exact method
    #[arg(long, value_name = "N", default_value_t = Reader::DRAWS, value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    pub(crate) draws: u64,

    /// The seed of these draws, which protect nothing
    #[arg(long, value_name = "N", default_value_t = Reader::SEED)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Where the data comes from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// A CSV, JSON (one object per line), Parquet or Arrow file, a folder of such files, or a glob
    #[arg(value_name = "FILE")]
    pub(crate) source: Option<String>,

    /// Instead of a file: how many records fall into each category. Other users of this machine can see the arguments of a
    /// running command: on a shared machine use a file
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with = "source")]
    pub(crate) counts: Option<RawCounts>,

    /// Column that holds the categories; repeat the flag to take several columns together
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Vec<String>,

    /// The possible values of the column, separated by commas, once for each column; with --counts the names of the
    /// categories, numbers if not given
    #[arg(long, value_name = "LIST")]
    pub(crate) categories: Vec<String>,

    /// The same from a file with one value per line
    #[arg(long, value_name = "FILE")]
    pub(crate) categories_file: Vec<PathBuf>,

    /// Sort the numbers of the column into bins between these edges: 0,18,65 makes [0,18) and [18,65); in the place of
    /// --categories
    #[arg(long, value_name = "EDGES", allow_hyphen_values = true)]
    pub(crate) bins: Vec<String>,

    /// What --categories, --categories-file and --bins declare, in the order in which they were given.
    #[arg(skip)]
    pub(crate) declared: Vec<Declared>,

    /// Count only records for which this condition is true, such as "age > 30 AND sex = 'f'" or "day < DATE '2025-01-31'". The
    /// condition is published, and so is n, the number of records that pass it, exactly and at any epsilon: use it for what is
    /// public about people only (year, site). For what is private about people use --within, or make it a --column
    #[arg(long = "where", value_name = "SQL")]
    pub(crate) filter: Option<String>,

    /// Count all records, those for which this condition is not true in a category of their own, "outside", which is the last.
    /// So n is the number of all records, and whether someone is within is protected: use it for what is private about people
    /// (age, income, a diagnosis). It costs accuracy where few are within. With --prior, the last parameter is that of "outside"
    #[arg(long, value_name = "SQL")]
    pub(crate) within: Option<String>,

    /// Protect all records of one value of this column together, such as a person; each counts once. Without it each record is
    /// protected by itself: if people have several records, use --unit
    #[arg(long, value_name = "COLUMN")]
    pub(crate) unit: Option<String>,

    /// By which of its records a unit counts: random (one drawn uniformly), first (the category that is declared first), mode
    /// (the most frequent category), or "latest COLUMN" (the last by that column) [default: random]
    #[arg(long, value_name = "RULE", requires = "unit")]
    pub(crate) per_unit: Option<PerUnit>,

    /// Count values that are not declared as this category; without it they are an error
    #[arg(long, value_name = "NAME")]
    pub(crate) other: Option<String>,

    /// Count missing values as this category; without it they are an error
    #[arg(long, value_name = "NAME")]
    pub(crate) missing: Option<String>,

    /// Read the files as csv, json, parquet or arrow, whatever their names
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<posterity::data::Format>,

    /// Character between the fields of a CSV file [default: comma]
    #[arg(long, value_name = "C")]
    pub(crate) delimiter: Option<char>,

    /// Count on the Ballista cluster with this scheduler, df://host:port; its executors must see the files under the same
    /// paths
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) cluster: Option<posterity::data::Cluster>,

    /// Into how many tasks the cluster divides the work [default: 64]
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", requires = "cluster")]
    pub(crate) partitions: Option<NonZeroUsize>,
}

/// What is declared for one column.
#[derive(Clone, Debug)]
pub(crate) enum Declared {
    /// Values, separated by commas.
    Categories(String),
    /// A file of values.
    File(PathBuf),
    /// Edges of bins, separated by commas.
    Bins(String),
}

impl Cli {
    /// The declaration of all commands and flags, for completions and manual pages.
    pub(crate) fn declaration() -> clap::Command {
        Self::command()
    }

    /// Parses the arguments.
    pub(crate) fn from_args(
        args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches_from(args)?;
        let mut cli = Self::from_arg_matches(&matches)?;
        if let (Command::Release(args), Some(matches)) =
            (&mut cli.command, matches.subcommand_matches("release"))
        {
            args.data.order(matches);
        }
        Ok(cli)
    }
}

impl SourceArgs {
    /// Brings the declarations of columns into the order in which they were given.
    fn order(&mut self, matches: &ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let lists = self.categories.iter().cloned().map(Declared::Categories);
        let files = self.categories_file.iter().cloned().map(Declared::File);
        let bins = self.bins.iter().cloned().map(Declared::Bins);
        let mut all: Vec<(usize, Declared)> = places("categories").into_iter().zip(lists).collect();
        all.extend(places("categories_file").into_iter().zip(files));
        all.extend(places("bins").into_iter().zip(bins));
        all.sort_by_key(|(place, _)| *place);
        self.declared = all.into_iter().map(|(_, declared)| declared).collect();
    }
}

/// Which ledger, and how to print.
#[derive(Debug, Args)]
pub(crate) struct LedgerFile {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: PathBuf,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Subcommand)]
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
        /// How much delta may be spent in all. With a delta, releases may number more than their sum allows: together they are
        /// private at this epsilon and delta
        #[arg(long, value_name = "DELTA", default_value = "0", allow_hyphen_values = true)]
        delta: String,
        /// Whom the account protects: the column of the unit, such as patient, or record. Releases for another unit are refused
        #[arg(long, value_name = "UNIT", default_value = "record")]
        unit: String,
        /// Of which population, in words
        #[arg(long, value_name = "WORDS")]
        population: Option<String>,
        /// Let releases add up although there is a delta
        #[arg(long, requires = "delta")]
        adds_up: bool,
    },
    /// Decide whom an account protects, if its charges are for different units or it has none.
    ///
    /// An account of an earlier version may have charges for single records and for units such as patients, whose promises cannot be
    /// added up. It takes no more charges until its owner decides. To say patient of an account that has charges per record is to say
    /// that each patient has one record in those. The decision is an entry of the ledger.
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

/// Which document, and against what it is checked.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The release document, the folder of a study's results, or the report in it
    #[arg(value_name = "RELEASE")]
    pub(crate) release: PathBuf,

    /// The ledger that it was charged to
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// The public key of whoever signed it
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// List at most this many outcomes; refuse if there are more
    #[arg(long, value_name = "N", default_value_t = Measure::MAX_OUTCOMES, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) max_outcomes: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) data: CountsArgs,

    /// Which mechanisms to compare, separated by commas [default: all]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser,
          long_help = taught("Which mechanisms to compare, such as \"lattice,tight(ehds)\" [default: all]"))]
    pub(crate) mechanisms: Option<std::vec::Vec<Spec>>,

    /// Decoders, separated by commas: each mechanism whose noise is known is shown with each of them [default: best for
    /// lattice, none for the others; ehds also with best if there are at most 1,000 candidates]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = decoder_parser())]
    pub(crate) decode: Option<Vec<Decoder>>,

    /// Also show the mean distance over all data under the prior, and its ratio to the least that any private mechanism can
    /// have; for small n only
    #[cfg(feature = "limit")]
    #[arg(long)]
    pub(crate) limit: bool,

    /// What to measure the distance in: hellinger, l1 (of the parameters), kl (of the released posterior from the true one) or tv (total variation; bounds for three or more categories)
    #[arg(long, value_name = "DISTANCE", default_value = "hellinger")]
    pub(crate) distance: Metric,

    /// Simulate this many releases of each mechanism instead of listing all outcomes
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<NonZeroUsize>,

    /// Seed of the simulation
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// List at most this many outcomes; a mechanism with more is left out
    #[arg(long, value_name = "N", default_value_t = Measure::MAX_OUTCOMES, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) max_outcomes: u64,

    /// Draw the comparison into this .svg or .png file: each law, or notched box plots with --runs
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PlotFile>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) size: AuditSize,

    #[command(flatten)]
    pub(crate) mechanism: MechanismArgs,

    /// Also bound delta at these epsilons, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_profile, allow_hyphen_values = true)]
    pub(crate) profile: Vec<f64>,

    /// Write the result as a certificate, which `posterity release --certificate` checks and cites
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Refuse to compute more probabilities than this
    #[arg(long, value_name = "N", default_value_t = posterity::AUDIT_LIMIT)]
    pub(crate) max_probabilities: f64,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("goal").required(true).args(["epsilon", "half_width", "distance"]))]
pub(crate) struct AdviseArgs {
    #[command(flatten)]
    pub(crate) extent: Extent,

    /// Advise on a table: the number of values of each column, such as 2,2,6 (called a, b, c) or gender=2,department=6. Says
    /// whether to make one joint release or several, how to divide epsilon, and how wide the intervals of each reading will be
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["k", "distance", "mechanisms"])]
    pub(crate) columns: Option<Columns>,

    /// What will be read of the table: 'c | b', 'a, b'; repeat the flag for several. Values are called 1, 2, 3 and so on
    /// [default: the shares of each column]
    #[arg(long, value_name = "READING")]
    pub(crate) read: Vec<Reading>,

    /// Privacy budget: smaller is more private. Ranks the mechanisms at this budget
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Option<Epsilon>,

    /// Find the least epsilon for intervals that reach at most so far to each side: 0.03 is 3 percentage points, sampling
    /// and privacy together
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true)]
    pub(crate) half_width: Option<f64>,

    /// Find the least epsilon for a release at most so far from the true posterior: the expected Hellinger distance, from 0
    /// (equal) to 1 (disjoint)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub(crate) distance: Option<f64>,

    /// The probability of the intervals of --half-width and --columns
    #[arg(long, value_name = "P", default_value_t = Terms::LEVEL, value_parser = parse_level, allow_hyphen_values = true)]
    pub(crate) level: f64,

    /// Expected proportions of the categories, in any unit; with --columns those of all cells, in which the last column changes
    /// fastest [default: all alike with --epsilon or --columns; otherwise the average over the prior]
    #[arg(long, value_name = "LIST", value_parser = parse_shape, allow_hyphen_values = true)]
    pub(crate) shape: Option<Shape>,

    /// Draw the error against epsilon into this .svg or .png file, with --half-width or --distance
    #[arg(long, value_name = "FILE", conflicts_with = "epsilon")]
    pub(crate) plot: Option<PlotFile>,

    /// Which mechanisms to rank, separated by commas [default: all that are private]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser, requires = "epsilon",
          long_help = taught("Which mechanisms to rank, such as \"lattice,ehds(score=angle)\" [default: all that are private]"))]
    pub(crate) mechanisms: Option<std::vec::Vec<Spec>>,
}

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Which experiments, by name [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// List the experiments and what they show, and do nothing else
    #[arg(long)]
    pub(crate) list: bool,

    /// A fast pass: fewer sizes and fewer simulated releases
    #[arg(long)]
    pub(crate) quick: bool,

    /// The folder to write to; made if there is none
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Take the experiments from this .toml file, or from all .toml files of this folder, instead of those that are built in
    #[arg(long, value_name = "PATH")]
    pub(crate) experiments: Option<PathBuf>,

    /// Compute on this many threads [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// The plan, a TOML file; paths in it start from its folder
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,

    /// The folder to write to: a new one, or one with results of a study [default: the name of the plan without .toml, here]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Check the plan and say what it would spend; reads no data and writes nothing. With --n, also say how wide the intervals
    /// will be, and whether one joint release of all columns would be better
    #[arg(long, conflicts_with_all = ["out", "again", "seed"])]
    pub(crate) plan_only: bool,

    /// The number of records (of units, with a unit) to expect, for --plan-only
    #[arg(long, value_name = "N", requires = "plan_only")]
    pub(crate) n: Option<u64>,

    /// Draw and pay anew even if the ledger holds the answers to this plan
    #[arg(long)]
    pub(crate) again: bool,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// The size of a problem that is audited, or a data set of that size.
#[derive(Debug, Args)]
pub(crate) struct AuditSize {
    /// Number of records
    #[arg(long, value_name = "N", required_unless_present = "counts")]
    pub(crate) n: Option<u64>,

    /// Compare only this data set with its neighbours, and not all data sets of the size. This promises nothing, and the
    /// result shows the counts: for published or invented data
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["n", "k", "certificate"])]
    pub(crate) counts: Option<RawCounts>,

    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Epsilon,

    /// Dirichlet parameters of the public prior, one per category [default: 1 for each, with --counts]
    #[arg(long, value_name = "LIST", value_parser = parse_prior, allow_hyphen_values = true, required_unless_present_any = ["k", "counts"])]
    pub(crate) prior: Option<Prior>,

    /// Number of categories, for a prior of 1 each
    #[arg(long, value_name = "K", conflicts_with = "prior")]
    pub(crate) k: Option<usize>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// The public size of a problem.
#[derive(Debug, Args)]
pub(crate) struct Extent {
    /// Number of records
    #[arg(long, value_name = "N")]
    pub(crate) n: u64,

    /// Dirichlet parameters of the public prior, one per category. With --columns one number, for every cell of the table of all
    /// columns; tables of some of the columns have the sums [default: 1, or less where that would outweigh a tenth of the records]
    #[arg(long, value_name = "LIST", value_parser = parse_advised_prior, allow_hyphen_values = true, required_unless_present_any = ["k", "columns"])]
    pub(crate) prior: Option<AdvisedPrior>,

    /// Number of categories, for a prior of 1 each
    #[arg(long, value_name = "K", conflicts_with = "prior")]
    pub(crate) k: Option<usize>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// A prior of which it is not known yet whether it is for categories or for the cells of a table.
#[derive(Clone, Debug)]
pub(crate) enum AdvisedPrior {
    /// One parameter for each category.
    Each(Prior),
    /// One number.
    Cell(f64),
}

/// How to print a result.
#[derive(Debug, Args)]
pub(crate) struct Printing {
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,

    /// Also print what the table means: the promise in full, accuracy, notes
    #[arg(long)]
    pub(crate) explain: bool,
}

/// What every command about one mechanism and one data set takes.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    #[command(flatten)]
    pub(crate) data: CountsArgs,

    #[command(flatten)]
    pub(crate) mechanism: MechanismArgs,

    /// How noisy counts become a posterior; costs no privacy [default: best for lattice, none for the others]
    #[arg(long, value_name = "NAME", value_parser = decoder_parser())]
    pub(crate) decode: Option<Decoder>,
}

/// A data set with its public context.
#[derive(Debug, Args)]
pub(crate) struct CountsArgs {
    /// How many records fall into each category
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) counts: RawCounts,

    #[command(flatten)]
    pub(crate) public: Public,
}

/// The public terms of a release.
#[derive(Debug, Args)]
pub(crate) struct Public {
    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Epsilon,

    /// Dirichlet parameters of the public prior, one per category [default: 1 for each]
    #[arg(long, value_name = "LIST", value_parser = parse_prior, allow_hyphen_values = true)]
    pub(crate) prior: Option<Prior>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Counts as they were typed: private, so their `Debug` form hides them.
#[derive(Clone)]
pub(crate) struct RawCounts(pub(crate) String);

impl std::fmt::Debug for RawCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RawCounts(..)")
    }
}

impl From<&str> for RawCounts {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values with a header
    Csv,
}

fn decoder_parser() -> impl TypedValueParser<Value = Decoder> {
    let names = Decoder::ALL.map(|decoder| PossibleValue::new(decoder.as_str()).help(decoder.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Decoder>())
}

fn parse_prior(text: &str) -> Result<Prior, String> {
    let mut parameters = Vec::new();
    for (index, item) in text.split(',').enumerate() {
        let item = item.trim();
        let value = item.parse::<f64>().map_err(|_| {
            format!("prior parameter {} is {item:?}; give a finite number above zero", index + 1)
        })?;
        parameters.push(value);
    }
    Prior::new(parameters).map_err(|error| error.to_string())
}

fn parse_advised_prior(text: &str) -> Result<AdvisedPrior, String> {
    if text.contains(',') {
        parse_prior(text).map(AdvisedPrior::Each)
    } else {
        number(text).map(AdvisedPrior::Cell)
    }
}

fn parse_shape(text: &str) -> Result<Shape, String> {
    let parts: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    Shape::new(parts).map_err(|error| error.to_string())
}

fn parse_profile(text: &str) -> Result<f64, String> {
    profile_epsilon(number(text)?).map_err(|error| error.to_string())
}

fn parse_level(text: &str) -> Result<f64, String> {
    interval_level(number(text)?).map_err(|error| error.to_string())
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number; write it like 0.5 or 1e-8".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_declarations_are_consistent() {
        Cli::command().debug_assert();
    }
}
