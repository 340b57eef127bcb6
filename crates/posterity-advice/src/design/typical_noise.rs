//! A few numbers that stand for noise.

use posterity_core::noise::FoldedNoise;

/// Numbers that stand for noise, with their weights: all that matter if these are few, and otherwise the means of parts
/// that are about equally likely, moved apart until their variance is that of the noise.
pub(super) fn typical(law: &FoldedNoise, parts: usize) -> Vec<(i64, f64)> {
    let (low, high) = law.middle(RARE);
    if high - low < parts as i64 {
        let all: f64 = (low..=high).map(|z| law.probability(z)).sum();
        return (low..=high).map(|z| (z, law.probability(z) / all)).collect();
    }
    let mut found = vec![(0.0, 0.0); parts];
    for z in law.start()..=law.end() {
        let weight = law.probability(z);
        let before = law.at_most(z) - 0.5 * weight;
        let part = &mut found[((before * parts as f64) as usize).min(parts - 1)];
        *part = (part.0 + weight, part.1 + weight * z as f64);
    }
    found.retain(|part| part.0 > 0.0);
    let away = |part: &(f64, f64)| part.1 / part.0 - law.mean();
    let variance: f64 = found.iter().map(|part| part.0 * away(part) * away(part)).sum();
    let stretch = if variance > 0.0 { (law.variance() / variance).sqrt() } else { 1.0 };
    found.iter().map(|part| ((law.mean() + stretch * away(part)).round() as i64, part.0)).collect()
}

/// The probability of the noise on either side that does not matter.
const RARE: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_mean_and_variance_are_those_of_the_noise() {
        for (rate, cells) in [(5.0, 1), (0.5, 1), (0.05, 1), (0.05, 30), (0.001, 4)] {
            let law = FoldedNoise::two_sided(rate, cells).expect("narrow");
            let found = typical(&law, 7);
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                found.iter().map(|(z, weight)| weight * of(*z as f64)).sum()
            };
            assert!(found.len() <= 7 && (sum(&|_| 1.0) - 1.0).abs() < 1e-9, "{found:?}");
            assert!(sum(&|z| z).abs() < 0.01 * law.variance().sqrt().max(1.0), "{found:?}");
            assert!((sum(&|z| z * z) / law.variance() - 1.0).abs() < 0.1, "{rate} {cells} {found:?}");
        }
    }
}
