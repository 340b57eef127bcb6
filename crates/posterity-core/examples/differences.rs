//! How often the intervals of a difference, a ratio and an odds ratio of two shares hold it, where a group has few records.
//!
//! `cargo run --release -p posterity-core --example differences -- [RELEASES] [NOISE] [EPSILON] [N] [FEW]`
//!
//! N records are drawn, of which FEW are expected in the second group, and four cells get the noise of a mechanism; with n
//! private for `private`. Each line has the part of the releases whose intervals of 95 % hold the truth, and the mean width
//! of the interval of the difference; a part is marked if it is below 0.95 by more than three standard errors of so many
//! releases. `-` stands for all.

#![allow(clippy::disallowed_methods, reason = "this program has arguments; the library reads no environment")]

use std::error::Error;

use posterity_core::confidence::{ComparedShare, Scale, Side, Subject, Sums, Within};
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

type Any<T> = Result<T, Box<dyn Error>>;

const LEVEL: f64 = 0.95;

/// The shares in both groups.
const SHARES: [[f64; 2]; 8] =
    [[0.98, 0.98], [0.5, 0.5], [0.02, 0.02], [0.9, 0.5], [0.1, 0.0], [0.0, 0.1], [1.0, 0.97], [0.6, 0.05]];

struct Trial<'a> {
    mechanism: &'a dyn Mechanism,
    n: u64,
    /// The part of the records that is in the second group.
    part: f64,
    shares: [f64; 2],
}

impl Trial<'_> {
    fn draw(&self, bits: &mut SeededBits, seed: u64) -> Any<Sums> {
        let mut counts = vec![0_u64; 4];
        for _ in 0..self.n {
            let mut uniform = || -> Any<f64> { Ok((bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64) };
            let group = usize::from(uniform()? < self.part);
            counts[2 * group + usize::from(uniform()? >= self.shares[group])] += 1;
        }
        let drawn = self.mechanism.draw(&Counts::new(counts)?, &mut SeededBits::new(seed))?;
        let additive = self.mechanism.additive().ok_or("additive noise")?;
        Ok(Sums::of_setting(drawn.as_slice().to_vec(), self.mechanism.setting(), additive))
    }

    /// Of each scale, how often the interval holds the truth; and the mean width of the first.
    fn coverage(&self, releases: u64) -> Any<([f64; 3], f64)> {
        let [one, other] = self.shares;
        let odds = |share: f64| if share >= 1.0 { f64::INFINITY } else { share / (1.0 - share) };
        let truths = [one - other, one / other, odds(one) / odds(other)];
        let bits = &mut SeededBits::new(7);
        let (mut held, mut width) = ([0_u64; 3], 0.0);
        for seed in 0..releases {
            let sums = self.draw(bits, seed)?;
            let share = |first: usize| {
                let within = Within { group: sums.group(&[first]), others: sums.group(&[first + 1]) };
                let at = |level| Any::Ok(sums.conditional(within, Subject::Population, level));
                ComparedShare::new(LEVEL, at)
            };
            let shares = [share(0)?, share(2)?];
            let sides = [
                Side { group: &[0], condition: &[0, 1], share: &shares[0] },
                Side { group: &[2], condition: &[2, 3], share: &shares[1] },
            ];
            let scales = [Scale::Difference, Scale::Ratio, Scale::OddsRatio];
            let ends = scales.map(|scale| sums.contrast(sides, Subject::Population, scale).ends);
            for (held, (ends, truth)) in held.iter_mut().zip(ends.iter().zip(truths)) {
                // A ratio to nothing is above all numbers.
                let holds = ends[0] <= truth + 1e-12 && (truth <= ends[1] + 1e-12 || truth.is_nan());
                *held += u64::from(holds);
            }
            width += ends[0][1] - ends[0][0];
        }
        Ok((held.map(|held| held as f64 / releases as f64), width / releases as f64))
    }
}

fn main() -> Any<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let releases: u64 = arguments.first().map_or(Ok(1_000), |text| text.parse())?;
    let is = |place: usize, text: &str| arguments.get(place).is_none_or(|one| one == "-" || one == text);
    let error = (LEVEL * (1.0 - LEVEL) / releases as f64).sqrt();
    println!(
        "| noise | epsilon | n | in the second group | shares | difference | width | ratio | odds ratio |"
    );
    println!("|{}", "---|".repeat(9));
    for way in ["lattice", "geometric", "private"].into_iter().filter(|way| is(1, way)) {
        for epsilon in ["0.1", "0.5", "1", "3"].into_iter().filter(|epsilon| is(2, epsilon)) {
            for (n, few) in [(50, 1), (50, 5), (500, 1), (500, 5), (500, 20), (500, 60), (500, 250)] {
                if !is(3, &n.to_string()) || !is(4, &few.to_string()) {
                    continue;
                }
                let prior = Prior::new(vec![1.0; 4])?;
                let (name, setting) = match way {
                    "private" => {
                        ("geometric", Setting::of_private_n(prior, 10_000_000_000, epsilon.parse()?)?)
                    }
                    name => (name, Setting::new(prior, n, epsilon.parse()?)?),
                };
                let mechanism: Box<dyn Mechanism> = name.parse::<Spec>()?.fit(setting)?;
                for shares in SHARES {
                    let trial = Trial { mechanism: &*mechanism, n, part: f64::from(few) / n as f64, shares };
                    let (held, width) = trial.coverage(releases)?;
                    let [difference, ratio, odds] = held.map(|held| {
                        let mark = if held < LEVEL - 3.0 * error { " **too seldom**" } else { "" };
                        format!("{held:.3}{mark}")
                    });
                    println!(
                        "| {way} | {epsilon} | {n} | {few} | {}, {} | {difference} | {width:.3} | {ratio} | {odds} |",
                        shares[0], shares[1]
                    );
                }
            }
        }
    }
    Ok(())
}
