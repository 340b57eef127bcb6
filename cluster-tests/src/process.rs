//! A process that ends with the test.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

/// A running process whose standard error goes to a file. It is killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// If the system does not start it.
    pub fn start(command: &mut Command, log: &Path) -> io::Result<Self> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(File::create(log)?).spawn()?;
        Ok(Self { child, log: log.to_owned() })
    }

    /// What it has written to standard error so far.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn said(&self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(&self.log)?).into_owned())
    }

    /// Stops it where it is; [`Process::go_on`] continues.
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub fn halt(&self) -> io::Result<()> {
        self.signal("STOP")?;
        // The signal takes effect soon, not at once, and on one thread after the other.
        while !self.is_halted()? {
            thread::yield_now();
        }
        Ok(())
    }

    fn is_halted(&self) -> io::Result<bool> {
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            // A thread that has ended is stopped, too.
            let stat = fs::read_to_string(thread?.path().join("stat")).unwrap_or_default();
            if stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['T', 'Z', 'X'])) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets it go on after [`Process::halt`].
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub fn go_on(&self) -> io::Result<()> {
        self.signal("CONT")
    }

    /// Kills it at once (SIGKILL), so that it cannot clean up.
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(|_| ())
    }

    fn signal(&self, name: &str) -> io::Result<()> {
        let status =
            Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("kill -{name} failed"))) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // If it has ended already there is nothing to do.
        let _ = self.kill();
    }
}

/// For the child: ends this process when its parent has ended for any reason.
pub fn end_with_parent() {
    thread::spawn(|| {
        // Nothing is written to this pipe, so reading ends when the parent does.
        let _ = io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
}
