//! What is asked where tables of many columns are released, as it is typed.

use clap::Args;
use posterity::Which;

/// Where help lists the flags.
const HEADING: &str = "Many columns (--margins)";

/// What is asked where tables of many columns are released.
#[derive(Debug, Args)]
pub(crate) struct MarginsArgs {
    /// Release every table of up to so many columns together: 2 for all pairs, 3 for all triples; or of sets of columns,
    /// 'age,ward; ward,cured'; or both, with weights for what matters: '2; age,ward=5'. It needs --delta. Names with blanks
    /// or with any of , ; = are quoted: '"blood type",ward'
    #[arg(long, value_name = "TABLES", help_heading = HEADING)]
    pub(super) margins: Option<Which>,
}

impl MarginsArgs {
    /// Whether tables of many columns are asked for.
    pub(crate) fn are_asked(&self) -> bool {
        self.margins.is_some()
    }

    /// Which tables are asked for.
    pub(super) fn which(&self) -> Option<&Which> {
        self.margins.as_ref()
    }
}
