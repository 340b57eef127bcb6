//! The question of the conformance suite.

use std::path::Path;

use posterity_core::model::Adjacency;
use posterity_count::{Column, Question, Resources, Source};

use super::{Margins, MarginsPublisher, MarginsTerms, Which};
use crate::ask::Ask;
use crate::kind::conformance::Example;
use crate::randomness::Randomness;

impl Example for Margins {
    fn example(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        ask(path, randomness, Adjacency::Replace)
    }

    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        ask(path, randomness, Adjacency::AddRemove)
    }
}

fn ask(path: &Path, randomness: Randomness, adjacency: Adjacency) -> Ask<'static, Margins> {
    let columns = vec![Column::new("ward", ["A", "B", "C"]), Column::new("cured", ["yes", "no"])];
    let question = Question { unit: Some("id".into()), adjacency, ..Question::new(columns) };
    let (epsilon, delta) = ("1".parse().expect("positive"), "1e-9".parse().expect("small"));
    let terms = MarginsTerms { adjacency, ..MarginsTerms::new(Which::all(2), epsilon, delta) };
    let planned = MarginsPublisher::new(terms).plan(question).expect("valid");
    let source = Source::files(path.to_string_lossy());
    let go_on = |_| std::ops::ControlFlow::Continue(());
    let data = planned.count(&source, None, randomness, &Resources::default(), &go_on);
    data.expect("counted").ask().expect("valid")
}
