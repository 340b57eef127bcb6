//! Documents by the text that R keeps of them.
//!
//! A release is a value in R, which can be saved and sent elsewhere: a text from which all of it can be made again. What
//! was computed from the last few texts is kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use posterity::margins::MarginsDocument;
use posterity::{Document, Payment, Publication};
use posterity_present::state;

use crate::call::Call;
use crate::failure::Failure;

/// A document of any kind, with what was paid for it.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) document: Publication,
    pub(crate) payment: Payment,
}

/// How many are kept.
const MOST: usize = 16;

static KEPT: Mutex<VecDeque<(String, Kept)>> = Mutex::new(VecDeque::new());

impl Kept {
    /// The text, from which [`Kept::of`] makes the document again.
    pub(crate) fn state(&self) -> Result<String, Failure> {
        let text = state::store(&self.document, &self.payment)?;
        keep(&text, self);
        Ok(text)
    }

    /// The document that a call is about.
    pub(crate) fn of(call: &Call) -> Result<Publication, Failure> {
        let text = call.needed_text("state")?;
        let known = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(known, _)| *known == text) {
            return Ok(found.document.clone());
        }
        drop(known);
        let (document, payment) = state::restore(&text)?;
        let found = Self { document, payment };
        keep(&text, &found);
        Ok(found.document)
    }

    /// The posterior that a call is about.
    pub(crate) fn release(call: &Call) -> Result<Document, Failure> {
        match Self::of(call)? {
            Publication::Table(document) => Ok(*document),
            Publication::Discovered(_) => Err(Self::without_readings()),
            _ => Err(Failure::argument("x", "this is for a release of one table")),
        }
    }

    /// The tables of many columns that a call is about.
    pub(crate) fn margins(call: &Call) -> Result<MarginsDocument, Failure> {
        match Self::of(call)? {
            Publication::Margins(document) => Ok(*document),
            _ => Err(Failure::argument("x", "this is for tables of many columns")),
        }
    }

    /// Discovered categories have counts, and no posterior that could be read or compared.
    pub(crate) fn without_readings() -> Failure {
        let why = "these are discovered categories, whose counts are all there is to read; see as.data.frame and interval";
        Failure::argument("x", why)
    }
}

fn keep(text: &str, kept: &Kept) {
    let mut known = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|(other, _)| other != text);
    known.push_front((text.to_owned(), kept.clone()));
    known.truncate(MOST);
}
