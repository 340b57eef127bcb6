//! The report needs no other file, and a file is written as a whole or not at all.

use std::fs;

use posterity_reproduce::{
    Conclusions, Experiment, ExperimentResult, Mode, Silent, Verdict, claims, experiments, report, run,
    write, write_claims, write_report,
};

fn results(names: &[&str]) -> Vec<ExperimentResult> {
    let library = experiments().expect("valid");
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let chosen = library.choose(&names).expect("shipped");
    chosen.into_iter().map(|one: &Experiment| run(one, Mode::Quick, &Silent).expect("runs")).collect()
}

#[test]
fn nothing_outside_is_referred_to() {
    let library = experiments().expect("valid");
    let results = results(&["steps-table", "largest-change"]);
    let html = report(&results, &library.conclusions, Mode::Quick).expect("drawn");
    for word in ["<script", "<link", "<img", "@import", "url(", "src=", "href=\"h", "javascript"] {
        assert!(!html.contains(word), "{word}");
    }
    // The name of the XML namespace is not an address that a browser opens.
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http:") && !addresses.contains("https:"));
    assert_eq!(html.matches("<svg").count(), results.len());
    for result in &results {
        assert!(html.contains(&format!("id=\"{}\"", result.name)));
        for decision in &result.decisions {
            assert!(html.contains(&decision.claim.source), "{}", decision.claim.id);
        }
    }
    // Links within the page lead somewhere.
    for link in html.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap_or_default();
        assert!(html.contains(&format!("id=\"{target}\"")), "{target}");
    }
    assert!(html.contains("not run"), "conclusions whose experiments were not run say so");
}

#[test]
fn conclusions_follow_their_claims() {
    let results = results(&["steps-table"]);
    let conclusion = |claims: &str| {
        let text = format!("[[conclusion]]\ntext = 't'\nsource = 's'\ndecided_by = {claims}");
        let all = Conclusions::from_toml("conclusions.toml", &text).expect("valid").all;
        all[0].verdict(&results)
    };
    assert_eq!(conclusion("['steps-table/lsdim', 'steps-table/lshist']"), Some(Verdict::Confirmed));
    assert_eq!(conclusion("['steps-table/lsdim', 'steps-table/at-distance']"), Some(Verdict::Refined));
    assert_eq!(conclusion("['steps-table/lsdim', 'elsewhere/claim']"), None);
}

/// If this fails, a program cannot check the claims: one line for each, with its verdict and the number that decides it.
#[test]
fn claims_are_listed_one_to_a_line() {
    let results = results(&["steps-table", "gamma-sweep"]);
    let text = claims(&results);
    let decided: usize = results.iter().map(|result| result.decisions.len()).sum();
    assert_eq!(text.lines().count(), 1 + decided);
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect("listed").to_owned();
    assert_eq!(
        text.lines().next(),
        Some("experiment,claim,source,quantifier,law,distance,verdict,region,value,because")
    );
    assert!(
        line("steps-table,lsdim,")
            .contains(",in these settings,as defined,as defined,confirmed,,0.196734670144,"),
        "{text}"
    );
    assert!(
        line("steps-table,at-distance,").contains(",for all,as defined,as defined,refuted,at 0,"),
        "{text}"
    );
    assert!(line("gamma-sweep,gamma-one,").contains(",refuted,,0.404"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_claims(folder.path(), &text).expect("written");
    assert_eq!((fs::read_to_string(&path).expect("readable"), path.ends_with("claims.csv")), (text, true));
}

#[test]
fn files_are_written_whole_and_read_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = results(&["steps-table"]);
    let inner = folder.path().join("a/b");
    let written = write(&inner, &results[0]).expect("written");
    let names: Vec<String> =
        written.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    assert_eq!(names, ["steps-table.csv", "steps-table.svg", "steps-table.png"]);
    let csv = fs::read_to_string(&written[0]).expect("readable");
    assert_eq!(csv, results[0].table.to_csv());
    assert!(fs::read(&written[2]).expect("readable").starts_with(b"\x89PNG"));
    let svg = fs::read_to_string(&written[1]).expect("readable");
    assert!(svg.contains("<text") && !svg.contains("NaN"));
    assert_eq!(fs::read_dir(&inner).expect("a folder").count(), 3, "nothing half is left");
    // A file where a folder should be.
    fs::write(folder.path().join("taken"), "").expect("writable");
    let error = write(&folder.path().join("taken"), &results[0]).expect_err("no folder");
    assert!(error.to_string().contains("cannot be written"), "{error}");
    let error = write_report(&folder.path().join("taken"), "x").expect_err("no folder");
    assert!(error.to_string().contains("report.html"), "{error}");
}
