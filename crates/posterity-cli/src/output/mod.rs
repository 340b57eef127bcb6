//! What goes to standard output: one description of a result, and one exporter per format.

mod page;
mod printing;
mod table;
mod terminal;
mod wrap;

use std::io::{self, BufWriter, Write};

use posterity_present::csv;
use serde::Serialize;

use crate::failure::Failure;

pub(crate) use self::page::{Page, Paragraph};
pub(crate) use self::printing::{Format, Printing};
pub(crate) use self::table::style;
pub(crate) use self::terminal::{is_read_as_table, width_of_messages};
pub(crate) use self::wrap::wrapped;
pub(crate) use posterity_present::{Column, Sheet, Value};

/// A result, described so that every exporter can write it.
pub(crate) trait Report {
    /// The document for other programs.
    type Document: Serialize + ?Sized;

    /// The document for other programs, written as JSON.
    fn document(&self) -> &Self::Document;

    /// The records for other programs, written as comma-separated values.
    fn records(&self) -> Sheet<'_>;

    /// The tables and sentences for a reader.
    fn page(&self) -> Page<'_>;
}

/// Writes a result to standard output in the format that was asked for.
pub(crate) fn print(printing: &Printing, report: &impl Report) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match printing.format {
        Format::Json => write_json(&mut out, report.document())?,
        Format::Csv => csv::write(&mut out, report.records())?,
        Format::Table => {
            let text = table::export(report.page(), terminal::width(), printing.explain);
            return terminal::write_styled(&text);
        }
    }
    out.flush()
}

/// Writes tables and sentences for a reader, where there is only one format.
pub(crate) fn print_page(page: Page<'_>) -> io::Result<()> {
    terminal::write_styled(&table::export(page, terminal::width(), false))
}

/// Writes one JSON document, where there is only one format.
pub(crate) fn print_json(document: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write_json(&mut out, document)?;
    out.flush()
}

/// Writes one JSON document and a line break.
fn write_json(out: &mut impl Write, document: &(impl Serialize + ?Sized)) -> io::Result<()> {
    posterity::json::write(&mut *out, document)?;
    writeln!(out)
}

/// Refuses if standard output is known to be closed, before anything is charged.
pub(crate) fn check() -> Result<(), Failure> {
    #[cfg(unix)]
    if is_closed() {
        return Err(Failure::refused(
            "standard output is closed, so nobody would see the release; send it to a file or to a pipe. Nothing was charged or \
             released",
        ));
    }
    Ok(())
}

/// Whether standard output is closed: its reader is gone, or it was closed before the command began. Rust puts
/// `/dev/null` in the place of a stream that is closed when a program begins, and opens it for reading and writing. A
/// shell that sends output there opens it for writing only.
#[cfg(unix)]
fn is_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat, stat};
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(PollFlags::ERR | PollFlags::NVAL) {
        return true;
    }
    let (Ok(flags), Ok(own), Ok(null)) = (fcntl_getfl(&stdout), fstat(&stdout), stat("/dev/null")) else {
        return false;
    };
    let is_device = FileType::from_raw_mode(own.st_mode) == FileType::CharacterDevice;
    is_device && own.st_rdev == null.st_rdev && flags.contains(OFlags::RDWR)
}
