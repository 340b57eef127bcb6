//! The fields that other programs rely on.

use crate::{document, posterity};

#[test]
fn a_release_has_its_fields() {
    let release = document(&["release", "--counts", "54,9,27", "--epsilon", "0.5", "--format", "json"]);
    assert_eq!(release["mechanism"], "geometric");
    assert_eq!(release["prior"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(release["n"], 90);
    assert_eq!(release["epsilon"], 0.5);
    assert_eq!(release["delta"], 0.0);
    assert_eq!(release["guarantee"]["kind"], "pure");
    assert_eq!(release["private"], true);
    let posterior = &release["posterior"];
    for field in ["parameters", "mean", "intervals", "categories"] {
        assert_eq!(posterior[field].as_array().map(Vec::len), Some(3), "{field}");
    }
    let means: f64 =
        posterior["mean"].as_array().expect("a list").iter().filter_map(|mean| mean.as_f64()).sum();
    assert!((means - 1.0).abs() < 1e-12);
}

#[test]
fn only_the_systems_randomness_is_private() {
    for mechanism in ["geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh"] {
        let line =
            ["release", "--counts", "5,7", "--epsilon", "1", "--format", "json", "--mechanism", mechanism];
        let seeded = document(&[&line[..], &["--seed", "1", "--not-private"]].concat());
        assert_eq!((&seeded["private"], &seeded["seed"]), (&false.into(), &1.into()), "{mechanism}");
        let proven = !["ehdl", "mh"].contains(&mechanism);
        let system = document(&[&line[..], if proven { &[] } else { &["--not-private"] }].concat());
        assert_eq!(system["private"], proven, "{mechanism}");
        assert!(system.get("seed").is_none(), "{mechanism}");
    }
}

#[test]
fn a_seed_repeats() {
    let line = ["release", "--counts", "500,231", "--epsilon", "0.1", "--seed", "9", "--format", "json"];
    for mechanism in ["geometric", "lshist", "ehds"] {
        let args = [&line[..], &["--mechanism", mechanism]].concat();
        assert_eq!(document(&args), document(&args));
    }
}

/// A parameter that a mechanism does not have is accepted and said to be unused.
#[test]
fn unused_parameters_are_noted() {
    let run = posterity(&["inspect", "--counts", "3,4", "--epsilon", "1", "--gamma", "2", "--delta", "0.1"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("geometric does not use --gamma"), "{}", run.stderr);
    assert!(run.stderr.contains("geometric does not use --delta"), "{}", run.stderr);
}

#[test]
fn csv_quotes_names() {
    let args =
        ["release", "--counts", "3,4", "--epsilon", "1", "--format", "csv", "--categories", "say \"hi\",b"];
    let run = posterity(&args);
    assert!(run.stdout.contains("\n\"say \"\"hi\"\"\","), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 3);
}
