//! Results that come from a draw, or show data.

use std::io;

use posterity_present::Mark;

use crate::notice::warn;
use crate::output::{self, Printing, Report, is_read_as_table};

/// Writes a result to standard output. If it is not private and its reader may not see what it says, its mark goes to
/// standard error.
pub(crate) fn print(printing: &Printing, report: &impl Report, mark: Mark) -> io::Result<()> {
    if let Some(line) = mark.line().filter(|_| !is_read_as_table(printing.format)) {
        warn(line);
    }
    output::print(printing, report)
}
