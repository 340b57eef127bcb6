//! A plan that a call gives: a dict, the text of one, or the path of a file.

use std::path::{Path, PathBuf};

use posterity::plan::{Node, Plan, Value};
use posterity::text_file::read_text;
use posterity_study::read_node;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

use crate::argument::{path, text};
use crate::call::Call;
use crate::error::Failure;
use crate::node::node;

/// A plan as it is given, and the folder from which its paths start.
pub(crate) struct Written {
    pub(crate) node: Node,
    pub(crate) folder: PathBuf,
}

impl Written {
    /// Whether it is the path of a file. A text with a line break, or one that begins with a brace, is the plan itself.
    pub(crate) fn is_path(given: &Bound<'_, PyAny>) -> Result<bool, Failure> {
        if !given.is_instance_of::<PyString>() {
            return Ok(given.cast::<PyMapping>().is_err());
        }
        let text = text(given, "plan")?;
        Ok(!text.contains('\n') && !text.trim_start().starts_with('{'))
    }

    /// Reads a plan.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        if given.cast::<PyMapping>().is_ok() {
            return Ok(Self { node: node(given, "plan")?, folder: PathBuf::new() });
        }
        let (words, folder) = if Self::is_path(given)? {
            let path = path(given, "plan")?;
            let words = read_text(&path).map_err(|error| Failure::argument("plan", error))?;
            (words, path.parent().unwrap_or(Path::new("")).to_owned())
        } else {
            (text(given, "plan")?, PathBuf::new())
        };
        let node = read_node(&words).map_err(|error| Failure::argument("plan", error))?;
        Ok(Self { node, folder })
    }
}

/// A plan that asks one question of a kind, and the call with what the plan is bound to.
pub(crate) struct GivenPlan<'py> {
    pub(crate) plan: Plan,
    pub(crate) folder: PathBuf,
    pub(crate) call: Call<'py>,
}

impl<'py> GivenPlan<'py> {
    pub(crate) fn new(call: Call<'py>, given: &Bound<'py, PyAny>, kind: &str) -> Result<Self, Failure> {
        let Written { mut node, folder } = Written::new(given)?;
        let mut call = call;
        for key in ["ledger", "account"] {
            let Some(bound) = node.take(key) else { continue };
            let Value::Text(bound) = bound.value() else {
                return Err(Failure::argument("plan", format!("{key}: write a text, or leave it out")));
            };
            if call.get(key).is_some() {
                let why = format!("the plan names its {key}; leave it out there, or the budget here");
                return Err(Failure::argument("budget", why));
            }
            let bound = if key == "ledger" {
                folder.join(bound).to_string_lossy().into_owned()
            } else {
                bound.clone()
            };
            call = call.with(key, bound)?;
        }
        let schema = |file: &str| read_text(&folder.join(file)).map_err(|error| error.to_string());
        let plan = Plan::read(node, &schema).map_err(|error| Failure::argument("plan", error))?;
        let kinds: Vec<&str> = plan.questions().map(|asked| asked.kind()).collect();
        if kinds != [kind] {
            let why =
                "this plan asks something else than one such question; posterity.study carries out any plan";
            return Err(Failure::argument("plan", why));
        }
        Ok(Self { plan, folder, call })
    }
}
