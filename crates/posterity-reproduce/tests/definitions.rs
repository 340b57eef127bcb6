//! Definitions that are refused: the message names the file, the key and the remedy.

use posterity_reproduce::{Experiment, ReproduceError};

const VALID: &str = "\
title = 'One law'
group = 'accuracy-exact'
seed = 1

[laws]
epsilon = 1
mechanisms = ['lshist', 'ehds(gamma=0.5)']
panel = [{ title = 'small', prior = [1, 1], counts = [4, 4], reach = 1 }]

[[claim]]
id = 'a'
text = 'A claim.'
source = 'a test'
quantifier = 'for-all'
holds = [{ check = 'below', of = 'mean', left = 'lshist', right = 'ehds(gamma=0.5)' }]
";

fn refusal(text: &str) -> String {
    let error = Experiment::from_toml("mine", text).expect_err("refused");
    assert!(matches!(error, ReproduceError::Definition { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn accepts() {
    let experiment = Experiment::from_toml("mine", VALID).expect("valid");
    assert_eq!((experiment.name(), experiment.seed(), experiment.claims().len()), ("mine", 1, 1));
}

#[test]
fn rejects() {
    for (from, to, words) in [
        ("title = 'One law'\n", "", "missing field `title`"),
        ("seed = 1", "sead = 1", "unknown field `sead`, expected one of `title`"),
        ("'accuracy-exact'", "'accuracy'", "unknown variant `accuracy`, expected one of `sensitivity`"),
        ("epsilon = 1", "epsilom = 1", "unknown field `epsilom`, expected one of `epsilon`"),
        ("epsilon = 1", "epsilon = 0", "epsilon is 0; choose a positive, finite number such as 1 or 0.5"),
        ("epsilon = 1", "epsilon = 'one'", "invalid type: string \"one\", expected f64"),
        ("'lshist', ", "'laplace', ", "there is no mechanism \"laplace\"; choose one of lattice"),
        ("gamma=0.5)']\npanel", "gamma=0)']\npanel", "gamma is 0; choose a positive, finite number"),
        (
            "mechanisms = ['lshist', 'ehds(gamma=0.5)']",
            "mechanisms = []",
            "mechanisms is empty; list at least one",
        ),
        ("prior = [1, 1]", "prior = [1, 0]", "prior parameter 2 is 0; give a finite number above zero"),
        (
            "prior = [1, 1]",
            "prior = [1, 1, 1]",
            "panel \"small\": prior has 3 parameters and counts 2 categories",
        ),
        ("counts = [4, 4]", "counts = [0, 0]", "all counts are zero; there must be at least one record"),
        (
            "epsilon = 1",
            "epsilon = 1\nrepetitions = 1000000000000000000",
            "1000000000000000000 are too many; give at most 4000000",
        ),
        ("reach = 1", "reach = -1", "reach and bin are distances; give positive numbers"),
        ("[laws]", "[rules]", "unknown field `rules`"),
        ("check = 'below'", "check = 'under'", "there is no check \"under\"; choose one of below, up-to"),
        (
            ", right = 'ehds(gamma=0.5)'",
            "",
            "the check below of \"mean\" lacks the key right or right_of; add it as text",
        ),
        ("of = 'mean', ", "", "the check below lacks the key of; add it as text"),
        (
            "of = 'mean', ",
            "of = 'mean', is = 1, ",
            "the check below of \"mean\" has no key is; remove it, or choose from of, left, panel",
        ),
        ("of = 'mean', ", "of = 1, ", "in the check below the key of is of type integer; give text"),
        (
            "holds = [{ check = 'below', of = 'mean', left = 'lshist', right = 'ehds(gamma=0.5)' }]",
            "holds = []",
            "claim \"a\": it has no checks; add [[claim.holds]]",
        ),
        ("quantifier = 'for-all'\n", "", "missing field `quantifier`"),
        (
            "'for-all'",
            "'always'",
            "unknown variant `always`, expected one of `for-all`, `there-is`, `on-average`",
        ),
        (
            "quantifier = 'for-all'\nholds = [{ check = 'below', of = 'mean', left = 'lshist', right = 'ehds(gamma=0.5)' }]",
            "quantifier = 'on-average'\nholds = [{ check = 'falling', of = 'mean' }]",
            "claim \"a\": averages are compared number by number; use below, up-to, near, value, at-most or at-least",
        ),
        ("id = 'a'", "id = ", "mine.toml"),
    ] {
        assert!(VALID.contains(from), "{from}");
        let message = refusal(&VALID.replace(from, to));
        assert!(message.starts_with("mine.toml: "), "{message}");
        assert!(message.contains(words), "{from} -> {to}\n{message}");
    }
}

/// The whole message, as it is read.
#[test]
fn a_message_in_full() {
    assert_eq!(
        refusal(&VALID.replace("epsilon = 1", "epsilon = -1")),
        "mine.toml: TOML parse error at line 6, column 11\n  |\n6 | epsilon = -1\n  |           ^^\n\
         epsilon is -1; choose a positive, finite number such as 1 or 0.5"
    );
    assert_eq!(
        refusal(&VALID.replace(", right = 'ehds(gamma=0.5)'", "")),
        "mine.toml: TOML parse error at line 15, column 9\n   |\n\
         15 | holds = [{ check = 'below', of = 'mean', left = 'lshist' }]\n   |         \
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n\
         the check below of \"mean\" lacks the key right or right_of; add it as text"
    );
    let two = format!(
        "{VALID}\n[steps]\nprior = [1, 1]\ncounts = [4, 4]\nepsilon = 1\nmechanisms = ['lshist']\nsteps = [0]\n"
    );
    assert_eq!(
        refusal(&two),
        "mine.toml: several tables say what to compute; keep one of sensitivity, candidates, landscape, laws, steps, boxes, \
         sweep, bounds, crossover, coverage, explicit, map, noise, radius, scores, drawn, drawn_at, exchangeable, lemmas, sliding, tails"
    );
    let claim = VALID.find("[[claim]]").map_or("", |start| &VALID[start..]);
    assert_eq!(
        refusal(&format!("{VALID}\n{claim}")),
        "mine.toml: claim \"a\": the id is used twice; give each claim its own"
    );
}

#[test]
fn sweeps_say_which_key_does_not_fit() {
    let sweep = |lines: &str, panel: &str| {
        let claim = VALID.find("[[claim]]").map_or("", |start| &VALID[start..]);
        refusal(&format!(
            "title = 't'\ngroup = 'beyond'\n[sweep]\nmeasure = 'mean'\nepsilon = 1\nmechanisms = ['lshist']\n{lines}\n\
             panel = [{{ title = 'p', prior = [1, 1], {panel} }}]\n{claim}"
        ))
    };
    for (lines, panel, words) in [
        ("over = 'n'\nvalues = []", "shape = [1, 1]", "values is empty; list at least one"),
        (
            "over = 'n'\nvalues = [2.5]",
            "shape = [1, 1]",
            "values: 2.5 is no data size n; give positive numbers",
        ),
        ("over = 'n'\nvalues = [10]", "counts = [5, 5]", "the size varies; give shape and leave counts out"),
        ("over = 'n'\nvalues = [10]", "shape = [1]", "shape needs 2 whole numbers, not all zero"),
        (
            "over = 'epsilon'\nvalues = [1]",
            "shape = [1, 1]",
            "the data are fixed; give counts and leave shape out",
        ),
        ("over = 'k'\nvalues = [1]", "shape = [1, 1]", "unknown variant `k`, expected one of `n`"),
        (
            "over = 'n'\nvalues = [10]\nmiss = 1",
            "shape = [1, 1]",
            "miss is 1; give a probability between 0 and 1",
        ),
    ] {
        let message = sweep(lines, panel);
        assert!(message.contains(words), "{lines}, {panel}\n{message}");
    }
}
