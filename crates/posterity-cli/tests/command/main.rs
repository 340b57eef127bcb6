//! The command as its users meet it: the real binary, its output, its exit codes and its words.

mod bad_input;
mod budget;
mod counted;
mod data_flags;
mod declared;
mod describe;
mod discover;
mod documents;
mod extremes;
mod large_delta;
mod margins;
mod marks;
mod mistakes;
mod names;
mod other_sources;
mod overwriting;
mod pictures;
mod plots;
#[cfg(feature = "postgres")]
mod postgres;
mod priors;
mod private_n;
mod provenance;
mod rate;
mod readings;
mod reference;
mod reproduce;
mod schema;
mod shell;
mod snapshots;
mod study;
mod terminal;
mod unknown;
#[cfg(all(feature = "web", target_os = "linux"))]
mod web;

use std::process::{Command, Stdio};

/// What a run of the command left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn posterity(args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
    run(command.args(args).stdin(Stdio::null()).env_remove("COLUMNS"))
}

/// The words of a line, with a value in the place of each `{}`. Values may hold blanks.
fn typed<'a>(line: &'a str, values: &[&'a str]) -> Vec<&'a str> {
    let mut values = values.iter().copied();
    let mut word = |word| if word == "{}" { values.next().expect("a value for each {}") } else { word };
    line.split(' ').map(&mut word).collect()
}

fn run(command: &mut Command) -> Run {
    let output = command.output().expect("the command runs");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: without_progress(&String::from_utf8(output.stderr).expect("UTF-8")),
    }
}

/// Without the lines that say what takes long, which depend on the machine.
fn without_progress(said: &str) -> String {
    said.split_inclusive('\n').filter(|line| !line.contains(" s so far")).collect()
}

/// The JSON document that a successful run prints.
fn document(args: &[&str]) -> serde_json::Value {
    let run = posterity(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    let document = serde_json::from_str(&run.stdout).expect("one JSON document");
    schema::check(&document);
    document
}
