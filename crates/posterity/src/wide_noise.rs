//! What is done where the noise spreads too wide to be modelled.

use posterity_core::decode::{DecodeError, Decoder};
use posterity_core::noise_aware::NoiseAwareError;

/// Whether there is no noise-aware posterior because the noise is too wide for it.
pub(crate) fn is_too_wide(error: &DecodeError) -> bool {
    matches!(
        error,
        DecodeError::NoiseAware(NoiseAwareError::TooWide { .. } | NoiseAwareError::Imprecise { .. })
    )
}

/// The decoder to use without a noise-aware posterior.
pub(crate) fn fallback(decoder: Decoder) -> Decoder {
    match decoder {
        Decoder::Mean | Decoder::Moments | Decoder::Best => Decoder::Projection,
        Decoder::None | Decoder::Projection => decoder,
    }
}
