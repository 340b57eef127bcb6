//! The files that pages refer to.

/// A file of the pages.
pub(crate) struct Asset {
    pub(crate) kind: &'static str,
    pub(crate) content: &'static str,
}

/// The file with this name.
pub(crate) fn find(name: &str) -> Option<Asset> {
    Some(match name {
        "design.css" => Asset { kind: "text/css; charset=utf-8", content: posterity_present::html::DESIGN },
        "style.css" => {
            Asset { kind: "text/css; charset=utf-8", content: include_str!("../assets/style.css") }
        }
        "script.js" => {
            Asset { kind: "text/javascript; charset=utf-8", content: include_str!("../assets/script.js") }
        }
        "mark.svg" => Asset { kind: "image/svg+xml", content: include_str!("../assets/mark.svg") },
        _ => return None,
    })
}
