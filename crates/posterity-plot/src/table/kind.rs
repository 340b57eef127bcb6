//! The kinds of pictures of tables.

use posterity::{ReadingTable, Statistic};

use super::grid::Grid;

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// A cell for each number, in a shade that grows darker with it.
    Heat,
    /// A line for each number, with its interval, in groups on one scale.
    Forest,
    /// A row for each group, as high as the group is large, divided into shares.
    Mosaic,
}

impl PictureKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Heat, Self::Forest, Self::Mosaic];

    /// Its name in a command.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Forest => "forest",
            Self::Mosaic => "mosaic",
        }
    }

    /// The kind with this name.
    ///
    /// ```
    /// use posterity_plot::PictureKind;
    /// assert_eq!(PictureKind::named("forest"), Some(PictureKind::Forest));
    /// assert_eq!(PictureKind::named("pie"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that suits a table if none is asked for: a heat map for shares of several columns together, and
    /// intervals in groups for everything else.
    #[must_use]
    pub fn usual(table: &ReadingTable) -> Self {
        let grid = Grid::new(table);
        let joint = table.statistic == Statistic::Share && table.given.is_empty();
        let (rows, columns) = (grid.outer.len(), grid.inner.len());
        if joint && rows > 1 && columns > 1 && rows.min(columns) <= super::heat::MOST_COLUMNS {
            Self::Heat
        } else {
            Self::Forest
        }
    }
}
