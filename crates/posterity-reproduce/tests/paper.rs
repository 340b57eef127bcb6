//! The paper and the results against the list of claims of a full run: the same words, and no number from nowhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use posterity_reproduce::bounds::scaled_limit;
use posterity_reproduce::{Mode, Silent, claims, experiments, run};

const VERDICTS: [&str; 4] = ["confirmed", "refined", "refuted", "undecided"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).expect(file)
}

/// The fields of lines of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().expect("one").push(other),
        }
    }
    fields
}

/// The verdicts of the list of claims, by `experiment/claim`.
fn verdicts() -> BTreeMap<String, String> {
    let text = read("docs/results/claims.csv");
    let lines = text.lines().skip(1).map(fields);
    lines.map(|line| (format!("{}/{}", line[0], line[1]), line[6].clone())).collect()
}

/// Everything that looks like `[experiment/claim, experiment/claim]`.
fn references(text: &str) -> Vec<String> {
    let parts = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    // A link has its address behind it.
    let parts = parts.filter(|(_, after)| !after.starts_with('('));
    let names = parts.flat_map(|(inside, _)| inside.split(", ").map(str::to_owned).collect::<Vec<_>>());
    names.filter(|name| name.contains('/') && !name.contains(' ')).collect()
}

/// A row of a table that names claims and ends with a verdict has the verdict of these claims; and what is named exists.
#[test]
fn the_same_word_stands_everywhere() {
    let verdicts = verdicts();
    for file in ["docs/paper.md", "docs/results.md"] {
        let text = read(file);
        for name in references(&text) {
            assert!(verdicts.contains_key(&name), "{file} names {name}, which is no claim");
        }
        let mut compared = 0;
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let said = line.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or("").trim();
            let Some(said) = VERDICTS.iter().find(|word| said == **word) else { continue };
            for name in references(line) {
                assert_eq!(verdicts[&name], *said, "{file}: {line}");
                compared += 1;
            }
        }
        println!("{file}: {compared} verdicts compared");
        assert!(file != "docs/paper.md" || compared >= 20, "{compared}");
    }
}

/// The counts that the paper and the results state are those of the list.
#[test]
fn the_counts_of_verdicts_are_right() {
    let verdicts = verdicts();
    let count = |word: &str| verdicts.values().filter(|one| *one == word).count();
    let [confirmed, refined, refuted, undecided] = VERDICTS.map(count);
    let total = verdicts.len();
    let said =
        format!("{confirmed} confirmed, {refined} refined, {refuted} refuted and {undecided} undecided");
    for file in ["docs/paper.md", "docs/results.md"] {
        let text = read(file).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains(&format!("{total} claims")) && text.contains(&said),
            "{file}: {total} claims, {said}"
        );
    }
}

/// Decimal numbers of a text with the number of their decimals.
fn decimals(text: &str) -> Vec<(String, f64, usize)> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == 'e' || letter == '-';
    let tokens = text.split(|letter: char| !is_part(letter));
    let numbers =
        tokens.map(|token| token.trim_matches(|letter| letter == '.' || letter == '-' || letter == 'e'));
    let read = numbers.filter(|one| one.contains('.')).filter_map(|one| {
        let value = one.parse::<f64>().ok()?;
        let mantissa = one.split('e').next().unwrap_or(one);
        let digits = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
        let exponent = one.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
        let places = digits as i32 - exponent;
        Some((one.to_owned(), value, usize::try_from(places).unwrap_or(0)))
    });
    read.collect()
}

/// The numbers that theorem 5 states as formulas.
fn closed_forms() -> Vec<f64> {
    let limits = [2, 3].map(|k| scaled_limit("ehds", k, 1.0).expect("known"));
    let arcosh = 2_f64.acosh();
    // sinh(x/4) coth(x/2) grows and passes 2 between 5 and 6.
    let (mut low, mut high) = (5.0_f64, 6.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (middle / 4.0).sinh() / (middle / 2.0).tanh() < 2.0 { low = middle } else { high = middle }
    }
    limits.into_iter().chain([2.0 * arcosh, 4.0 * arcosh, low]).collect()
}

/// If this fails, the paper states a number that neither the claims nor a proof has.
#[test]
fn every_number_of_the_paper_is_in_the_claims_or_in_a_proof() {
    let paper = read("docs/paper.md");
    let body = paper.split("## References").next().expect("a body");
    let mut sources = read("docs/results/claims.csv");
    for entry in fs::read_dir(root().join("docs/proofs")).expect("a folder") {
        sources.push_str(&fs::read_to_string(entry.expect("readable").path()).expect("text"));
    }
    let mut known: Vec<f64> = decimals(&sources).into_iter().map(|one| one.1).collect();
    known.extend(closed_forms());
    // Sections and parts of the documents are no numbers.
    let mut body = body.to_owned();
    for section in ["Section 4.4", "definition 2.1", "lemma 2.3"] {
        body = body.replace(section, "");
    }
    let numbers = decimals(&body);
    assert!(numbers.len() > 50, "{}", numbers.len());
    let unknown: Vec<&String> = numbers
        .iter()
        .filter(|(_, value, places)| {
            let unit = 10_f64.powi(-i32::try_from(*places).unwrap_or(0));
            !known.iter().any(|known| (known - value).abs() <= 0.500_001 * unit)
        })
        .map(|one| &one.0)
        .collect();
    assert!(unknown.is_empty(), "numbers from nowhere: {unknown:?}");
}

/// The list of claims in the docs is that of a full run.
#[test]
#[ignore = "slow: a full run of all experiments"]
fn the_list_of_claims_is_that_of_a_full_run() {
    let library = experiments().expect("valid");
    let results: Vec<_> =
        library.experiments.iter().map(|one| run(one, Mode::Full, &Silent).expect("runs")).collect();
    let (found, kept) = (claims(&results), read("docs/results/claims.csv"));
    for (found, kept) in found.lines().zip(kept.lines()) {
        assert_eq!(found, kept);
    }
    assert_eq!(found, kept);
}
