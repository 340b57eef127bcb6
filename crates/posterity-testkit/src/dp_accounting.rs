//! Google's dp-accounting as a second opinion.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Python of a virtual environment with dp-accounting, made once below this folder.
fn python(below: &Path) -> PathBuf {
    let folder = below.join("dp-accounting-0.6.0");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if !ready.exists() {
        let run = |program: &Path, args: &[&str]| {
            let status = Command::new(program).args(args).status().expect("the program starts");
            assert!(status.success(), "{} {args:?}", program.display());
        };
        run(Path::new("python3"), &["-m", "venv", folder.to_str().expect("UTF-8")]);
        run(&python, &["-m", "pip", "install", "--quiet", "dp-accounting==0.6.0"]);
        std::fs::write(ready, "").expect("the folder is writable");
    }
    python
}

/// The lines that a script answers to these lines, in an environment with dp-accounting. The environment is made in the
/// given folder, from the package index, unless it is there.
#[must_use]
pub fn ask_dp_accounting(folder: &Path, script: &Path, questions: &[String]) -> Vec<String> {
    let mut child = Command::new(python(folder))
        .arg(script)
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
