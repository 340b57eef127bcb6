//! The Python module `posterity._posterity`: thin newtypes over the crate `posterity`.
//!
//! Python code around it, in `python/posterity`, has the documentation and the optional packages. Nothing is computed
//! there.

mod analysis;
mod argument;
mod asked;
mod call;
mod capsule;
mod catalogue;
mod check;
mod choices;
mod command;
mod data;
mod dataframe;
mod describe;
mod dirichlet;
mod discover;
mod error;
mod given_plan;
mod html;
mod interrupt;
mod json;
mod labels;
mod ledger;
mod margins;
mod memory;
mod node;
mod numpy;
mod objects;
mod panic;
mod picture;
mod posterior;
mod published;
mod records;
mod release;
mod study;
mod table_advice;
mod tallies;
mod verify;
mod warning;
mod ways;

use pyo3::prelude::*;

/// What `import posterity` is made of.
#[pymodule]
mod _posterity {
    #[pymodule_export]
    use super::analysis::{advise, audit, compare_mechanisms, inspect, least_epsilon};
    #[pymodule_export]
    use super::asked::plan_of;
    #[pymodule_export]
    use super::catalogue::{mechanism, mechanisms};
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::choices::{_choices, _fields, _mechanism_types};
    #[pymodule_export]
    use super::command::{_panic, command};
    #[pymodule_export]
    use super::describe::describe;
    #[pymodule_export]
    use super::dirichlet::Dirichlet;
    #[pymodule_export]
    use super::discover::{Discovered, discover};
    #[pymodule_export]
    use super::html::{contrast_html, contrast_text, escaped, html_table, reading_html, reading_text};
    #[pymodule_export]
    use super::ledger::Ledger;
    #[pymodule_export]
    use super::margins::{Margins, advise_margins, margins};
    #[pymodule_export]
    use super::picture::write_file;
    #[pymodule_export]
    use super::posterior::Posterior;
    #[pymodule_export]
    use super::published::{Published, from_json, load, restore};
    #[pymodule_export]
    use super::release::{_rust_times, Release, release};
    #[pymodule_export]
    use super::study::study;
    #[pymodule_export]
    use super::table_advice::{advise_table, least_table_epsilon};
    #[pymodule_export]
    use super::verify::verify;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        super::panic::silence();
        Ok(())
    }
}
