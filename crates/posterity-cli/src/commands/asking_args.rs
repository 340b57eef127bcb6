//! The flags of every command that asks for a release.

use clap::Args;

use super::paying::PayingArgs;
use super::pictures::PictureArgs;
use crate::output::Printing;
use crate::source_args::SourceArgs;

/// The flags of a command that asks for a release. `F` has the fields of its kind.
#[derive(Debug, Args)]
pub(crate) struct AskingArgs<F: Args> {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    pub(crate) fields: F,

    #[command(flatten)]
    pub(crate) paying: PayingArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) printing: Printing,
}
