//! Runs experiments without the command: `reproduce [--quick] [--threads N] [--out DIR] [NAME...]`. Without a folder it
//! only prints verdicts.

use std::path::PathBuf;
use std::time::Instant;

use posterity_reproduce::{
    Mode, Silent, claims, experiments, report, run, with_threads, write, write_claims, write_report,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut mode, mut out, mut names) = (Mode::Full, None, Vec::new());
    let mut threads = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => mode = Mode::Quick,
            "--out" => out = Some(PathBuf::from(args.next().ok_or("--out needs a folder")?)),
            "--threads" => {
                threads = Some(args.next().ok_or("--threads needs a number")?.parse()?);
            }
            name => names.push(name.to_owned()),
        }
    }
    let library = experiments()?;
    let mut results = Vec::new();
    for experiment in library.choose(&names)? {
        let start = Instant::now();
        let result = with_threads(threads, || run(experiment, mode, &Silent))??;
        if let Some(out) = &out {
            write(out, &result)?;
        }
        println!("{} {:.1} s", experiment.name(), start.elapsed().as_secs_f64());
        for decision in &result.decisions {
            println!("  {} {}", decision.verdict, decision.claim.id);
            if let Some(instead) = &decision.instead {
                println!("      = {}", instead.text);
            }
            for finding in &decision.findings {
                println!(
                    "      {} {}",
                    match (finding.holds(), finding.failing()) {
                        (true, _) => '+',
                        (false, 0) => '?',
                        (false, _) => '-',
                    },
                    finding.evidence
                );
            }
        }
        results.push(result);
    }
    if let Some(out) = &out {
        write_report(out, &report(&results, &library.conclusions, mode)?)?;
        write_claims(out, &claims(&results))?;
    }
    for conclusion in &library.conclusions.all {
        let verdict =
            conclusion.verdict(&results).map_or("not run".to_owned(), |verdict| verdict.to_string());
        println!("{verdict}: {}", conclusion.text);
    }
    Ok(())
}
