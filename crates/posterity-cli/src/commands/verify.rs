//! `posterity verify`

use std::path::Path;

use posterity::{Kind, PublicKey, Verdict, open_ledger, read_text, verify_release, verify_signature};
use serde::Serialize;

use crate::args::{Printing, VerifyArgs};
use crate::failure::Failure;
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;

/// Checks a document against a ledger, a key or both.
pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let text = read_text(&args.release).map_err(Failure::refused)?;
    let about =
        |path: &Path, error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", path.display()));
    let mut checked = Checked { holds: true, release: None, signed_by: None };
    if let Some(path) = &args.key {
        let key = read_text(path).map_err(|error| Failure::refused(format!("--key: {error}")))?;
        let key: PublicKey = key.parse().map_err(|error| about(path, &error))?;
        verify_signature(&text, &key).map_err(|error| about(&args.release, &error))?;
        checked.signed_by = Some(key.to_string());
    }
    if let Some(path) = &args.ledger {
        let ledger = open_ledger(path).map_err(Failure::ledger)?;
        let progress = Progress::spinner("verifying the ledger");
        let sound = ledger.verify();
        drop(progress);
        sound.map_err(Failure::ledger)?;
        let verdict = verify_release(&text, &ledger).map_err(|error| about(&args.release, &error))?;
        checked.release = Some(verdict);
    }
    Ok(print(&Printing { format: args.format, explain: false }, &checked)?)
}

/// What was found.
#[derive(Serialize)]
struct Checked {
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_by: Option<String>,
}

impl Report for Checked {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["holds", "kind", "account", "entry", "head", "signed_by"].map(Column::text).into();
        let release = self.release.as_ref();
        let text = |of: fn(&Verdict) -> String| Value::text(release.map(of).unwrap_or_default());
        let row = vec![
            Value::Truth(self.holds),
            text(|verdict| kind(verdict.kind).to_owned()),
            text(|verdict| verdict.account.clone()),
            text(|verdict| verdict.entry.to_string()),
            text(|verdict| verdict.head.to_string()),
            Value::text(self.signed_by.as_deref().unwrap_or_default()),
        ];
        Sheet::new(columns, [row])
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        if let Some(verdict) = &self.release {
            let what = match verdict.kind {
                Kind::Recorded => "This is the document that was charged and recorded",
                Kind::Reading => "This document reads the draw that was charged and recorded in another way",
            };
            page.say(format!(
                "{what}: entry {} of the ledger, account {}, epsilon {}, {}.",
                verdict.entry,
                verdict.account,
                posterity::number::spent(&verdict.epsilon),
                verdict.charged
            ));
            if verdict.kind == Kind::Reading {
                page.say("The counts drawn and the promise are the recorded ones. Its posterior and its intervals are not on file.");
            }
            page.say(Paragraph::led("Head after the charge:", verdict.head.to_string()));
        }
        if let Some(key) = &self.signed_by {
            page.say(format!("It was signed by {key} and was not changed since."));
        }
        page
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Recorded => "recorded",
        Kind::Reading => "reading",
    }
}
