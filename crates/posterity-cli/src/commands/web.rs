//! `posterity web`

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use posterity_web::{Options, Server};

use crate::args::WebArgs;
use crate::failure::Failure;
use crate::notice::note;

/// Answers a browser until the process ends.
pub(crate) fn web(args: &WebArgs) -> Result<(), Failure> {
    let options = Options { data: args.data.clone(), ledger: args.ledger.clone(), port: args.port };
    let server = Server::bind(&options).map_err(Failure::refused)?;
    let address = server.address();
    let mut out = std::io::stdout();
    writeln!(out, "{address}")?;
    out.flush()?;
    note("the address works once, in one browser of this machine; stop with Ctrl-C");
    if !args.no_open && !server.open(open) {
        note("no browser could be opened; open the address yourself");
    }
    server.run().map_err(Failure::refused)
}

/// Opens a file in the usual browser, and says whether there is one.
fn open(page: &Path) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(page);
    // What a browser says is nothing for this terminal.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
