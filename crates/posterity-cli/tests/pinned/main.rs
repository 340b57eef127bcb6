//! What people have or see today: documents of every kind, questions and prices in a ledger, refusals, and what the
//! terminal and the pages say. A change of a snapshot here is a change for somebody: of a document that is stored, of a
//! charge that is recalled, of a script that reads the output. Say in the changelog what changed, and why.

mod documents;
#[cfg(feature = "web")]
mod forms;
mod fronts;
mod ledgers;
#[cfg(feature = "web")]
mod pages;
mod plans;
mod refusals;
mod transcripts;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with the same files each time.
struct Desk {
    folder: tempfile::TempDir,
}

/// What a command said.
struct Said {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Desk {
    /// Stays in three wards: some people have several, some outcomes are unknown, and some wards are not declared.
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().expect("a folder") };
        let mut stays = "id,ward,sex,age,cured,score\n".to_owned();
        let mut unknown = stays.clone();
        for row in 0..420_usize {
            let (id, ward) = (row % 300, ["A", "B", "C"][row * 7 % 11 % 3]);
            let (sex, age) = (["f", "m"][row % 5 % 2], 18 + row * 13 % 70);
            let (cured, score) = (["yes", "no"][row % 7 / 4], row * row % 4);
            writeln!(stays, "{id},{ward},{sex},{age},{cured},{score}").expect("text");
            let cured = if row % 9 == 0 { "" } else { cured };
            let ward = if row % 31 == 0 { "Z" } else { ward };
            writeln!(unknown, "{id},{ward},{sex},{age},{cured},{score}").expect("text");
        }
        desk.write("stays.csv", &stays);
        desk.write("unknown.csv", &unknown);
        let rows = stays.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let json = rows
            .map(|row| format!("{{\"id\":{},\"ward\":\"{}\",\"cured\":\"{}\"}}\n", row[0], row[1], row[4]));
        desk.write("stays.ndjson", &json.collect::<String>());
        desk.write("stays.schema.json", SCHEMA);
        desk.write("plan.toml", PLAN);
        desk
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a line such as `release stays.csv --epsilon 1`. What stands between single quotes is one word.
    fn run(&self, line: &str) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
        command.args(words(line)).current_dir(self.path()).stdin(Stdio::null());
        command.env("COLUMNS", "100").env("LC_ALL", "C").env_remove("CLICOLOR_FORCE");
        let output = command.output().expect("the command runs");
        let text = |bytes| self.without_paths(&String::from_utf8(bytes).expect("UTF-8"));
        Said {
            code: output.status.code().expect("not killed"),
            stdout: text(output.stdout),
            // How long something takes so far depends on the machine.
            stderr: text(output.stderr)
                .split_inclusive('\n')
                .filter(|line| !line.contains(" s so far"))
                .collect(),
        }
    }

    /// Runs a line that must succeed.
    fn done(&self, line: &str) -> Said {
        let said = self.run(line);
        assert_eq!(said.code, 0, "{line}: {}{}", said.stdout, said.stderr);
        said
    }

    /// The bytes of a ledger, in which every charge leaves its trace.
    fn ledger(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(name)).expect("a ledger")
    }

    /// Where the folder is depends on the machine.
    fn without_paths(&self, text: &str) -> String {
        let real = self.path().canonicalize().expect("there");
        text.replace(&*real.to_string_lossy(), "FOLDER").replace(&*self.path().to_string_lossy(), "FOLDER")
    }
}

/// The words of a line.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(ToOwned::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// A text without what changes from run to run, from machine to machine and from version to version: times, digests, the
/// version, and the digits of a number after the tenth.
fn lasting(text: &str) -> String {
    let mut lasting = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (end, said) = match moment(rest) {
            Some((end, name)) => (end, name.to_owned()),
            None if letter.is_ascii_alphanumeric() => lasting_word(rest),
            None => (letter.len_utf8(), letter.to_string()),
        };
        lasting += &said;
        rest = &rest[end..];
    }
    lasting
}

/// How long the time or the date is with which a text begins.
fn moment(text: &str) -> Option<(usize, &'static str)> {
    let shape: String =
        text.chars().take(20).map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let moments = [("0000-00-00T00:00:00Z", "TIME"), ("0000-00-00", "DATE")];
    moments.into_iter().find(|(form, _)| shape.starts_with(form)).map(|(form, name)| (form.len(), name))
}

/// The first word of a text, and what lasts of it.
fn lasting_word(text: &str) -> (usize, String) {
    let end_of = |from: usize, more: &str| {
        let part = |letter: char| letter.is_ascii_alphanumeric() || more.contains(letter);
        text[from..].find(|letter| !part(letter)).map_or(text.len(), |end| from + end)
    };
    let mut end = end_of(0, "_.");
    if text[..end].ends_with('e') && text[end..].starts_with('-') {
        end = end_of(end + 1, "");
    }
    let word = text[..end].trim_end_matches('.');
    let digits = word.split('e').next().unwrap_or_default().replace('.', "");
    let exact = digits.trim_start_matches('0').len() <= 10 || !word.contains('.');
    let kept = match word.parse::<f64>() {
        Ok(value) if !exact && value.is_finite() => {
            // What is so small is a rounding error, or a bound on one.
            let rounded = format!("{:.9e}", if value < 1e-10 { 0.0 } else { value });
            rounded.parse::<f64>().expect("a number").to_string()
        }
        _ if word == env!("CARGO_PKG_VERSION") => "VERSION".to_owned(),
        _ if word.len() == 64 && word.chars().all(|letter| letter.is_ascii_hexdigit()) => "DIGEST".to_owned(),
        _ => word.to_owned(),
    };
    (word.len(), kept)
}

const SCHEMA: &str = r#"{"fields": [
    {"name": "id", "type": "integer"},
    {"name": "ward", "type": "string", "constraints": {"enum": ["A", "B", "C"]}},
    {"name": "sex", "type": "string", "constraints": {"enum": ["f", "m"]}},
    {"name": "age", "type": "integer", "bins": [18, 40, 65, 88]},
    {"name": "cured", "type": "string", "constraints": {"enum": ["yes", "no"]}},
    {"name": "score", "type": "integer", "constraints": {"enum": [0, 1, 2, 3]}}]}"#;

const PLAN: &str = r#"
title = "Stays"
source = "stays.csv"
schema = "stays.schema.json"
epsilon = 1
delta = 1e-9
ledger = "study.ledger"
account = "office"
[[question]]
columns = ["ward", "cured"]
read = ["cured=yes | ward"]
compare = ["cured=yes | ward: A - B"]
[[margins]]
name = "pairs"
sets = 2
share = 2
read = ["cured | age"]
[[require]]
read = "cured=yes | ward"
points = 30
"#;

/// If this fails, snapshots depend on the machine, or hide what they should hold.
#[test]
fn what_changes_is_left_out() {
    for (text, kept) in [
        ("0.36190476190476196, -1.00000000004", "0.3619047619, -1"),
        ("4.095584820728526e-9., 4.095584820728526e-12", "0.000000004095584821., 0"),
        ("655632/2^29 and 0.1234567891", "655632/2^29 and 0.1234567891"),
        ("at 2026-11-19T13:30:33Z, on 2026-11-19.", "at TIME, on DATE."),
        ("1234567890123 of a 12.5 %", "1234567890123 of a 12.5 %"),
        ("{\"epsilon\":0.5794234178298512}", "{\"epsilon\":0.5794234178}"),
        ("0.5794234178298512-differential privacy of −0.5 é", "0.5794234178-differential privacy of −0.5 é"),
    ] {
        assert_eq!(lasting(text), kept);
    }
    assert_eq!(lasting(concat!("posterity ", env!("CARGO_PKG_VERSION"), "\n")), "posterity VERSION\n");
    assert_eq!(lasting(&"Head: 4:@".replace('@', &"c9a99df243d9a620".repeat(4))), "Head: 4:DIGEST");
}
