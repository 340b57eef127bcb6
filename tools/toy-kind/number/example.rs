//! The question of the conformance suite.

use std::path::Path;

use posterity_core::model::Adjacency;
use posterity_count::{Column, Question, Resources, Source};

use super::Number;
use super::plan::PlannedNumber;
use crate::ask::Ask;
use crate::kind::conformance::Example;
use crate::private_data::Data;
use crate::randomness::Randomness;
use crate::terms::Terms;

impl Example for Number {
    fn example(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        let question = Question {
            unit: Some("id".into()),
            adjacency: Adjacency::AddRemove,
            ..Question::new(vec![Column::new("ward", ["A", "B", "C"])])
        };
        let source = Source::files(path.to_string_lossy());
        let go_on = |_| std::ops::ControlFlow::Continue(());
        let data =
            Data::read_from(&source, &question, randomness, &Resources::default(), &go_on).expect("counted");
        let epsilon = "1".parse().expect("a number");
        PlannedNumber { question, epsilon, level: Terms::LEVEL }.ask_of(&data).expect("valid")
    }

    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        // How many there are is what it releases.
        Self::example(path, randomness)
    }
}
