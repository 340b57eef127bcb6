//! The golden laws and sensitivities, through the command.

use serde_json::Value;

use crate::document;

fn golden(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("the golden file is JSON")
}

fn list(value: &Value) -> String {
    value.as_array().expect("a list").iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn decimal(value: &Value) -> f64 {
    value.as_str().expect("a decimal").parse().expect("a number")
}

#[test]
fn laws() {
    for case in golden(include_str!("../../../posterity-core/tests/golden/distribution.json")) {
        let (prior, counts, epsilon) =
            (list(&case["prior"]), list(&case["counts"]), case["epsilon"].to_string());
        let parameter = |name| case.get(name).map(|value| format!("{name}={value}"));
        let parameters: Vec<String> = ["gamma", "delta"].into_iter().filter_map(parameter).collect();
        let mechanism = format!("{}({})", case["mechanism"].as_str().expect("a name"), parameters.join(", "));
        let mut args = vec!["inspect", "--format", "json", "--mechanism", &mechanism];
        args.extend(["--prior", &prior, "--counts", &counts, "--epsilon", &epsilon]);
        let found = document(&args);
        let outcomes = found["outcomes"].as_array().expect("a list");
        let expected = case["outcomes"].as_array().expect("a list");
        assert_eq!(outcomes.len(), expected.len());
        let mut exact = 0.0;
        for (outcome, expected) in outcomes.iter().zip(expected) {
            assert_eq!(outcome["counts"], expected["counts"]);
            let probability = outcome["probability"].as_f64().expect("a number");
            assert!((probability - decimal(&expected["probability"])).abs() < 1e-10, "{args:?} {outcome}");
            let distance = outcome["distance"].as_f64().expect("a number");
            let golden = decimal(&expected["distance"]);
            assert!((distance - golden).abs() <= 1e-13 * golden, "{args:?} {outcome}");
            if expected["counts"] == case["counts"] {
                exact = probability;
            }
        }
        let mean = found["expected_distance"].as_f64().expect("a number");
        assert!((mean - decimal(&case["expected_distance"])).abs() < 1e-9);
        assert_eq!(found["probability_exact"].as_f64(), Some(exact));
        assert_eq!(found["private"], false);
    }
}

#[test]
fn sensitivities() {
    for case in golden(include_str!("../../../posterity-core/tests/golden/sensitivity.json")) {
        let (prior, counts) = (list(&case["prior"]), list(&case["counts"]));
        let mechanism = format!("ehds(gamma={})", case["gamma"]);
        let args = ["inspect", "--format", "json", "--mechanism", &mechanism, "--epsilon", "1"];
        let found = document(&[&args[..], &["--prior", &prior, "--counts", &counts]].concat());
        for (field, golden) in [("global", "global"), ("local", "local"), ("smooth", "gamma_smooth")] {
            let value = found["sensitivity"][field].as_f64().expect("a number");
            assert!((value / decimal(&case[golden]) - 1.0).abs() < 1e-12, "{field} at {case}");
        }
    }
}
