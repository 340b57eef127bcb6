//! The flags of pictures of a release.

use clap::{Args, ValueEnum};
use posterity_plot::{PictureKind, PlotFile};

/// Where a picture is written, and what it shows.
#[derive(Debug, Args)]
pub(crate) struct PictureArgs {
    /// Draw the release into this .svg or .png file: each reading of --read, or else the posterior of every category. Several
    /// readings make files FILE-1, FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PlotFile>,

    /// What to draw [default: posterior without --read; with it, heat for shares of several columns together, and forest for
    /// everything else]
    #[arg(long, value_name = "KIND", requires = "plot")]
    pub(crate) picture: Option<PictureArg>,
}

/// The kinds of pictures of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureArg {
    /// The density of every category, or its interval if there are many
    Posterior,
    /// A table of shaded cells with their numbers and intervals
    Heat,
    /// A line for each number with its interval, in groups on one scale
    Forest,
    /// A row for each group, as high as the group is large, divided into shares
    Mosaic,
}

impl PictureArg {
    /// The picture of a reading; none for that of the whole release.
    pub(crate) fn of_readings(self) -> Option<PictureKind> {
        match self {
            Self::Posterior => None,
            Self::Heat => Some(PictureKind::Heat),
            Self::Forest => Some(PictureKind::Forest),
            Self::Mosaic => Some(PictureKind::Mosaic),
        }
    }
}
