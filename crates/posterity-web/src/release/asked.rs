//! What a release is asked for.

use std::path::PathBuf;

use posterity::data::{Bins, Column, Domain, PerUnit, Question};
use posterity::{Epsilon, Prior, Terms};
use posterity_core::mechanism::Spec;

use crate::fields::Fields;
use crate::folder::Folder;
use crate::plan::sentence;
use crate::readings::AskedReadings;

/// The most columns of a form.
pub(super) const COLUMNS: usize = 3;

/// A checked form. Nothing has been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The form as it was typed.
    pub(super) typed: Fields,
    /// The name of the file in the folder, and its path as the folder was named.
    pub(super) file: String,
    pub(super) path: String,
    /// The folder, below which the file must be when it is opened.
    pub(super) root: PathBuf,
    pub(super) question: Question,
    pub(super) terms: Terms,
    pub(super) prior_typed: String,
    pub(super) readings: AskedReadings,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
}

impl Asked {
    /// What the form means, or what is wrong with it. It does not open the file.
    pub(super) fn new(folder: Option<&Folder>, has_ledger: bool, form: &Fields) -> Result<Self, String> {
        let folder = folder.ok_or("There is no folder of data. Start with --data FOLDER.")?;
        let file = form.get("file").ok_or("Choose a file.")?;
        let path = folder.find(file).ok_or("There is no such file in the folder.")?;
        let columns = columns(form)?;
        let rule: Result<PerUnit, _> = form.get("per_unit").unwrap_or("random").parse();
        let question = Question {
            other: form.get("other").map(Into::into),
            missing: form.get("missing").map(Into::into),
            filter: form.get("filter").map(Into::into),
            unit: form.get("unit").map(Into::into),
            per_unit: rule.map_err(sentence)?,
            ..Question::new(columns)
        };
        let readings = AskedReadings::new(form)?;
        if !readings.is_empty() {
            readings.check_question(&question)?;
        }
        let epsilon: Epsilon =
            form.get("epsilon").ok_or("Give an epsilon, such as 1.")?.parse().map_err(sentence)?;
        let prior_typed = form.text("prior").to_owned();
        let prior = match form.get("prior") {
            None => None,
            Some(list) => Some(prior(list)?),
        };
        let spec: Spec = form.get("mechanism").unwrap_or("lattice").parse().map_err(sentence)?;
        if !spec.description().private {
            return Err(format!("{} promises nothing. Choose another mechanism.", spec.name()));
        }
        let account = match (has_ledger, form.get("account")) {
            (true, None) => return Err("Choose the account that pays.".to_owned()),
            (true, Some(account)) => Some(account.to_owned()),
            (false, _) => None,
        };
        let terms = Terms { prior, spec, ..Terms::new(epsilon) };
        let path = path.to_string_lossy().into_owned();
        let (typed, file, root) = (form.clone(), file.to_owned(), folder.root().to_owned());
        Ok(Self { typed, file, path, root, question, terms, prior_typed, readings, account })
    }

    /// Whom it protects, in a word.
    pub(super) fn unit(&self) -> &str {
        self.question.unit.as_deref().unwrap_or("record")
    }

    /// The columns in words: "cured (yes, no)".
    pub(super) fn columns_in_words(&self) -> String {
        let column = |column: &Column| format!("{} ({})", column.name, column.domain.names().join(", "));
        self.question.columns.iter().map(column).collect::<Vec<_>>().join(" and ")
    }
}

/// The columns of a form, each with what is declared for it.
fn columns(form: &Fields) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for index in 0..COLUMNS {
        let Some(name) = form.get(&format!("column{index}")) else { continue };
        let domain = match (form.get(&format!("values{index}")), form.get(&format!("bins{index}"))) {
            (Some(_), Some(_)) => {
                return Err(format!("Column {name:?} has values and bins. Declare one of them."));
            }
            (Some(values), None) => {
                let values = values.split([',', '\n']).map(|value| value.trim().to_owned());
                Domain::Values(values.filter(|value| !value.is_empty()).collect())
            }
            (None, Some(edges)) => {
                Domain::Bins(Bins::new(edges.split(',').map(str::trim)).map_err(sentence)?)
            }
            (None, None) => {
                return Err(format!(
                    "Declare the possible values of column {name:?}. They are never read from the data, because that would reveal \
                     which ones occur."
                ));
            }
        };
        columns.push(Column { name: name.to_owned(), domain });
    }
    if columns.is_empty() {
        Err("Name the column that holds the categories.".to_owned())
    } else {
        Ok(columns)
    }
}

fn prior(list: &str) -> Result<Prior, String> {
    let parsed: Result<Vec<f64>, _> = list.split(',').map(|part| part.trim().parse::<f64>()).collect();
    let parsed = parsed
        .map_err(|_| format!("The prior {list:?} is no list of numbers. Put commas between them: 1, 1."))?;
    Prior::new(parsed).map_err(sentence)
}
