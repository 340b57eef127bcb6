//! What the pages share.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use maud::Markup;
use posterity::signing::SecretKey;
use posterity::text_file::read_text;
use tokio::sync::Semaphore;

use crate::desk::Desk;
use crate::document::Shown;
use crate::drafts::Drafts;
use crate::folder::Folder;
use crate::guard::Guard;
use crate::html;
use crate::opening::Opening;
use crate::options::Options;
use crate::plan::Cache;
use crate::readings::Kept;
use crate::release::Asked;
use crate::study::Studies;
use crate::web_error::WebError;

/// Drafts of releases and their jobs. The progress of a job is the number of rows that were read so far.
pub(crate) type Releases = Drafts<Asked, AtomicU64, Shown>;

/// What the pages share.
#[derive(Debug)]
pub(crate) struct Site {
    guard: Guard,
    opening: Opening,
    folder: Option<Folder>,
    ledger: Option<PathBuf>,
    /// The key that signs what is charged, and its file.
    key: Option<(SecretKey, PathBuf)>,
    plans: Cache,
    releases: Releases,
    studies: Studies,
    readings: Kept<Shown>,
    /// Whoever computes has one of these.
    turns: Semaphore,
}

impl Site {
    pub(crate) fn new(guard: Guard, options: &Options) -> Result<Self, WebError> {
        let folder = options.data.as_deref().map(Folder::new).transpose()?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Ok(Self {
            guard,
            opening: Opening::default(),
            folder,
            ledger: options.ledger.clone(),
            key: options.sign.as_deref().map(read_key).transpose()?,
            plans: Cache::default(),
            releases: Releases::default(),
            studies: Studies::default(),
            readings: Kept::default(),
            turns: Semaphore::new(cores + 2),
        })
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(crate) fn opening(&self) -> &Opening {
        &self.opening
    }

    pub(crate) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    pub(crate) fn ledger(&self) -> Option<&Path> {
        self.ledger.as_deref()
    }

    /// The key that signs what is charged.
    pub(crate) fn key(&self) -> Option<&SecretKey> {
        self.key.as_ref().map(|(key, _)| key)
    }

    /// The file of that key.
    pub(crate) fn key_file(&self) -> Option<&Path> {
        self.key.as_ref().map(|(_, file)| file.as_path())
    }

    pub(crate) fn plans(&self) -> &Cache {
        &self.plans
    }

    pub(crate) fn releases(&self) -> &Releases {
        &self.releases
    }

    pub(crate) fn studies(&self) -> &Studies {
        &self.studies
    }

    /// What was read from releases later.
    pub(crate) fn readings(&self) -> &Kept<Shown> {
        &self.readings
    }

    /// Whoever computes has one of these.
    pub(crate) fn turns(&self) -> &Semaphore {
        &self.turns
    }

    /// What forms of releases are made from.
    pub(crate) fn desk(&self) -> Desk<'_> {
        Desk { folder: self.folder(), ledger: self.ledger(), token: self.token_field() }
    }

    /// The hidden field of every form.
    pub(crate) fn token_field(&self) -> Markup {
        html::hidden("token", self.guard.form_token())
    }
}

/// The key in a file, and the file.
fn read_key(path: &Path) -> Result<(SecretKey, PathBuf), WebError> {
    let text = read_text(path).map_err(|error| WebError::Key(error.to_string()))?;
    let key = text.parse().map_err(|error| WebError::Key(format!("{}: {error}", path.display())))?;
    Ok((key, path.to_owned()))
}
