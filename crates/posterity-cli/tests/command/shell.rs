//! Completions and manual pages.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::posterity;

const COMMANDS: [&str; 9] =
    ["release", "inspect", "compare", "audit", "advise", "reproduce", "budget", "completions", "man"];

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = posterity(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        for command in COMMANDS {
            assert!(run.stdout.contains(command), "{shell} does not know {command}");
        }
        for flag in ["epsilon", "explain", "certificate"] {
            assert!(run.stdout.contains(flag), "{shell} does not know --{flag}");
        }
    }
    let run = posterity(&["completions", "tcsh"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("tcsh") && run.stderr.contains("fish"), "{}", run.stderr);
}

/// Bash itself reads the script, if there is a bash, and completes a command with it.
#[test]
fn bash_accepts_its_completions() {
    let Ok(mut bash) = Command::new("bash").args(["-n"]).stdin(Stdio::piped()).spawn() else { return };
    let script = posterity(&["completions", "bash"]).stdout;
    bash.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("written");
    assert!(bash.wait().expect("ended").success());
    let test = format!(
        "{script}\nCOMP_WORDS=(posterity adv); COMP_CWORD=1; _posterity posterity adv posterity; echo \"${{COMPREPLY[@]}}\""
    );
    // The script is longer than one argument may be.
    let mut bash =
        Command::new("bash").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("bash runs");
    bash.stdin.take().expect("a pipe").write_all(test.as_bytes()).expect("written");
    let output = bash.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.trim(), "advise", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_command_has_a_manual_page() {
    let page = posterity(&["man"]);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(page.stdout.contains(".TH posterity 1"), "{}", page.stdout);
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("share/man1");
    let run = posterity(&["man", "--out", inside.to_str().expect("UTF-8")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    for command in COMMANDS {
        let page = std::fs::read_to_string(inside.join(format!("posterity-{command}.1"))).expect(command);
        assert!(page.contains(&format!(".TH posterity-{command} 1")), "{page}");
        assert!(page.contains("Examples:") || command == "help", "{command} has no example");
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let run = posterity(&["man", "--out", file.to_str().expect("UTF-8")]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("--out"), "{}", run.stderr);
}

#[test]
fn every_help_has_a_first_line_and_an_example() {
    let budget = ["create", "show", "history", "verify", "export"].map(|command| vec!["budget", command]);
    for command in COMMANDS.map(|command| vec![command]).into_iter().chain(budget) {
        let run = posterity(&[&command[..], &["--help"]].concat());
        let first = run.stdout.lines().next().expect("a line");
        assert!(first.len() > 20 && first.len() <= 100, "{command:?}: {first}");
        let example = format!("\n  posterity {}", command.join(" "));
        assert!(run.stdout.contains("Examples:\n") && run.stdout.contains(&example), "{command:?}");
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{command:?}");
    }
}
