//! A test program that runs one of its tests again in a child, which may be killed.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

/// What a child writes to its parent starts with this; the rest of its output is the test harness.
const MARK: char = '@';

/// A child process with its input and output.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// This test program, to be started again.
    ///
    /// # Panics
    /// If the system does not say where it is.
    #[must_use]
    pub fn program() -> Command {
        Command::new(std::env::current_exe().expect("this program"))
    }

    /// Runs an ignored test of a test program.
    ///
    /// # Panics
    /// If the program does not start.
    pub fn start(program: &mut Command, test: &str) -> Self {
        let mut child = program
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, output }
    }

    /// The next message, or nothing if the child has ended.
    ///
    /// # Panics
    /// If the child writes something that is not text.
    pub fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            // The harness may have written the start of the line.
            if let Some((_, message)) = line.trim_end().split_once(MARK) {
                return Some(message.to_owned());
            }
        }
    }

    /// Waits for a message; false if the child ends without it.
    pub fn hears(&mut self, message: &str) -> bool {
        std::iter::from_fn(|| self.hear()).any(|heard| heard == message)
    }

    /// Writes a line to the child's standard input.
    ///
    /// # Panics
    /// If the child has closed it.
    pub fn tell(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("it listens");
    }

    /// Waits until the child ends.
    ///
    /// # Panics
    /// If the system does not say how it ended.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// Kills the child, unless it has ended.
    ///
    /// # Panics
    /// If the system does not allow that.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs, or is a zombie");
        self.wait();
    }
}

/// Sends a message from a child to its parent.
pub fn say(message: impl Display) {
    let mut out = std::io::stdout().lock();
    // This fails only if the parent has ended, and then nobody waits for the message.
    let _ = writeln!(out, "{MARK}{message}").and_then(|()| out.flush());
}
