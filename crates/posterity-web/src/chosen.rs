//! What the forms of releases choose alike: a file of the folder, and the account that pays.

use posterity::data::Source;
use posterity::plan::Plan;

use crate::folder::Folder;
use crate::typed::Typed;

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
    /// The file of this name, or why it cannot be had.
    pub(crate) fn new(folder: &Folder, name: &str) -> Result<Self, String> {
        if name.is_empty() {
            return Err("Choose a file.".to_owned());
        }
        let path = folder.find(name).ok_or("There is no such file in the folder.")?;
        let path = path.to_string_lossy().into_owned();
        let source = Source::files(path.as_str()).below(folder.root());
        Ok(Self { name: name.to_owned(), path, source })
    }

    /// The same file, read as a plan says.
    pub(crate) fn read_as(self, plan: &Plan) -> Self {
        Self { source: plan.open(self.source), ..self }
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
