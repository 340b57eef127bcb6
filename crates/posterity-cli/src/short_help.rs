//! What `-h` shows: the flags that most people need, in groups, on one screen. `--help` shows all of them in full.

use clap::{Arg, Command};

/// The lines of a screen.
const SCREEN: usize = 45;

/// The columns of a narrow terminal.
const COLUMNS: usize = 80;

/// A group of flags, and those of them that most people need, each in a few words.
struct Group {
    heading: &'static str,
    common: &'static [(&'static str, &'static str)],
    /// Those that `--help` lists there too.
    others: &'static [&'static str],
}

const GROUPS: [Group; 5] = [
    Group {
        heading: "Data",
        common: &[
            ("source", "The records: a file, a folder, a glob; - for stdin"),
            ("n", "How many records there are, or are expected"),
            ("k", "How many categories there are"),
            ("counts", "Instead of a file: the number of each category"),
            ("column", "A column; repeat the flag for several together"),
            ("columns", "How many values each column has: ward=4,cured=2"),
            ("categories", "The possible values of the column: yes,no"),
            ("bins", "Or edges that sort its numbers: 0,18,65,120"),
            ("schema", "Or a Table Schema that declares the columns"),
            ("other", "The category of values that are not declared"),
            ("missing", "The category of missing values"),
            ("shape", "How large groups are expected to be: ward=5,3,2"),
            ("where", "Count only records that pass a public filter"),
        ],
        others: &[
            "plan",
            "categories_file",
            "alias",
            "label",
            "ordered",
            "whole",
            "password_file",
            "counted",
            "query",
            "name",
            "input-format",
            "table",
            "view",
            "delimiter",
            "encoding",
            "edition",
            "within",
            "shape_from",
            "write_schema",
            "accept",
            "known_before",
        ],
    },
    Group {
        heading: "People",
        common: &[
            ("unit", "Protect all records of one value of this column"),
            ("per-unit", "Which record of a unit counts: random, first, .."),
            ("adjacency", "With add-remove, n is private too"),
        ],
        others: &["most", "one-record-per-person"],
    },
    Group {
        heading: "Promise",
        common: &[
            ("epsilon", "The privacy budget: smaller is more private"),
            ("delta", "The probability that the promise fails: 1e-9"),
            ("half_width", "Find the epsilon for intervals of +- this: 0.05"),
            ("distance", "Find the epsilon for this distance to the truth"),
            ("sets", "Which tables: 2 for all pairs, 3 for all triples"),
        ],
        others: &[
            "allow-large-delta",
            "allow_large_delta",
            "total-epsilon",
            "prior",
            "prior_file",
            "prior-outside",
            "mechanism",
            "mechanisms",
            "not_private",
            "certificate",
        ],
    },
    Group {
        heading: "Answer",
        common: &[
            ("rate", "A share within groups: 'cured=yes | ward'"),
            ("read", "What to show: 'cured | ward', 'mean(score)'"),
            ("compare", "What to compare: 'cured=yes | ward: A - B'"),
            ("level", "The level of intervals [default: 0.95]"),
            ("plot", "Draw it into this .svg or .png file"),
            ("format", "How to print it"),
            ("explain", "Also print what it means"),
        ],
        others: &[
            "decode",
            "interval-kind",
            "interval_kind",
            "about",
            "simultaneous",
            "picture",
            "force",
            "draws",
        ],
    },
    Group {
        heading: "Budget",
        common: &[
            ("ledger", "Charge it to an account of this ledger"),
            ("account", "The account"),
            ("seed", "An experiment: repeatable, and not private"),
        ],
        others: &["again", "sign"],
    },
];

/// The commands whose flags are in groups, with those that have kinds of releases as commands of their own.
const GROUPED: [&str; 8] = ["release", "margins", "discover", "check", "plan", "advise", "read", "compare"];

/// The command with its flags in groups.
pub(crate) fn in_groups(command: Command) -> Command {
    let grouped = GROUPED.contains(&command.get_name());
    command.mut_subcommands(in_groups).mut_args(|argument| match group_of(&argument) {
        Some(group) if grouped && !argument.is_positional() => argument.help_heading(group.heading),
        _ => argument,
    })
}

/// The same for `-h`: of each command that fills more than a screen, the flags that most people need and as many examples
/// as fit.
pub(crate) fn on_a_screen(command: Command) -> Command {
    let command = command.mut_subcommands(on_a_screen);
    if lines(&command) <= SCREEN {
        return command;
    }
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = if command.get_after_long_help().is_none() {
        command.after_long_help(examples.clone())
    } else {
        command
    };
    let grouped = GROUPED.contains(&command.get_name());
    let bare = command.after_help("").mut_args(|argument| in_few_words(argument, grouped));
    let mut shown = String::new();
    for paragraph in examples.split("\n\n") {
        let more = if shown.is_empty() { paragraph.to_owned() } else { format!("{shown}\n\n{paragraph}") };
        if lines(&bare.clone().after_help(more.clone())) > SCREEN {
            break;
        }
        shown = more;
    }
    bare.after_help(shown)
}

fn lines(command: &Command) -> usize {
    command.clone().term_width(COLUMNS).render_help().to_string().trim_end().lines().count()
}

fn group_of(argument: &Arg) -> Option<&'static Group> {
    let id = argument.get_id().as_str();
    GROUPS.iter().find(|group| few_words(group, id).is_some() || group.others.contains(&id))
}

fn few_words(group: &Group, id: &str) -> Option<&'static str> {
    group.common.iter().find(|(common, _)| *common == id).map(|(_, words)| *words)
}

/// An argument in a few words. One that few people need is out of sight where flags are in groups, and has the first sentence
/// of its help elsewhere.
fn in_few_words(argument: Arg, grouped: bool) -> Arg {
    let Some(help) = argument.get_help().cloned() else { return argument };
    let long = argument.get_long_help().cloned().unwrap_or_else(|| help.clone());
    let words = group_of(&argument).and_then(|group| few_words(group, argument.get_id().as_str()));
    match words {
        Some(words) => argument.help(words).long_help(long),
        None if grouped && !argument.is_positional() => argument.hide_short_help(true),
        None => {
            let first =
                help.to_string().split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
            argument.help(first).long_help(long)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::declared;

    fn each(command: &Command, path: &str, ask: &mut dyn FnMut(&str, &Command)) {
        ask(path, command);
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            each(inner, &format!("{path} {}", inner.get_name()), ask);
        }
    }

    /// If this fails, whoever asks for a little help gets more than a screen of it.
    #[test]
    fn every_command_fits_on_a_screen() {
        each(&on_a_screen(declared()), "posterity", &mut |path, command| {
            let lines = lines(command);
            assert!(lines <= SCREEN, "{path}: {lines} lines");
        });
    }

    /// If this fails, a flag is in no group, or a group names a flag that there is not.
    #[test]
    fn every_flag_of_a_release_is_in_a_group() {
        let mut known = Vec::new();
        each(&declared(), "posterity", &mut |path, command| {
            for argument in command.get_arguments().filter(|argument| !argument.is_positional()) {
                let id = argument.get_id().to_string();
                let released = ["release", "margins", "discover", "check"].contains(&command.get_name());
                let grouped = group_of(argument).is_some()
                    || ["help", "version", "cluster", "partitions"].contains(&&*id);
                assert!(!released || grouped, "{path} --{id}");
                known.push(id);
            }
            known.extend(command.get_positionals().map(|one| one.get_id().to_string()));
        });
        for group in &GROUPS {
            for id in group.common.iter().map(|(id, _)| id).chain(group.others) {
                assert!(known.iter().any(|known| known == id), "{id}");
            }
        }
    }

    #[test]
    fn long_help_keeps_all() {
        let release = |command: Command| command.find_subcommand("release").expect("there").clone();
        let long = |command: Command| release(command).render_long_help().to_string();
        assert_eq!(long(on_a_screen(declared())), long(declared()));
    }
}
