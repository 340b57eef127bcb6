//! What is asked of a release, as it is typed.

use std::path::{Path, PathBuf};

use clap::Args;
use posterity::text_file::read_text;
use posterity::{Decoder, LedgerAccount, SecretKey};

use super::discover_args::DiscoverArgs;
use super::margins_args::MarginsArgs;
use super::pictures::PictureArgs;
use super::readings::ReadingArgs;
use crate::failure::Failure;
use crate::input::SourceArgs;
use crate::intervals::IntervalArgs;
use crate::mechanism_args::MechanismArgs;
use crate::terms::{Public, decoder_parser};

const EXAMPLES: &str = "\
Examples:
  # How many patients were cured, each record protected
  posterity release people.csv --column cured --categories yes,no --epsilon 1

  # Each patient protected with all of their visits
  posterity release visits.parquet --column ward --categories A,B,C --unit patient \\
      --where \"year = 2025\" --epsilon 0.5

  # Two columns together, one of them sorted into bins
  posterity release visits.csv --column age --bins 0,18,40,65,120 \\
      --column cured --categories yes,no --epsilon 1

  # The values of the columns from a Table Schema
  posterity release visits.csv --schema visits.schema.json --column ward --column cured --epsilon 1

  # Two columns, read as outcome within each ward
  posterity release visits.csv --column ward --categories A,B,C \\
      --column outcome --categories yes,no --epsilon 1 \\
      --read 'outcome | ward' --compare 'outcome=yes | ward: A - B'

  # From another program, and in the code page of Windows
  gunzip -c visits.csv.gz | posterity release - --input-format csv \\
      --column ward --categories A,B,C --epsilon 1
  posterity release visits.txt --input-format tsv --encoding windows-1252 \\
      --column ward --categories A,B,C --epsilon 1

  # A table of a SQLite file
  posterity release visits.sqlite --table visits --column ward --categories A,B,C \\
      --unit patient --epsilon 1

  # A table of a PostgreSQL server; the variable PGPASSWORD has the password
  posterity release postgres://ada@db.example/clinic --table visits \\
      --column ward --categories A,B,C --unit patient --epsilon 1

  # From counts, with names, another prior and a picture
  posterity release --counts 48,42 --categories cured,not --epsilon 1
  posterity release --counts 54,9,27 --prior 0.5 --epsilon 0.5 --plot posterior.svg

  # The diagnoses that occur, which nobody can list; each patient protected
  posterity release visits.parquet --column diagnosis --categories discover --unit patient \\
      --adjacency add-remove --epsilon 1 --delta 1e-9

  # Every pair of the columns that a Table Schema declares, with intervals
  posterity release survey.csv --schema survey.schema.json --margins 2 --epsilon 1 --delta 1e-9

  # Another mechanism; and an experiment, which is not private
  posterity release --counts 54,9,27 --epsilon 1 --mechanism 'ehds(gamma=0.5)'
  posterity release --counts 48,42 --epsilon 1 --seed 7";

/// Draw one private release from a file or from counts.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReleaseArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    pub(super) public: Public,

    #[command(flatten)]
    pub(super) discover: DiscoverArgs,

    #[command(flatten)]
    pub(crate) margins: MarginsArgs,

    #[command(flatten)]
    pub(super) mechanism: MechanismArgs,

    /// How noisy counts become a posterior; costs no privacy [default: projection for lattice, none for the others]
    #[arg(long, value_name = "NAME", value_parser = decoder_parser())]
    pub(super) decode: Option<Decoder>,

    #[command(flatten)]
    pub(super) readings: ReadingArgs,

    /// Charge the release to an account of this ledger; see `posterity budget`
    #[arg(long, value_name = "FILE", requires = "account")]
    pub(super) ledger: Option<PathBuf>,

    /// The account to charge
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub(super) account: Option<String>,

    /// Draw and pay anew even if the ledger holds the answer to the same question
    #[arg(long, requires = "ledger")]
    pub(super) again: bool,

    /// Sign the document with this key; see `posterity budget keygen`
    #[arg(long, value_name = "FILE", requires = "ledger")]
    pub(super) sign: Option<PathBuf>,

    #[command(flatten)]
    pub(super) pictures: PictureArgs,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,

    /// Release even though the mechanism promises nothing (ehdl, mh); the output says so
    #[arg(long)]
    pub(super) not_private: bool,

    /// A certificate of this release from `posterity audit --certificate`; the audit is repeated, and ehdl and mh are
    /// then private at the loss that it shows
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(super) intervals: IntervalArgs,
}

/// Who pays, with the key that signs.
pub(super) fn payer(args: &ReleaseArgs) -> Result<Option<LedgerAccount>, Failure> {
    if args.ledger.is_some() {
        args.data.refuse_unnamed()?;
    }
    let key = args.sign.as_deref().map(read_key).transpose()?;
    Ok(args.ledger.clone().zip(args.account.clone()).map(|(ledger, account)| LedgerAccount {
        ledger,
        account,
        again: args.again,
        key,
    }))
}

/// The secret key in a file.
pub(super) fn read_key(path: &Path) -> Result<SecretKey, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--sign: {error}")))?;
    text.parse().map_err(|error| Failure::refused(format!("--sign {}: {error}", path.display())))
}
