//! Other people's packages as a second opinion.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A package of the Python package index that answers questions in a script.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The package with its version, as pip takes it.
    pub package: &'static str,
}

impl Peer {
    /// Google's dp-accounting.
    pub const DP_ACCOUNTING: Self = Self { package: "dp-accounting==0.6.0" };

    /// The lines that a script answers to these lines, in an environment with the package. The environment is made
    /// below the given folder, from the package index, unless it is there.
    #[must_use]
    pub fn ask(self, folder: &Path, script: &Path, arguments: &[&str], questions: &[String]) -> Vec<String> {
        let mut child = Command::new(self.python(folder))
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let mut input = child.stdin.take().expect("piped");
        let text = questions.join("\n") + "\n";
        // Both pipes are used at once, so that neither fills up.
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output().expect("Python ends");
        writer.join().expect("no panic").expect("written");
        assert!(output.status.success(), "{} fails", script.display());
        String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    /// The Python of a virtual environment with the package, made once below this folder.
    fn python(self, below: &Path) -> PathBuf {
        let folder = below.join(self.package);
        let python = folder.join("bin/python");
        let ready = folder.join("ready");
        if !ready.exists() {
            let run = |command: &mut Command| {
                assert!(command.status().expect("it starts").success(), "{command:?}")
            };
            run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
            run(Command::new(&python).args(["-m", "pip", "install", "--quiet", self.package]));
            std::fs::write(ready, "").expect("the folder is writable");
        }
        python
    }
}
