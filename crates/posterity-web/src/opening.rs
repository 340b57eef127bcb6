//! The file that leads a browser to the address.
//!
//! A browser is started with what it should open as an argument, and every user of the machine can read the arguments
//! of every process. So it is given the name of a file that only its owner can read, and the address is in there.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use maud::{DOCTYPE, html};
use posterity_study::Scratch;

use crate::lock::lock;
use crate::temporary;

/// The file, as long as it is there.
#[derive(Debug, Default)]
pub(crate) struct Opening(Mutex<Option<Scratch>>);

impl Opening {
    /// Writes the file and returns its path.
    pub(crate) fn write(&self, address: &str) -> io::Result<PathBuf> {
        let folder = temporary::folder()?;
        let path = folder.path().join("open.html");
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?.write_all(page(address).as_bytes())?;
        *lock(&self.0) = Some(folder);
        Ok(path)
    }

    /// Removes the file, if it is there.
    pub(crate) fn remove(&self) {
        lock(&self.0).take();
    }
}

fn page(address: &str) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="referrer" content="no-referrer";
                meta http-equiv="refresh" content={ "0; url=" (address) };
                title { "Posterity" }
            }
            body { p { a href=(address) { "Open Posterity" } } }
        }
        "\n"
    };
    page.into_string()
}
