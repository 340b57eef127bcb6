//! Publishes the weather of 731 days: a release from a file.
//!
//! `cargo run -p posterity --example release`

use std::error::Error;

use posterity::data::{Column, Question};
use posterity::{Data, Publisher, SystemBits};
use posterity_core::sampler::BitSource;

/// One record per day, with the column `weather`.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bike-weather.csv");

/// Reads, releases, and says what follows.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The categories are published, so they are declared here and never taken from the data.
    let question = Question::new(vec![Column::new("weather", ["clear", "mist", "wet"])]);
    let data = Data::read(FILE, &question)?;

    // Epsilon bounds what anyone can learn about one record. All else has defaults.
    let release = Publisher::new("0.5".parse()?).publish(&data)?;
    println!("{release}\n");

    // The document is what to publish. It holds all that others need, and nothing else about the data.
    let document = release.document();
    println!("{} characters of JSON\n", serde_json::to_string(document)?.len());

    // The noise-aware posterior answers other questions at no further cost.
    if let Some(posterior) = release.document().noise_aware() {
        let likelier = share(10_000, &mut SystemBits::new(), |bits| {
            let draw = posterior.sample(bits)?;
            Ok(draw[0] > 2.0 * draw[1])
        })?;
        println!("P(clear days are more than twice as frequent as misty ones) = {likelier:.2}");
    }
    Ok(())
}

/// How often something is true in this many draws.
fn share(
    draws: u32,
    bits: &mut dyn BitSource,
    holds: impl Fn(&mut dyn BitSource) -> Result<bool, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut count = 0;
    for _ in 0..draws {
        count += u32::from(holds(bits)?);
    }
    Ok(f64::from(count) / f64::from(draws))
}
