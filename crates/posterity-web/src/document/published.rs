//! A release of any kind that has a page.

use std::sync::Arc;

use posterity::Publication;

use crate::margins;
use crate::note::Note;
use crate::readings::ReadingForm;
use crate::release;

/// A release of any kind that has a page.
#[derive(Clone, Debug)]
pub(crate) enum Published {
    Posterior(Arc<release::Shown>),
    Margins(Arc<margins::Shown>),
}

impl Published {
    /// A document to be shown; none if those of its kind have no page.
    pub(crate) fn new(document: &Publication, note: Note) -> Result<Option<Self>, String> {
        Ok(match document {
            Publication::Table(document) => {
                let shown = release::Shown::new((**document).clone(), note)?;
                Some(Self::Posterior(Arc::new(shown)))
            }
            Publication::Margins(document) => {
                Some(Self::Margins(Arc::new(margins::Shown::new((**document).clone(), note))))
            }
            _ => None,
        })
    }

    /// The same release with what a form asks to read.
    pub(crate) fn reread(&self, typed: &ReadingForm) -> Result<Self, String> {
        Ok(match self {
            Self::Posterior(shown) => Self::Posterior(Arc::new(shown.reread(typed)?)),
            Self::Margins(shown) => Self::Margins(Arc::new(shown.reread(typed)?)),
        })
    }

    /// A form with the intervals of the release, in which nothing is asked.
    pub(crate) fn form(&self) -> ReadingForm {
        ReadingForm::of(match self {
            Self::Posterior(shown) => shown.document.request().ways(),
            Self::Margins(shown) => shown.document.answer().asked().terms().ways,
        })
    }

    /// The same with what was asked, to be changed.
    pub(crate) fn asked_form(&self) -> ReadingForm {
        let lines = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<_>>().join("\n").into();
        let (read, compare) = match self {
            Self::Posterior(shown) => {
                let document = &shown.document;
                let readings = document.readings().iter().filter(|_| document.has_asked_readings());
                let compared = document.comparisons().iter();
                (
                    lines(&mut readings.map(|table| table.reading.to_string())),
                    lines(&mut compared.map(|one| one.comparison.to_string())),
                )
            }
            Self::Margins(shown) => {
                let terms = shown.document.answer().asked().terms();
                (
                    lines(&mut terms.readings.iter().map(ToString::to_string)),
                    lines(&mut terms.comparisons.iter().map(ToString::to_string)),
                )
            }
        };
        ReadingForm { read, compare, ..self.form() }
    }

    /// Where the page has what was read.
    pub(crate) fn place(&self) -> &'static str {
        match self {
            Self::Posterior(shown) if !shown.has_answer() => "readings",
            _ => "answer",
        }
    }
}
