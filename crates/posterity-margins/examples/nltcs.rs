//! Expected and simulated errors of all tables of the columns of a file: `nltcs FILE ORDER RHO`.
//!
//! The file is a CSV with a header and values 0 and 1. The noise is a normal stand-in for discrete Gaussian noise, rounded
//! to whole numbers: this is a measurement, not a release.

#![allow(clippy::disallowed_methods, reason = "an example reads its file")]

use std::error::Error;

use dashu_ratio::RBig;
use posterity_core::confidence::About;
use posterity_core::model::Adjacency;
use posterity_core::sampler::{BitSource, SeededBits, SourceError};
use posterity_margins::{Estimates, Plan, Sampler, Shape, Tables, Workload, draw};

fn unit(bits: &mut dyn BitSource) -> Result<f64, SourceError> {
    Ok(((bits.next_u64()? >> 11) as f64 + 0.5) / (1_u64 << 53) as f64)
}

fn normal(deviation: f64) -> Sampler<'static> {
    Box::new(move |bits| {
        let size = (-2.0 * unit(bits)?.ln()).sqrt() * deviation;
        Ok((size * (std::f64::consts::TAU * unit(bits)?).cos()).round() as i64)
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, order, rho] = &arguments[..] else { return Err("usage: nltcs FILE ORDER RHO".into()) };
    let text = std::fs::read_to_string(file)?;
    let parse = |line: &str| line.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>();
    let records: Vec<Vec<u32>> = text.lines().skip(1).map(parse).collect::<Result<_, _>>()?;
    let shape = Shape::new(vec![2; records[0].len()])?;
    let workload = Workload::all(shape, order.parse()?)?;
    let tables = Tables::of_records(&workload, &records)?;
    let n = tables.records() as f64;
    for adjacency in Adjacency::ALL {
        let plan = Plan::new(workload.clone(), adjacency, rho.parse()?)?;
        println!("{adjacency}: price {}, within {:?}", plan.price().upper().to_f64().value(), plan.within());
        let law = |variance: &RBig| Ok::<_, SourceError>(normal(variance.to_f64().value().sqrt()));
        let released = draw(&plan, &tables, law, &mut SeededBits::new(1))?;
        let estimates = Estimates::new(&plan, &released)?;
        for level in 1..=workload.order() {
            let (mut error, mut sets, mut held, mut cells) = (0.0, 0.0, 0.0, 0.0);
            for (index, set) in workload.sets().iter().enumerate().filter(|(_, set)| set.len() == level) {
                let table = estimates.table(set)?;
                let pairs = || table.cells().iter().zip(tables.table(index));
                error += pairs().map(|(cell, &count)| (cell - count as f64).abs()).sum::<f64>() / n;
                sets += 1.0;
                for (cell, &count) in tables.table(index).iter().enumerate() {
                    let group: Vec<bool> = (0..table.cells().len()).map(|other| other == cell).collect();
                    let ends = table.share(&group, None).interval(About::Records, 0.95)?.ends;
                    held += f64::from(u8::from((ends[0]..=ends[1]).contains(&(count as f64 / n))));
                    cells += 1.0;
                }
            }
            let expected = plan.level_l1(level, n);
            println!(
                "  {level} columns: expected L1 {expected:.5}, drawn {:.5}, intervals hold {:.4}",
                error / sets,
                held / cells
            );
        }
    }
    Ok(())
}
