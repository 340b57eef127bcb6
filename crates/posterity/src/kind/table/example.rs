//! The question of the conformance suite.

use std::path::Path;

use posterity_core::model::Adjacency;
use posterity_count::{Column, Question, Resources, Source};

use super::Table;
use crate::ask::Ask;
use crate::kind::conformance::Example;
use crate::private_data::Data;
use crate::publisher::Publisher;
use crate::randomness::Randomness;

impl Example for Table {
    fn example(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        ask(path, randomness, Adjacency::Replace)
    }

    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        ask(path, randomness, Adjacency::AddRemove)
    }
}

fn ask(path: &Path, randomness: Randomness, adjacency: Adjacency) -> Ask<'static, Table> {
    let columns = vec![Column::new("ward", ["A", "B", "C"]), Column::new("cured", ["yes", "no"])];
    let question = Question { unit: Some("id".into()), adjacency, ..Question::new(columns) };
    let source = Source::files(path.to_string_lossy());
    let go_on = |_| std::ops::ControlFlow::Continue(());
    let data = Data::read_from(&source, &question, randomness, &Resources::default(), &go_on);
    let publisher = Publisher::new("1".parse().expect("positive"));
    let publisher = if adjacency == Adjacency::AddRemove { publisher.with_private_n() } else { publisher };
    publisher.ask(Box::leak(Box::new(data.expect("counted")))).expect("valid")
}
