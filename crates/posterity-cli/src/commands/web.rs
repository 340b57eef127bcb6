//! `posterity web`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use posterity_web::{Options, Server};

use crate::failure::Failure;
use crate::notice::note;

const EXAMPLES: &str = "\
Examples:
  posterity web

  # Release files of a folder, charged to a ledger
  posterity web --data survey --ledger study.ledger";

/// Plan, release and watch budgets in a browser, on this machine only.
///
/// Opens a page that no other machine can reach. Without --data it plans and reads no data. It runs until it is stopped
/// with Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WebArgs {
    /// The folder whose files can be released; nothing outside it is read
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Charge releases to accounts of this ledger, and show them; an account that is created there creates the file
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// Sign the documents of releases that are charged with this key; see `posterity budget keygen`
    #[arg(long, value_name = "FILE", requires = "ledger")]
    sign: Option<PathBuf>,

    /// The port of this machine to answer on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Print the address and do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Answers a browser until the process ends.
pub(crate) fn web(args: &WebArgs) -> Result<(), Failure> {
    let (data, ledger, sign) = (args.data.clone(), args.ledger.clone(), args.sign.clone());
    let options = Options { data, ledger, sign, port: args.port };
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
