//! Categories for other and for missing values: one for all columns, and others for single ones.

use maud::{Markup, html};
use posterity::data::Column;
use serde::Deserialize;

use crate::column_fields::ColumnFields;
use crate::release::fieldsets;
use crate::typed::Typed;

/// The categories as they were typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Undeclared {
    pub(super) other: Typed,
    pub(super) missing: Typed,
    other0: Typed,
    missing0: Typed,
    other1: Typed,
    missing1: Typed,
    other2: Typed,
    missing2: Typed,
}

impl Undeclared {
    /// Those of single columns, by their places in the form.
    fn single(&self) -> [[&Typed; 2]; 3] {
        [[&self.other0, &self.missing0], [&self.other1, &self.missing1], [&self.other2, &self.missing2]]
    }

    fn has_single(&self) -> bool {
        self.single().iter().flatten().any(|one| !one.is_empty())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.other.is_empty() && self.missing.is_empty() && !self.has_single()
    }

    /// A column with its categories. Those of its own come before those of all columns.
    pub(super) fn of(&self, place: usize, column: Column) -> Column {
        let [other, missing] = self.single()[place];
        let chosen = |own: &Typed, all: &Typed| own.get().or(all.get()).map(ToOwned::to_owned);
        Column { other: chosen(other, &self.other), missing: chosen(missing, &self.missing), ..column }
    }

    /// The fields.
    pub(super) fn fields(&self, columns: &ColumnFields) -> Markup {
        const HELP: &str = "Without these, values that are not declared and missing values are an error if n is public, and are \
                            left out if it is private. Neither is an answer: shares are among the records whose value is known.";
        html! {
            (fieldsets::undeclared(&self.other, &self.missing, HELP))
            details open[self.has_single()] {
                summary { "Of single columns" }
                p.help { "A column where nothing is missing needs no category that nobody has." }
                @for (place, typed) in self.single().into_iter().enumerate() { (row(place, typed, columns)) }
            }
        }
    }
}

/// The two fields of a column.
fn row(place: usize, [other, missing]: [&Typed; 2], columns: &ColumnFields) -> Markup {
    let usual = ["the first column", "the second column", "the third column"][place];
    let name = columns.all()[place][0].or(usual);
    html! {
        div.typed {
            @for (field, words, typed) in [("other", "Other values", other), ("missing", "Missing values", missing)] {
                @let id = format!("{field}{place}");
                p {
                    label for=(id) { (words) " of " (name) " count as" }
                    input id=(id) name=(id) value=(typed);
                }
            }
        }
    }
}
