//! Releases for people who decide.

use extendr_api::prelude::*;
use posterity::ledger::Ledger;
use posterity::verify_document;
use posterity_present::describe::{Case, Standing, label, registry, sheet};
use posterity_study::NotVerified;

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::worker::run;

/// What readers call a document that is not in a file.
const FILE: &str = "release.json";

/// A sheet, a label or the record of a registry. All that the document says is derived again first.
pub(crate) fn describe(call: &Call) -> Result<Robj, Failure> {
    let (kind, format) = (call.needed_text("as")?, call.needed_text("format")?);
    let (ledger, document) = (call.path("ledger")?, Kept::of(call)?);
    let is_html = match format.as_str() {
        "markdown" => false,
        "html" if kind != "registry" => true,
        _ => {
            return Err(Failure::argument(
                "format",
                "write \"markdown\", or \"html\" for a sheet or a label",
            ));
        }
    };
    let text = run(move |_| {
        let wrong = |error| Failure::not_verified(&NotVerified::Document { name: None, error });
        let verified = verify_document(&json::text(&document)?).map_err(wrong)?;
        let mut case = Case::of(verified.document(), FILE).map_err(Failure::other)?;
        if let Some(path) = ledger {
            let ledger = Ledger::open(path)?;
            let charge = verified.by_ledger(&ledger).map_err(wrong)?;
            case = case.with_standing(Standing::of(&ledger, charge)?);
        }
        let page = match kind.as_str() {
            "sheet" => sheet(&case),
            "label" => label(&case),
            "registry" => return Ok(registry(&case).map_err(Failure::other)?.yaml),
            _ => return Err(Failure::argument("as", "write \"sheet\", \"label\" or \"registry\"")),
        };
        Ok(if is_html { page.html() } else { page.markdown() })
    })?;
    Ok(text.into())
}
