//! `posterity advise --epsilon`

use posterity::number::{percent, points};
use posterity::plan::Stated;
use posterity::{Decoder, Epsilon, meaning};
use posterity_advice::plan::{Advised, advise_with_widths};
use posterity_advice::{AdviceError, Calibration, Ranking, Row};
use posterity_core::accuracy::Metric;
use posterity_present::words::list;

use super::arguments::AdviseArgs;
use crate::commands::compare::comparison_failure;
use crate::commands::rows;
use crate::failure::Failure;
use crate::notice::{note, warn_of_large};
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, print};
use crate::progress::Progress;

/// Ranks the private mechanisms at a data set of the expected shape.
pub(super) fn rank(args: &AdviseArgs, stated: &Stated, epsilon: &Epsilon) -> Result<(), Failure> {
    let setting = args.setting(stated, epsilon)?;
    let progress = Progress::spinner("advising: steps");
    let (shape, mechanisms) = (args.shape()?, args.mechanisms.as_deref());
    let tell = |done| progress.add(done);
    let advised = advise_with_widths(&setting, shape.as_ref(), mechanisms, stated.level(), &tell);
    drop(progress);
    let advised = advised.map_err(|error| match error {
        AdviceError::Shape { .. } => Failure::usage("--shape", error),
        AdviceError::Counts(_) => Failure::usage("--n", error),
        AdviceError::TooMany { .. } => Failure::usage("--k", error),
        AdviceError::Comparison(error) => comparison_failure(error),
        other => Failure::refused(other),
    })?;
    rows::write_notes(&advised.advice.rows);
    advised.advice.left_out.iter().for_each(note);
    warn_of_large(stated.adjacency(), Some(advised.advice.epsilon));
    Ok(print(&args.public.printing, &advised)?)
}

/// The mechanism of a row as it is written, and what to add to the command.
fn chosen(row: &Row) -> String {
    let decode = match (row.calibration, row.decoder) {
        (Calibration::Tight, _) => "",
        // What `release` does by itself.
        (_, decoder) if decoder == Decoder::default_for(row.mechanism).fallback() => "",
        _ => " with --decode best",
    };
    format!("{}{decode}", row.specification)
}

impl Report for Advised {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["mechanism", "calibration", "expected_distance", "median", "method", "decoder"];
        let rows = self.advice.rows.iter().map(|row| {
            let calibration = if row.calibration == Calibration::Tight { "tight" } else { "proven" };
            vec![
                Value::text(row.mechanism.to_string()),
                Value::text(calibration),
                Value::Real(row.expected_distance),
                Value::Real(row.median),
                Value::text(row.method.to_string()),
                Value::text(row.decoder.to_string()),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        let best = self.advice.rows.first().into_iter();
        let all: Vec<String> = best.chain(&self.advice.tied).map(chosen).collect();
        let same = if self.advice.tied.is_empty() {
            String::new()
        } else {
            format!(" (the same law at k = {})", self.advice.prior.len())
        };
        page.say(format!("Use {}{same}.", all.join(" or ")));
        page.say(self.advice.reason.as_str());
        if let Some(widths) = &self.half_widths {
            let widest = widths.widest();
            page.say(format!(
                "With lattice, the widest {} % confidence interval of a share is expected to be ± {} percentage points; without \
                 privacy, ± {}.",
                percent(widths.level),
                points(widest.private),
                points(widest.without)
            ));
        }
        page.pause();
        rows::add(&mut page, &self.advice.rows, self.advice.epsilon, Metric::Hellinger, Ranking::Distance);
        page.say(format!(
            "Assumed: counts {}, prior {}, epsilon {}. No data was read.",
            list(&self.advice.assumed_counts),
            list(&self.advice.prior),
            self.advice.epsilon
        ));
        rows::explain(&mut page, Metric::Hellinger);
        page.explain(Paragraph::led("Meaning:", meaning::for_one(self.advice.epsilon, 0.0, "record")));
        page
    }
}
