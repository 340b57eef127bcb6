//! Before a release: which mechanism, how near it comes, and what it really loses. No private data has a part in it.
//!
//! `cargo run -p posterity-advice --example comparison`

use std::error::Error;

use posterity::{Counts, Terms};
use posterity_advice::{Contest, Measure, Ranking, Shape, advise, audit, compare};

/// Asks for advice, compares three mechanisms at assumed counts, and audits one of them.
pub fn main() -> Result<(), Box<dyn Error>> {
    // What is public: the budget, the number of categories and the number of records.
    let terms = Terms::new("1".parse()?);
    let setting = terms.setting(3, 40)?;
    let silent = |_| ();

    // Advice ranks the private mechanisms at data of an assumed shape.
    let shape = Shape::new(vec![3.0, 2.0, 1.0])?;
    let advice = advise(&setting, Some(&shape), &silent)?;
    println!("advice: {}, decoder {}. {}\n", advice.mechanism, advice.decoder, advice.reason);

    // A comparison states the exact law of the distance from the true posterior at one data set. It depends on that
    // data without protection, so the data is made up.
    let assumed = Counts::new(advice.assumed_counts.clone())?;
    let contest = Contest {
        mechanisms: ["lattice", "geometric", "tight(ehds)"]
            .map(str::parse)
            .into_iter()
            .collect::<Result<_, _>>()?,
        decoders: None,
        measure: Measure::default(),
        limit: false,
        ranking: Ranking::Distance,
        keep_laws: false,
    };
    for row in compare(&setting, &assumed, &contest, &silent)?.rows {
        println!("{:20} mean distance {:.4} ({})", row.label(), row.expected_distance, row.method);
    }

    // An audit finds the exact privacy loss over all data sets of this size.
    let request = Terms { spec: "ehds".parse()?, ..terms }.request(3, 40, &silent)?;
    let (report, _) = audit(&request, &*request.mechanism(&silent)?, &[], 1e8, &silent)?;
    println!("\n{} loses {:.4} of its epsilon {}", report.mechanism, report.loss, report.claimed);
    Ok(())
}
