//! Runs a target without coverage, on any Rust: `blind TARGET SECONDS SEED FILE..` changes the files at random, a few bytes or
//! pieces at a time. A panic ends it, after the bytes were written to `blind-TARGET.bytes`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use posterity_core::sampler::{BitSource, SeededBits};
use posterity_fuzz::ALL;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let mut next = || given.next().ok_or("blind TARGET SECONDS SEED FILE..");
    let (name, seconds, seed) = (next()?, next()?.parse()?, next()?.parse()?);
    let corpus: Vec<Vec<u8>> = given.map(std::fs::read).collect::<Result<_, _>>()?;
    let (_, look) = ALL.into_iter().find(|(known, _)| *known == name).ok_or("there is no such target")?;
    let (start, mut bits, mut runs) = (Instant::now(), SeededBits::new(seed), 0_u64);
    for bytes in &corpus {
        look(bytes);
    }
    while start.elapsed() < Duration::from_secs(seconds) {
        let bytes = changed(&corpus, &mut bits)?;
        if catch_unwind(AssertUnwindSafe(|| look(&bytes))).is_err() {
            let file = format!("blind-{name}.bytes");
            std::fs::write(&file, &bytes)?;
            return Err(format!("{name} fails after {runs} runs; see {file}").into());
        }
        runs += 1;
    }
    println!("{name}: {runs} runs in {seconds} s, none fails");
    Ok(())
}

/// A number below another one, at least 1.
fn below(bits: &mut SeededBits, most: usize) -> Result<usize, Box<dyn std::error::Error>> {
    Ok((bits.next_u64()? % most.max(1) as u64) as usize)
}

/// One of the files with a few changes.
fn changed(corpus: &[Vec<u8>], bits: &mut SeededBits) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut bytes = corpus.get(below(bits, corpus.len())?).cloned().unwrap_or_default();
    for _ in 0..=below(bits, 6)? {
        let at = below(bits, bytes.len() + 1)?;
        let until = at + below(bits, (bytes.len() - at).min(16) + 1)?;
        match below(bits, 5)? {
            0 if at < bytes.len() => bytes[at] ^= 1 << below(bits, 8)?,
            1 if at < bytes.len() => bytes[at] = bits.next_u64()? as u8,
            2 => drop(bytes.drain(at..until)),
            3 => {
                let piece = bytes[at..until].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let other = &corpus[below(bits, corpus.len())?];
                let from = below(bits, other.len() + 1)?;
                let to = (from + below(bits, 16)?).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
    Ok(bytes)
}
