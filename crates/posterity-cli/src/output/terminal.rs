//! What is known about the terminal, and writing to it.

use std::io::{self, IsTerminal, Write};

use terminal_size::{Height, Width, terminal_size_of};

use super::printing::Format;

/// The widest lines of prose. Longer ones are hard to read.
const WIDEST: usize = 100;

/// Narrower terminals than this are treated as if they had this width.
const NARROWEST: usize = 20;

/// The width to wrap prose on standard output at: `COLUMNS` if it is set, otherwise the width of the terminal, and 100
/// at most.
pub(crate) fn width() -> usize {
    limited(terminal_size_of(io::stdout()))
}

/// The width to wrap messages at; nothing unless standard error is a terminal, because programs read whole lines.
pub(crate) fn width_of_messages() -> Option<usize> {
    io::stderr().is_terminal().then(|| limited(terminal_size_of(io::stderr())))
}

fn limited(size: Option<(Width, Height)>) -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let columns = columns.filter(|&columns: &usize| columns > 0);
    columns.or(size.map(|(Width(width), _)| width.into())).unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// Whether a table goes to a terminal, so that the reader sees what it says.
pub(crate) fn is_read_as_table(format: Format) -> bool {
    format == Format::Table && io::stdout().is_terminal()
}

/// Writes text with colours. They are left out unless standard output is a terminal that shows them; `NO_COLOR` and
/// `CLICOLOR_FORCE` decide first.
pub(super) fn write_styled(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
