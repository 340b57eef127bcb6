//! Which plan is asked for, and who pays.

use std::path::{Path, PathBuf};

use posterity::Adjacency;
use posterity::plan::{Node, Value};
use posterity_study::{PlanFile, Study, read_node};
use serde::Deserialize;

use crate::chosen;
use crate::folder::Folder;
use crate::made::MadeForm;
use crate::sentence::sentence;
use crate::typed::Typed;

/// The form of a study, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StudyForm {
    /// The name of the plan in the folder.
    pub(super) plan: Typed,
    /// The text of a plan, in place of one of the folder.
    pub(super) text: Typed,
    /// The account that pays if the plan names none.
    pub(super) account: Typed,
    /// How many people there are, from public sources: for the forecast only.
    pub(super) n: Typed<u64>,
    /// The address of a study that was made here, in place of a plan.
    pub(super) made: Typed,
}

/// A plan that was checked. No data has been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(super) typed: StudyForm,
    /// The name of the plan in the folder, and its path as the folder was named; none if it was made here.
    pub(super) name: String,
    pub(super) path: Option<PathBuf>,
    pub(super) study: Study,
    /// How many people there are, as was typed.
    pub(super) n: Option<u64>,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
}

impl Asked {
    /// What the form asks for, or what is wrong with it. It reads the plan and its schema, and no data.
    pub(super) fn new(
        folder: Option<&Folder>,
        ledger: Option<&Path>,
        typed: StudyForm,
    ) -> Result<Self, String> {
        let folder = chosen::folder(folder)?;
        let (name, path, plan, n) = match typed.made.get() {
            Some(made) => {
                let (plan, n) = made_here(folder, made)?;
                (MADE_HERE.to_owned(), None, plan, n)
            }
            None if typed.text.get().is_some() => {
                (PASTED.to_owned(), None, parsed(folder, PASTED, &typed.text)?, typed.n.value()?)
            }
            None => {
                let name = typed.plan.get().ok_or("Choose a plan.")?;
                let (path, plan) = of_folder(folder, name)?;
                (name.to_owned(), Some(path), plan, typed.n.value()?)
            }
        };
        let account = match (plan.ledger(), plan.account(), ledger) {
            (None, None, None) => None,
            (None, None, Some(_)) => {
                Some(typed.account.get().ok_or("Choose the account that pays.")?.to_owned())
            }
            (Some(named), _, given) if !given.is_some_and(|given| is_same(given, named)) => {
                return Err(format!(
                    "{name} charges the ledger {}, which these pages do not keep. Start with --ledger {0}.",
                    named.display()
                ));
            }
            (_, account, _) => account.map(ToOwned::to_owned),
        };
        let study = Study::new(plan).map_err(|error| format!("{name}: {error}."))?;
        Ok(Self { name, path, study, n, account, typed })
    }

    /// The column that tells units apart, if there is one.
    pub(super) fn unit_column(&self) -> Option<&str> {
        self.study.plan().records().unit.as_deref()
    }

    /// Whether n is public.
    pub(super) fn adjacency(&self) -> Adjacency {
        self.study.plan().records().adjacency
    }

    /// Whom it protects, in a word.
    pub(super) fn unit(&self) -> &str {
        self.unit_column().unwrap_or("record")
    }
}

/// What a plan is called whose text was pasted. Its paths start from the folder.
const PASTED: &str = "the pasted plan";

/// What a plan is called that was made here.
const MADE_HERE: &str = "made in these pages";

/// A plan of the folder, and its path as the folder was named.
fn of_folder(folder: &Folder, name: &str) -> Result<(PathBuf, PlanFile), String> {
    let ends = [".toml", ".json"];
    let is_plan = ends.iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    let path = folder.find(name).filter(|_| is_plan).ok_or("There is no such plan in the folder.")?;
    let plan = parsed(folder, name, &folder.text(name)?)?;
    Ok((path, plan))
}

/// A plan whose paths start from this file of the folder.
fn parsed(folder: &Folder, name: &str, text: &str) -> Result<PlanFile, String> {
    check_paths(folder, name, text)?;
    let beside = folder.path().join(name);
    PlanFile::parse_below(text, beside.parent().unwrap_or(Path::new("")), folder.root())
        .map_err(|error| format!("{name}: {error}; nothing was charged or released."))
}

/// The plan, and what it means.
pub(super) fn plan(folder: &Folder, made: &MadeForm) -> Result<(String, PlanFile), String> {
    let text = made.plan()?.to_string();
    let plan = PlanFile::parse_below(&text, folder.path(), folder.root()).map_err(sentence)?;
    Ok((text, plan))
}

/// A plan that was made here, whose source is a file of the folder, and how many people were said to be in it.
fn made_here(folder: &Folder, made: &str) -> Result<(PlanFile, Option<u64>), String> {
    let made = MadeForm::of(made).map_err(|_| "This study cannot be read.")?;
    // All questions are about one file.
    let is_there = made.parts().first().is_some_and(|part| folder.find(&part.form.file).is_some());
    if !is_there {
        return Err("There is no such file in the folder.".to_owned());
    }
    Ok((plan(folder, &made)?.1, made.n.value()?))
}

/// Refuses a plan that would read something outside the folder. What is not a plan at all is told when it is parsed.
fn check_paths(folder: &Folder, name: &str, text: &str) -> Result<(), String> {
    let Ok(plan) = read_node(text) else { return Ok(()) };
    for key in ["source", "schema"] {
        let Some(Value::Text(named)) = plan.get(key).map(Node::value) else { continue };
        if !folder.holds(name, named) {
            return Err(format!(
                "{name}: {key} is {named:?}, which is no file of the folder. These pages read files of the folder only; use \
                 `posterity study` for others, and for several files."
            ));
        }
    }
    Ok(())
}

/// Whether two paths lead to the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PLAN: &str = "source = \"people.csv\"\nepsilon = 1\ncolumns = { cured = [\"yes\", \"no\"] }\n[[question]]\ncolumns = [\"cured\"]\n";

    fn asked(plan: &str, name: &str, ledger: bool, account: &str) -> Result<Asked, String> {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("data");
        fs::create_dir(&root).expect("made");
        for (name, text) in [
            ("data/people.csv", "cured\nyes\nno\n"),
            ("outside.csv", "cured\nyes\n"),
            ("data/plan.toml", plan),
            ("outside.toml", PLAN),
            ("study.ledger", ""),
            ("other.ledger", ""),
            ("schema.json", "SECRET"),
        ] {
            fs::write(outer.path().join(name), text).expect("written");
        }
        let (folder, kept) = (Folder::new(&root).expect("a folder"), outer.path().join("study.ledger"));
        let typed = StudyForm { plan: name.into(), account: account.into(), ..StudyForm::default() };
        Asked::new(Some(&folder), ledger.then_some(kept.as_path()), typed)
    }

    #[test]
    fn accepts() {
        let free = asked(PLAN, "plan.toml", false, "").expect("valid");
        assert_eq!((free.account.as_deref(), free.unit()), (None, "record"));
        let chosen = asked(PLAN, "plan.toml", true, "survey").expect("valid");
        assert_eq!(chosen.account.as_deref(), Some("survey"));
        let named = format!("ledger = \"../study.ledger\"\naccount = \"mine\"\nunit = \"person\"\n{PLAN}");
        let named = asked(&named, "plan.toml", true, "survey").expect("valid");
        assert_eq!((named.account.as_deref(), named.unit()), (Some("mine"), "person"));
    }

    #[test]
    fn rejects() {
        let with = |line: &str| format!("{line}\n{PLAN}");
        let source = |path: &str| PLAN.replace("people.csv", path);
        let table = [
            (PLAN.to_owned(), "../outside.toml", true, "no such plan"),
            (PLAN.to_owned(), "people.csv", true, "no such plan"),
            (source("../outside.csv"), "plan.toml", true, "no file of the folder"),
            (source("/etc/passwd"), "plan.toml", true, "no file of the folder"),
            (source("*.csv"), "plan.toml", true, "no file of the folder"),
            (with("schema = \"../schema.json\""), "plan.toml", true, "no file of the folder"),
            (with("ledger = \"../other.ledger\"\naccount = \"x\""), "plan.toml", true, "do not keep"),
            (with("ledger = \"../study.ledger\"\naccount = \"x\""), "plan.toml", false, "do not keep"),
            (with("ledger = \"../study.ledger\""), "plan.toml", true, "no account"),
            (with("sauce = 1"), "plan.toml", true, "line 1: there is no key \"sauce\""),
            ("source = ".to_owned(), "plan.toml", true, "this is not TOML"),
        ];
        for (plan, name, ledger, expected) in table {
            let wrong = asked(&plan, name, ledger, "survey").expect_err(expected);
            assert!(wrong.contains(expected) && !wrong.contains("SECRET"), "{wrong}");
        }
        assert!(asked(PLAN, "plan.toml", true, "").is_err(), "somebody has to pay");
    }
}
