//! From flags to a plan, and from what is wrong with a plan to the flag that says so.

use std::any::Any;
use std::path::Path;

use posterity::document::Kind;
use posterity::plan::{Asking, Blame, Form, NamedColumns, Node, Place, Plan, PlanError, PlanProblem, Value};
use posterity::text_file::read_text;
use posterity::{Adjacency, Reading, Table};
use posterity_study::PlanFile;

use crate::counts::{counts_under, parse_counts, wrong_counts};
use crate::declared::{DeclaredArgs, flag_of_key};
use crate::failure::Failure;
use crate::fields::{FieldArgs, told};
use crate::prior_file::prior_in;
use crate::source_args::SourceArgs;

/// What a command asks for: a plan, and the file that it was read from, if it was.
#[derive(Debug)]
pub(crate) struct PlanOfFlags {
    pub(crate) plan: Plan,
    /// The plan in a file, with the records that it names.
    pub(crate) file: Option<PlanFile>,
}

/// What only the flags of columns say of a question.
fn columns(asking: &Asking, declared: &DeclaredArgs) -> Result<Vec<(&'static str, Node)>, Failure> {
    let names = || Node::list(declared.names().iter().map(Node::text));
    match asking.columns {
        NamedColumns::Undeclared => {
            let mut asked = vec![("column", Node::text(declared.discovered()?))];
            asked.extend(declared.labels(Some(0))?);
            Ok(asked)
        }
        // All that the schema declares, or those of the sets.
        NamedColumns::DeclaredOrAll if declared.names().is_empty() && declared.schema().is_some() => {
            Ok(Vec::new())
        }
        _ if declared.names().is_empty() => Err(declared.nothing()),
        _ => Ok(vec![("columns", names())]),
    }
}

/// Refuses columns that a rate does not name. The others stand before what is declared of them.
fn check_beside(rate: &str, declared: &DeclaredArgs) -> Result<(), Failure> {
    // What is wrong with the rate is told when the plan is read.
    let Ok(rate) = rate.parse::<Reading>() else { return Ok(()) };
    let named = rate.columns();
    match declared.names().iter().find(|name| !named.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Failure::usage(
            "--column",
            format!("the rate {rate} does not name {name:?}; leave it out, or read the rate with --read"),
        )),
    }
}

/// The plan that flags ask for, or that of the file that they name.
pub(crate) fn plan<K: Kind>(
    data: &SourceArgs,
    fields: &FieldArgs<K>,
    prior: Option<&Path>,
) -> Result<PlanOfFlags, Failure> {
    plan_of(Asking::of(K::NAME).ok_or_else(nothing_asked)?, data, fields, prior)
}

/// The plan of a look at a file, whose question is about these columns, or about nothing. A plan in a file and a rate name their
/// columns.
pub(crate) fn plan_about(
    data: &SourceArgs,
    fields: &FieldArgs<Table>,
    names: &[String],
) -> Result<PlanOfFlags, Failure> {
    let asking = Asking::of(Table::NAME).ok_or_else(nothing_asked)?;
    if fields.get("rate").is_some() {
        return plan_of(asking, data, fields, None);
    }
    let texts = |names: &[String]| Node::list(names.iter().map(Node::text));
    let asked = match names {
        // Data without columns has two categories at least.
        [] => ("categories", texts(&["a".to_owned(), "b".to_owned()])),
        names => ("columns", texts(names)),
    };
    made(asking, data, fields, (None, Some(asked)))
}

/// A plan that asks nothing, which is refused when it is read.
pub(crate) fn nothing_asked() -> Failure {
    Failure::refused("there is no question")
}

/// The plan for a question of a kind.
pub(crate) fn plan_of<A>(
    asking: &Asking,
    data: &SourceArgs,
    fields: &FieldArgs<A>,
    prior: Option<&Path>,
) -> Result<PlanOfFlags, Failure> {
    made(asking, data, fields, (prior, None))
}

/// The plan for a question of a kind, which may be about other columns than flags name.
fn made<A>(
    asking: &Asking,
    data: &SourceArgs,
    fields: &FieldArgs<A>,
    (prior, about): (Option<&Path>, Option<(&'static str, Node)>),
) -> Result<PlanOfFlags, Failure> {
    if let Some(file) = &data.plan {
        return of_file(asking, file, data, fields);
    }
    let declared = &data.declared;
    let mut root: Vec<(&str, Node)> =
        data.named_source()?.map(|name| ("source", Node::text(name))).into_iter().collect();
    root.extend(fields.at(Place::Plan));
    root.extend(declared.of_all()?);
    let mut asked = Vec::new();
    match data.counts() {
        Some(counts) => {
            let adjacency = match fields.get("adjacency").map(Node::value) {
                Some(Value::Text(name)) => name.parse().unwrap_or_default(),
                _ => Adjacency::default(),
            };
            counts_under(adjacency)(parse_counts(&counts.0, adjacency)?).map_err(wrong_counts)?;
            let numbered = || Node::list((1..=counts.number()).map(|number| Node::text(number.to_string())));
            asked.push(("categories", declared.categories_of_counts()?.unwrap_or_else(numbered)));
        }
        None => {
            match (about, fields.get("rate").map(Node::value)) {
                (Some(about), _) => asked.push(about),
                (None, Some(Value::Text(rate))) => check_beside(rate, declared)?,
                (None, _) => asked.extend(columns(asking, declared)?),
            }
            root.extend(declared.schema().map(|schema| ("schema", schema)));
            if asking.columns != NamedColumns::Undeclared {
                root.push(("columns", Node::table(declared.columns()?)));
            }
        }
    }
    asked.extend(fields.at(Place::Ask));
    if let Some(path) = prior {
        let text = prior_in(path)?;
        root.push(("prior", Form::Numbers.node(&text)));
    }
    root.push((asking.key, Node::list([Node::table(asked)])));
    let read =
        Plan::read(Node::table(root), &|file| read_text(Path::new(file)).map_err(|error| error.to_string()));
    let flags = Flags { data, prior: prior.is_some() };
    Ok(PlanOfFlags { plan: read.map_err(|error| flags.wrong(&error))?, file: None })
}

/// The plan in a file, which asks one question of this kind. What it says is not said again by flags.
fn of_file<A>(
    asking: &Asking,
    path: &Path,
    data: &SourceArgs,
    fields: &FieldArgs<A>,
) -> Result<PlanOfFlags, Failure> {
    let columns =
        data.declared.given().into_iter().find(|(_, given)| *given).map(|(flag, _)| flag.to_owned());
    let given = fields.first().map(|name| format!("--{name}")).or(columns);
    if let Some(flag) = given {
        return Err(Failure::usage(&flag, "the plan says what is asked; leave it out, or change the plan"));
    }
    let shown = path.display().to_string();
    let text = read_text(path).map_err(|error| Failure::refused(format!("--plan: {error}")))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = PlanFile::parse(&text, folder)
        .map_err(|error| Failure::usage(&shown, format!("{error}; nothing was charged or released")))?;
    if !file.plan().questions().map(|asked| asked.kind()).eq([asking.kind]) {
        let why =
            "this plan asks something else than one such question; `posterity study` carries out any plan";
        return Err(Failure::usage("--plan", why));
    }
    Ok(PlanOfFlags { plan: file.plan().clone(), file: Some(file) })
}

/// Which flags say what a plan says.
pub(crate) struct Flags<'a> {
    pub(crate) data: &'a SourceArgs,
    /// Whether the prior comes from a file.
    pub(crate) prior: bool,
}

impl Flags<'_> {
    /// What is wrong, behind the flag that says it.
    pub(crate) fn wrong(&self, error: &PlanError) -> Failure {
        match error.problem() {
            PlanProblem::Schema { .. } => return self.data.declared.wrong(error),
            PlanProblem::LargeDelta(error) => return Failure::large_delta(error),
            PlanProblem::Batch(_) => {
                if let Some(blame) = error.blame() {
                    let why = told(&error.why()) + &self.repeat(error);
                    return Failure::Usage(blame.told(why, |name| self.flag(name)));
                }
            }
            _ => {}
        }
        let why = told(&error.why()) + &self.repeat(error);
        match self.flag_of(error) {
            Some(flag) => Failure::usage(&flag, why),
            None => Failure::Usage(why),
        }
    }

    fn repeat(&self, error: &PlanError) -> String {
        match error.problem() {
            PlanProblem::Undeclared { .. } => self.data.declared.repeat(),
            _ => String::new(),
        }
    }

    /// The flag of a field.
    fn flag(&self, field: &str) -> String {
        match field {
            "prior" if self.prior => "--prior-file".to_owned(),
            "columns" => "--column".to_owned(),
            "source" => "FILE".to_owned(),
            field => format!("--{field}"),
        }
    }

    fn flag_of(&self, error: &PlanError) -> Option<String> {
        let steps: Vec<&str> = error.path().keys().collect();
        match steps.as_slice() {
            ["columns", column] | ["columns", column, "categories" | "bins"] => {
                Some(self.data.declared.flag_of(column).to_owned())
            }
            ["columns", _, key, ..] => Some(flag_of_key(key).to_owned()),
            [key] if Asking::all().any(|asking| asking.key == *key) => None,
            _ => error.field().map(|field| self.flag(field)),
        }
    }
}

impl PlanOfFlags {
    /// The only question, which is of this type.
    pub(crate) fn asked<T: Any>(&self) -> Result<&T, Failure> {
        self.plan.all().next().ok_or_else(nothing_asked)
    }
}

/// Names arguments that can change an error of the data.
pub(crate) fn blamed(blame: Blame, error: impl ToString) -> String {
    blame.told(error, |name| match name {
        "aliases" => flag_of_key(name).to_owned(),
        name => format!("--{name}"),
    })
}
