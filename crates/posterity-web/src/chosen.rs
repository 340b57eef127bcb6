//! What the forms of releases choose alike: a file of the folder, and the account that pays.

use posterity::data::{Encoding, Source};
use serde::Deserialize;

use crate::delimiter::Delimiter;
use crate::folder::Folder;
use crate::typed::Typed;

/// A file, and how it is written, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileForm {
    #[serde(rename = "file")]
    pub(crate) name: Typed,
    pub(crate) edition: Typed,
    pub(crate) delimiter: Typed<Delimiter>,
    pub(crate) encoding: Typed<Encoding>,
}

/// A file of the folder. It has not been opened.
#[derive(Clone, Debug)]
pub(crate) struct ChosenFile {
    /// Its name in the folder, and its path as the folder was named.
    pub(crate) name: String,
    pub(crate) path: String,
    /// The file, which must be below the folder when it is opened.
    pub(crate) source: Source,
}

impl ChosenFile {
    /// The file that was chosen, or why it cannot be had.
    pub(crate) fn new(folder: &Folder, typed: &FileForm) -> Result<Self, String> {
        let name = typed.name.get().ok_or("Choose a file.")?.to_owned();
        let path = folder.find(&name).ok_or("There is no such file in the folder.")?;
        let path = path.to_string_lossy().into_owned();
        let source = Source::files(path.as_str()).below(folder.root());
        let delimiter = typed.delimiter.value()?;
        let source = delimiter.into_iter().fold(source, |source, one| source.with_delimiter(one.0));
        let source = typed.encoding.value()?.into_iter().fold(source, Source::with_encoding);
        Ok(Self { name, path, source })
    }
}

/// The folder, if there is one.
pub(crate) fn folder(folder: Option<&Folder>) -> Result<&Folder, String> {
    folder.ok_or_else(|| "There is no folder of data. Start with --data FOLDER.".to_owned())
}

/// The account to charge; none without a ledger.
pub(crate) fn account(has_ledger: bool, typed: &Typed) -> Result<Option<String>, String> {
    match (has_ledger, typed.get()) {
        (true, None) => Err("Choose the account that pays.".to_owned()),
        (true, Some(account)) => Ok(Some(account.to_owned())),
        (false, _) => Ok(None),
    }
}
