//! The columns of a form: their names, and their values or bins.

use posterity::data::{Bins, Column, Domain};
use serde::Deserialize;

use crate::sentence::sentence;
use crate::typed::Typed;

/// Up to three columns as they were typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ColumnFields {
    column0: Typed,
    values0: Typed,
    bins0: Typed,
    column1: Typed,
    values1: Typed,
    bins1: Typed,
    column2: Typed,
    values2: Typed,
    bins2: Typed,
}

impl ColumnFields {
    /// Each column with its values and its bins, also those that are empty.
    pub(crate) fn all(&self) -> [[&Typed; 3]; 3] {
        [
            [&self.column0, &self.values0, &self.bins0],
            [&self.column1, &self.values1, &self.bins1],
            [&self.column2, &self.values2, &self.bins2],
        ]
    }

    fn all_mut(&mut self) -> [[&mut Typed; 3]; 3] {
        [
            [&mut self.column0, &mut self.values0, &mut self.bins0],
            [&mut self.column1, &mut self.values1, &mut self.bins1],
            [&mut self.column2, &mut self.values2, &mut self.bins2],
        ]
    }

    /// Fills in what is declared for a column.
    pub(crate) fn declare(&mut self, index: usize, name: &str, domain: &Domain) {
        let [column, values, bins] = &mut self.all_mut()[index];
        **column = name.into();
        (**values, **bins) = match domain {
            Domain::Values(names) => (names.join(", ").into(), "".into()),
            Domain::Bins(edges) => ("".into(), edges.edges().join(", ").into()),
        };
    }

    /// Whether nothing was typed.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs().next().is_none()
    }

    /// The columns that are meant, or what is wrong with one of them.
    pub(crate) fn columns(&self) -> Result<Vec<Column>, String> {
        Ok(self.placed()?.into_iter().map(|(_, column)| column).collect())
    }

    /// The same with their places in the form, where a column may be left empty.
    pub(crate) fn placed(&self) -> Result<Vec<(usize, Column)>, String> {
        let read = |(place, one)| column(one).map(|column| column.map(|column| (place, column))).transpose();
        self.all().into_iter().enumerate().filter_map(read).collect()
    }

    /// What was declared for one of the columns; none if that is not clear yet.
    pub(crate) fn domain(&self, index: usize) -> Option<Domain> {
        column(self.all()[index]).ok().flatten().map(|column| column.domain)
    }

    /// The fields with their names.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        const NAMES: [[&str; 3]; 3] = [
            ["column0", "values0", "bins0"],
            ["column1", "values1", "bins1"],
            ["column2", "values2", "bins2"],
        ];
        let typed = NAMES.into_iter().flatten().zip(self.all().into_iter().flatten());
        typed.filter_map(|(name, typed)| Some((name, typed.get()?)))
    }
}

/// The column that is meant; none if it has no name.
fn column([name, values, bins]: [&Typed; 3]) -> Result<Option<Column>, String> {
    let Some(name) = name.get() else { return Ok(None) };
    let domain = match (values.get(), bins.get()) {
        (Some(_), Some(_)) => {
            return Err(format!("Column {name:?} has values and bins. Declare one of them."));
        }
        (Some(values), None) => {
            let values = values.split([',', '\n']).map(|value| value.trim().to_owned());
            Domain::Values(values.filter(|value| !value.is_empty()).collect())
        }
        (None, Some(edges)) => Domain::Bins(Bins::new(edges.split(',').map(str::trim)).map_err(sentence)?),
        (None, None) => {
            return Err(format!(
                "Declare the possible values of column {name:?}. They are never read from the data, because that would reveal \
                 which ones occur."
            ));
        }
    };
    Ok(Some(Column::of(name, domain)))
}
