//! Documents by the text that R keeps of them.
//!
//! A release is a value in R, which can be saved and sent elsewhere: a text from which all of it can be made again. What
//! was computed from the last few texts is kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use posterity::{DiscoveredDocument, Document, MarginsDocument, Payment};
use posterity_present::state;

use crate::call::Call;
use crate::failure::Failure;

/// A document with its payment, of any kind that R makes.
#[derive(Clone)]
pub(crate) enum Kept {
    /// A posterior.
    Release(Box<Document>, Payment),
    /// Tables of many columns.
    Margins(Box<MarginsDocument>, Payment),
    /// Discovered categories.
    Discovered(Box<DiscoveredDocument>, Payment),
}

/// How many are kept.
const MOST: usize = 16;

static KEPT: Mutex<VecDeque<(String, Kept)>> = Mutex::new(VecDeque::new());

impl Kept {
    /// The text, from which [`Kept::of`] makes the document again.
    pub(crate) fn state(&self) -> Result<String, Failure> {
        let text = match self {
            Self::Release(document, payment) => state::store(&**document, payment)?,
            Self::Margins(document, payment) => state::store(&**document, payment)?,
            Self::Discovered(document, payment) => state::store(&**document, payment)?,
        };
        keep(&text, self);
        Ok(text)
    }

    /// The document that a call is about.
    pub(crate) fn of(call: &Call) -> Result<Self, Failure> {
        let text = call.needed_text("state")?;
        let known = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(known, _)| *known == text) {
            return Ok(found.clone());
        }
        drop(known);
        let found = match call.needed_text("document_kind")?.as_str() {
            "margins" => {
                let (document, payment) = state::restore(&text)?;
                Self::Margins(Box::new(document), payment)
            }
            "discovered" => {
                let (document, payment) = state::restore(&text)?;
                Self::Discovered(Box::new(document), payment)
            }
            _ => {
                let (document, payment) = state::restore(&text)?;
                Self::Release(Box::new(document), payment)
            }
        };
        keep(&text, &found);
        Ok(found)
    }

    /// The posterior that a call is about.
    pub(crate) fn release(call: &Call) -> Result<Document, Failure> {
        match Self::of(call)? {
            Self::Release(document, _) => Ok(*document),
            Self::Margins(..) => Err(Failure::argument("x", "this is for a release of one table")),
            Self::Discovered(..) => Err(Self::without_readings()),
        }
    }

    /// The tables of many columns that a call is about.
    pub(crate) fn margins(call: &Call) -> Result<MarginsDocument, Failure> {
        match Self::of(call)? {
            Self::Margins(document, _) => Ok(*document),
            Self::Release(..) | Self::Discovered(..) => {
                Err(Failure::argument("x", "this is for tables of many columns"))
            }
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
