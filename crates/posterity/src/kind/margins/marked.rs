//! Cells of a table as marks.

use posterity_margins::Estimated;

/// Which cells of a table are listed.
pub(super) fn mark<'a>(listed: impl IntoIterator<Item = &'a usize>, table: &Estimated) -> Vec<bool> {
    let mut marked = vec![false; table.cells().len()];
    listed.into_iter().for_each(|&cell| marked[cell] = true);
    marked
}
