//! Who pays for a release, and where its randomness comes from.

use std::path::{Path, PathBuf};

use clap::Args;
use posterity::text_file::read_text;
use posterity::{About, Document, Kind, LedgerAccount, Payment, Provenance, SecretKey, Till, TillError};
use posterity_present::{answer_at_other_n, payment};
use posterity_study::PlanFile;

use crate::asked::PlanOfFlags;
use crate::failure::Failure;
use crate::notice::note;
use crate::source_args::SourceArgs;

/// Where help lists the flags.
const HEADING: &str = "Budget";

/// Who pays for a release, and where its randomness comes from.
#[derive(Debug, Args)]
pub(crate) struct PayingArgs {
    /// Charge the release to an account of this ledger; see `posterity budget`
    #[arg(long, value_name = "FILE", requires = "account", help_heading = HEADING)]
    ledger: Option<PathBuf>,

    /// The account to charge
    #[arg(long, value_name = "NAME", requires = "ledger", help_heading = HEADING)]
    account: Option<String>,

    /// Draw and pay anew even if the ledger holds the answer to the same question
    #[arg(long, requires = "ledger", help_heading = HEADING)]
    again: bool,

    /// Sign the document with this key; see `posterity budget keygen`
    #[arg(long, value_name = "FILE", requires = "ledger", help_heading = HEADING)]
    sign: Option<PathBuf>,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N", help_heading = HEADING)]
    seed: Option<u64>,
}

impl PayingArgs {
    /// Whether it is drawn from a seed.
    pub(super) fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// The account that pays: that of the flags, or else that of the file of the plan. An experiment is not charged.
    fn payer(&self, plan: &PlanOfFlags) -> Result<Option<(PathBuf, String)>, Failure> {
        let of_flags = self.ledger.clone().zip(self.account.clone());
        let file = plan.file.as_ref().filter(|_| of_flags.is_none() && self.seed.is_none());
        let of_file =
            file.map(PlanFile::payer).transpose().map_err(|error| Failure::usage("--plan", error))?;
        let of_file = of_file.flatten().map(|(ledger, account)| (ledger.to_owned(), account.to_owned()));
        Ok(of_flags.or(of_file))
    }

    /// Opens the ledger of whoever pays, before the data is read.
    pub(super) fn till(&self, data: &SourceArgs, plan: &PlanOfFlags) -> Result<Till, Failure> {
        let key = self.sign.as_deref().map(read_key).transpose()?;
        let payer = self.payer(plan)?;
        if payer.is_some() {
            data.refuse_unnamed()?;
        }
        let payer = payer.map(|(ledger, account)| LedgerAccount { ledger, account, again: self.again, key });
        Till::open(self.seed, payer).map_err(|error| match error {
            TillError::Ledger(error) => Failure::account(error),
            other => Failure::usage("--seed", other),
        })
    }

    /// Says what a release cost, and whether its data has changed since an earlier one.
    pub(super) fn tell<K: Kind>(&self, document: &Document<K>, paid: &Payment) {
        self.tell_of((document.provenance(), document.n()), document.is_private(), document.about(), paid);
    }

    /// Says what an answer cost that comes from there and is about n records, if n is public.
    pub(super) fn tell_of(
        &self,
        answer: (Option<&Provenance>, Option<u64>),
        is_private: bool,
        about: &About,
        paid: &Payment,
    ) {
        if self.is_seeded() {
            return;
        }
        report_payment(paid, is_private, about);
        let payer = self.ledger.as_deref().zip(self.account.as_deref());
        let other = payer.and_then(|(ledger, account)| answer_at_other_n(paid, ledger, account, answer));
        other.iter().for_each(note);
    }

    /// The release could not be printed. If it is paid for, the ledger holds it, and its owner can have it again for
    /// nothing.
    pub(super) fn not_printed(&self, about: &About, error: std::io::Error) -> Failure {
        match (Failure::from(error), &self.ledger) {
            (Failure::Refused(why), Some(_)) if about.source.is_some() => Failure::Refused(format!(
                "{why}. The release is paid for, and the ledger holds it: the same command prints it again and charges nothing"
            )),
            (Failure::Refused(why), Some(ledger)) => Failure::Refused(format!(
                "{why}. The release is paid for, and the ledger holds it (`posterity budget export {}`)",
                ledger.display()
            )),
            (other, _) => other,
        }
    }
}

/// Says what the release cost. The exact amounts are in the ledger.
fn report_payment(paid: &Payment, private: bool, about: &About) {
    if *paid == Payment::Nothing && !private {
        return;
    }
    note(payment(paid, false));
    match paid {
        Payment::Recalled { .. } => note("--again draws and pays anew"),
        Payment::Charged { .. } if about.source.is_none() => {
            note(
                "counts have no name by which the ledger could recognise them: they are charged again each time",
            );
        }
        _ => {}
    }
}

/// The secret key in a file.
pub(super) fn read_key(path: &Path) -> Result<SecretKey, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--sign: {error}")))?;
    text.parse().map_err(|error| Failure::refused(format!("--sign {}: {error}", path.display())))
}
