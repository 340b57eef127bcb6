//! How fast the pages are: `cargo bench -p posterity-web`.
//!
//! Prints server times of the plan at random sizes and budgets that nobody asked for before, elapsed and of the
//! processor, the size of the page with all that it refers to, the slowest of 200 clients at once, and the time for
//! 10,000 hostile requests.

#![allow(missing_docs, clippy::unwrap_used, reason = "a measurement stops at what it does not expect")]

#[path = "../tests/client/mod.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{Client, Folder};
use posterity_core::sampler::{BitSource, SeededBits};

fn main() {
    let folder = Folder::new("OUTSIDE");
    let client = Client::start(Some(folder.data()), Some(folder.ledger()));
    slider(&client);
    size(&client);
    clients(&client);
    hostile(&client);
}

/// Plans with 2 to 5 categories, 10 to 10,000 records and epsilon from 0.01 to 10, sizes and budgets uniform in their
/// logarithms.
fn slider(client: &Client) {
    let mut bits = SeededBits::new(1);
    let mut unit = || (bits.next_u64().expect("bits") >> 11) as f64 / 9_007_199_254_740_992.0;
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut processor: Vec<Duration> = Vec::new();
    for _ in 0..400 {
        let k = 2 + (4.0 * unit()) as u32;
        let n = 10_f64.powf(1.0 + 3.0 * unit()) as u64;
        let epsilon = format!("{:.4}", 10_f64.powf(-2.0 + 3.0 * unit()));
        let address = format!("/plan/now?n={n}&k={k}&e={epsilon}");
        let (start, before) = (Instant::now(), processor_time());
        let answer = client.get(&address);
        times.push((start.elapsed(), address.clone()));
        processor.extend(processor_time().zip(before).map(|(after, before)| after.saturating_sub(before)));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("width-private"), "{address}");
    }
    times.sort();
    processor.sort();
    let place = |share: f64| (399.0 * share) as usize;
    let at = |share: f64| &times[place(share)];
    println!("slider to picture, 400 new plans, k 2 to 5, n 10 to 10,000, epsilon 0.01 to 10:");
    println!(
        "  median {:?}, 95th percentile {:?}, slowest {:?} ({})",
        at(0.5).0,
        at(0.95).0,
        at(1.0).0,
        at(1.0).1
    );
    if processor.len() == times.len() {
        let [median, high, most] = [0.5, 0.95, 1.0].map(|share| processor[place(share)]);
        println!("  processor time: median {median:?}, 95th percentile {high:?}, most {most:?}");
    }
    let again = Instant::now();
    client.get(&at(1.0).1);
    println!("  the slowest again: {:?}", again.elapsed());
    let curves = Instant::now();
    client.get("/plan/curves?n=10000&k=5&e=1");
    println!("  curves of n 10,000, k 5, once for all budgets: {:?}", curves.elapsed());
}

/// The time that the processor spent on this process, server and client; none where the system does not tell. It is
/// counted in nanoseconds for each thread, also for threads that are waiting, but not for those that have ended.
fn processor_time() -> Option<Duration> {
    let mut sum = 0_u64;
    for thread in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        sum += text.split(' ').next().and_then(|spent| spent.parse::<u64>().ok()).unwrap_or(0);
    }
    Some(Duration::from_nanos(sum))
}

fn size(client: &Client) {
    let parts = [
        "/plan",
        "/plan/curves",
        "/assets/design.css",
        "/assets/style.css",
        "/assets/script.js",
        "/assets/mark.svg",
    ];
    let sizes = parts.map(|path| client.get(path).len());
    println!("page with all that it refers to: {} bytes {sizes:?}", sizes.iter().sum::<usize>());
}

fn clients(client: &Client) {
    let start = Instant::now();
    let slowest = std::thread::scope(|scope| {
        let all: Vec<_> = (0..200)
            .map(|_| {
                scope.spawn(|| {
                    let start = Instant::now();
                    assert!(client.get("/plan").starts_with("HTTP/1.1 200"));
                    start.elapsed()
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).max().unwrap()
    });
    println!("200 clients at once: slowest {slowest:?}, all {:?}", start.elapsed());
}

fn hostile(client: &Client) {
    let mut random = SeededBits::new(20);
    let start = Instant::now();
    let answered =
        (0..10_000).filter(|i| client.raw(&client::hostile(i % 8, client, &mut random)).is_some()).count();
    println!("10,000 hostile requests: {:?}, {answered} answered", start.elapsed());
}
