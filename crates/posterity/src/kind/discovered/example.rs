//! The question of the conformance suite.

use std::path::Path;

use posterity_count::{Resources, Source, ValuesAsked};

use super::{Discovered, Discovery, DiscoveryTerms, ValueData};
use crate::ask::Ask;
use crate::kind::conformance::Example;
use crate::randomness::Randomness;

impl Example for Discovered {
    const FINDS_VALUES: bool = true;

    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        Self::example(path, randomness)
    }

    fn example(path: &Path, randomness: Randomness) -> Ask<'static, Self> {
        let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("ward") };
        let source = Source::files(path.to_string_lossy());
        let go_on = |_| std::ops::ControlFlow::Continue(());
        let data = ValueData::read_from(&source, &asked, randomness, &Resources::default(), &go_on);
        let terms = DiscoveryTerms {
            total: Some("0.5".parse().expect("positive")),
            ..DiscoveryTerms::new("0.5".parse().expect("positive"), "1e-9".parse().expect("small"))
        };
        Discovery::new(terms).ask(data.expect("counted")).expect("valid")
    }
}
