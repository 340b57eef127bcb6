//! The kinds of experiments: each computes a table, and lays out a figure from it.
//!
//! Every kind is one file and one line in the list below. The name of the file is the name of its table in a
//! definition.

mod context;
mod layout;
mod validity;

use self::context::Computed;
pub(crate) use self::context::RunContext;
use crate::mode::Mode;

/// How experiments of one kind are carried out, with the keys of their table.
pub(crate) trait Procedure {
    /// Checks that its keys fit together. The error says which do not.
    fn check(&self) -> Result<(), String>;

    /// Computes the table and lays out the figure.
    fn run(&self, context: &RunContext<'_>) -> Computed;

    /// The number of draws for each number, if numbers are drawn.
    fn sampled(&self, _mode: Mode) -> Option<usize> {
        None
    }
}

/// Calls a macro with the list of all kinds.
macro_rules! with_all_kinds {
    ($call:ident) => {
        $call! {
            sensitivity::SensitivityCurves,
            candidates::Candidates,
            landscape::Landscape,
            laws::Laws,
            steps::Steps,
            boxes::Boxes,
            sweep::Sweep,
            bounds::Bounds,
            crossover::Crossover,
            coverage::Coverage,
            explicit::Explicit,
            map::Map,
            noise::Noise,
            radius::Radius,
            scores::Scores,
            drawn::Drawn,
            drawn_at::DrawnAt,
            exchangeable::Exchangeable,
            lemmas::Lemmas,
            sliding::Sliding,
            tails::Tails,
        }
    };
}
pub(crate) use with_all_kinds;

macro_rules! kinds {
    ($($file:ident::$kind:ident,)*) => {
        $(
            mod $file;
            pub(crate) use $file::$kind;
        )*

        /// What an experiment computes.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum ExperimentKind {
            $($kind($kind),)*
        }

        impl ExperimentKind {
            /// The names of all kinds.
            pub(crate) const NAMES: &[&str] = &[$(stringify!($file),)*];

            /// What the kind can do.
            pub(crate) fn procedure(&self) -> &dyn Procedure {
                match self {
                    $(Self::$kind(kind) => kind,)*
                }
            }
        }
    };
}

with_all_kinds!(kinds);
