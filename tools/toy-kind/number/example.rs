//! The question of the conformance suite.

use std::path::Path;

use posterity_core::discovery::Total;
use posterity_core::model::Adjacency;
use posterity_count::{Column, Question, Resources, Source};
use posterity_ledger::Amount;

use super::{Number, NumberRequest};
use crate::about::About;
use crate::ask::{Ask, Price};
use crate::kind::conformance::Example;
use crate::paper::Kind;
use crate::private_data::Data;
use crate::publish_error::PublishError;
use crate::randomness::Randomness;

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
        let part =
            serde_json::json!({ "data": data.description(), "mechanism": Number::NAME, "epsilon": "1" });
        let request = NumberRequest {
            about: About::new(&question, None),
            epsilon: "1".into(),
            level: Some(0.95),
            seed: None,
        };
        let price = Ok(Price::Epsilon("1".parse().expect("an amount"), Amount::ZERO));
        let protects = (Adjacency::AddRemove, Some("id"), None);
        let ask = Ask::new(part, price, protects, (request.clone(), 0.95));
        let ask = Ask { named: true, seeded: data.is_seeded(), ..ask };
        ask.drawn_by(move |seed, bits| {
            let request = NumberRequest { seed, ..request };
            let epsilon = request.epsilon().expect("a number");
            let n = data.private_counts().total();
            let drawn = Total::draw(&epsilon, n, bits)?.noisy();
            let promise = Number::promise_of(&request, epsilon);
            Number::new(request, None, promise, drawn).map_err(|_| PublishError::StoredDocument)
        })
    }

    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        // How many there are is what it releases.
        Self::example(path, randomness)
    }
}
