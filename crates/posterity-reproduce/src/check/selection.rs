//! Which rows of a table a check is about.

use crate::table::{ResultRow, ResultTable};

/// The rows that a check is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Selection {
    /// The quantity.
    pub(super) of: String,
    /// The series; all if there is none.
    pub(super) left: Option<String>,
    /// The panel; all if there is none.
    pub(super) panel: Option<String>,
    /// The least and the largest x. Rows without an x are chosen only if neither is given.
    pub(super) from: Option<f64>,
    pub(super) to: Option<f64>,
}

impl Selection {
    /// The chosen rows, in the order of the table.
    pub(super) fn rows<'t>(&self, table: &'t ResultTable) -> Vec<&'t ResultRow> {
        let chosen = |row: &&ResultRow| {
            row.quantity == self.of
                && self.left.as_ref().is_none_or(|left| row.series == *left)
                && self.panel.as_ref().is_none_or(|panel| row.panel == *panel)
                && self.in_range(row.x)
        };
        table.rows().iter().filter(chosen).collect()
    }

    /// The series in words.
    pub(super) fn series(&self) -> &str {
        self.left.as_deref().unwrap_or("any series")
    }

    fn in_range(&self, x: Option<f64>) -> bool {
        let inside = |x: f64| self.from.is_none_or(|from| x >= from) && self.to.is_none_or(|to| x <= to);
        x.map_or(self.from.is_none() && self.to.is_none(), inside)
    }
}

/// How the row that a row is compared with differs from it. It has the same x, and the same panel, series and quantity
/// unless others are named here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Partner {
    pub(super) right: Option<String>,
    pub(super) right_of: Option<String>,
    pub(super) right_panel: Option<String>,
}

impl Partner {
    /// The row that a row is compared with, if it was computed.
    pub(super) fn find<'t>(&self, table: &'t ResultTable, row: &ResultRow) -> Option<&'t ResultRow> {
        let panel = self.right_panel.as_ref().unwrap_or(&row.panel);
        let series = self.right.as_ref().unwrap_or(&row.series);
        let quantity = self.right_of.as_ref().unwrap_or(&row.quantity);
        table.rows().iter().find(|other| {
            other.panel == *panel
                && other.series == *series
                && other.quantity == *quantity
                && other.x == row.x
        })
    }
}
