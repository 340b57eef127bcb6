//! Files of a release.

use axum::extract::Path;
use posterity::Document;
use posterity::csv::{Cell, header, line};

use super::shown::Shown;
use crate::failure::Failure;
use crate::readings;
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    let shown = site.releases().done(&id).ok_or(Failure::NotFound("This result is no longer known."))?;
    file(&shown, &name)
}

/// A file of a release: the document, its table as the command writes it, or its picture.
pub(crate) fn file(shown: &Shown, name: &str) -> Answer {
    let (kind, content) = match name {
        "release.json" => {
            let text = posterity::json::text(&shown.document).map_err(|_| Failure::Broken)?;
            ("application/json", text + "\n")
        }
        "release.csv" => ("text/csv; charset=utf-8", csv(&shown.document)),
        "readings.csv" => ("text/csv; charset=utf-8", readings::csv(&shown.document)),
        "release.svg" => ("image/svg+xml", shown.svg.clone()),
        _ => return Err(Failure::NotFound("There is no such file.")),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}

/// The table in full, in the columns of `posterity release --format csv`.
fn csv(document: &Document) -> String {
    let names = [
        "category",
        "parameter",
        "mean",
        "low",
        "high",
        "level",
        "private",
        "epsilon",
        "n",
        "about",
        "promise",
    ];
    let mut text = header(names);
    let (mean, intervals) = document.best_summary();
    let about = document.about().in_words();
    for (i, name) in document.categories().names().iter().enumerate() {
        let [low, high] = intervals[i];
        text += &line([
            Cell::text(name),
            Cell::number(document.posterior().parameters.parameters()[i]),
            Cell::number(mean[i]),
            Cell::number(low),
            Cell::number(high),
            Cell::number(document.request().level()),
            Cell::text(document.is_private().to_string()),
            Cell::number(document.epsilon()),
            Cell::number(document.n()),
            Cell::text(&about),
            Cell::text(&document.guarantee().statement),
        ]);
    }
    text
}
