//! The fields of a plan, and the words of every closed list, from which the types of Python are generated.

use posterity::data::{Encoding, Format};
use posterity::plan::{FIELDS, Form};
use posterity_advice::Ranking;
use posterity_core::accuracy::Metric;
use posterity_core::mechanism::{ALL, Form as ParameterForm};
use posterity_plot::PictureKind;
use posterity_present::argument::fields;
use pyo3::prelude::*;

use crate::describe::{SHEETS, SPELLINGS};
use crate::json;

/// The fields of a plan: name, kinds, layer and form.
#[pyfunction]
pub(crate) fn _fields(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    json::object(py, &fields().collect::<Vec<_>>())
}

/// The words of each closed list: those of the fields of a plan, and those of other arguments.
#[pyfunction]
pub(crate) fn _choices() -> Vec<(String, Vec<String>)> {
    let of_fields = FIELDS.iter().filter_map(|field| match field.form {
        Form::Choice(choices) => {
            Some((field.name.to_owned(), choices().into_iter().map(|(name, _)| name.to_owned()).collect()))
        }
        _ => None,
    });
    let words = |name: &str, words: Vec<String>| (name.to_owned(), words);
    let metrics = [Metric::Hellinger, Metric::L1, Metric::Kl, Metric::Tv];
    let others = [
        words("input-format", Format::ALL.map(|one| one.to_string()).to_vec()),
        words("encoding", Encoding::ALL.map(|one| one.to_string()).to_vec()),
        words("picture-kind", PictureKind::ALL.map(|one| one.name().to_owned()).to_vec()),
        words("distance", metrics.map(|one| one.to_string()).to_vec()),
        words("ranking", Ranking::ALL.map(|one| one.to_string()).to_vec()),
        words("sheet", SHEETS.map(str::to_owned).to_vec()),
        words("spelling", SPELLINGS.map(str::to_owned).to_vec()),
    ];
    of_fields.chain(others).collect()
}

/// A parameter of a mechanism: its name, whether it is a flag, its words if they are a closed list, and what it does.
type Parameter = (&'static str, bool, Vec<&'static str>, &'static str);

/// Name, summary and parameters of every mechanism, from which its types are generated.
#[pyfunction]
pub(crate) fn _mechanism_types() -> Vec<(&'static str, &'static str, Vec<Parameter>)> {
    let parameter = |name: &'static str, form: ParameterForm, help: &'static str| -> Parameter {
        let words = match form {
            ParameterForm::Word(_, words) => words.to_vec(),
            ParameterForm::Flag | ParameterForm::Number(_) | ParameterForm::Text(..) => Vec::new(),
        };
        (name, form == ParameterForm::Flag, words, help)
    };
    ALL.iter()
        .map(|one| {
            let parameters = one.parameters.iter().map(|one| parameter(one.name, one.form, one.help));
            (one.name, one.summary, parameters.collect())
        })
        .collect()
}
