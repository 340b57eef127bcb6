//! The page on which a question is asked.

use super::fields::fields;
use super::form::AskForm;
use crate::extract::Query;
use crate::folder::Folder;
use crate::html;
use crate::known::Known;
use crate::layout::{self, Section};
use crate::question::Kind;
use crate::reply::{Answer, Reply};
use crate::site::Site;

const LEAD: &str = "<p class=\"lead\">What do you want to know? No record is read here. First you see how precise an answer could be, \
                    and what it would cost.</p>";

/// The choice of a form, or the form with what was typed. A question that can be planned leads to its plan.
pub(crate) fn page(site: &Site, Query(form): Query<AskForm>) -> Answer {
    let Some(folder) = site.folder() else { return Ok(Reply::Html(without_data())) };
    let kind = match form.question.kind.value() {
        Ok(Some(kind)) => kind,
        Ok(None) => return Ok(Reply::Html(choice(""))),
        Err(wrong) => return Ok(Reply::Html(choice(&html::wrong(wrong)))),
    };
    let known = Known::of(folder, &form.question);
    if form.go.is_empty() {
        return Ok(Reply::Html(with(kind, &form, folder, &known, None)));
    }
    match form.plan(&known) {
        Ok(plan) => Ok(Reply::Redirect(format!("/plan?{}", plan.query()))),
        Err(wrong) => Ok(Reply::Html(with(kind, &form, folder, &known, Some(&wrong)))),
    }
}

/// The four forms to choose from.
pub(crate) fn kinds() -> String {
    let one = |kind: Kind| {
        format!(
            "<li><a href=\"/ask?kind={kind}\">{}</a><span class=\"help\">{}</span></li>",
            kind.title(),
            kind.example()
        )
    };
    format!("<ul class=\"kinds\">{}</ul>", Kind::ALL.map(one).concat())
}

fn choice(wrong: &str) -> String {
    let body = format!("<div class=\"intro\"><h1>Ask</h1>{LEAD}</div>{wrong}{}", kinds());
    layout::page("Ask", Section::Ask, &body)
}

fn without_data() -> String {
    let body = "<div class=\"intro\"><h1>Ask</h1><p class=\"lead\">There is no folder of data yet. Start Posterity with the folder that holds \
                your files:</p></div><pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>\
                <p>You can <a href=\"/plan\">plan</a> without any data.</p>";
    layout::page("Ask", Section::Ask, body)
}

fn with(kind: Kind, form: &AskForm, folder: &Folder, known: &Known, wrong: Option<&str>) -> String {
    let kept = [
        ("kind", &*kind.to_string()),
        ("adjacency", &form.adjacency),
        ("e", &form.epsilon),
        ("shape", &form.shape),
        ("study", &form.question.study),
    ];
    let kept = kept.into_iter().filter(|(_, value)| !value.is_empty());
    let body = format!(
        "<div class=\"intro\"><p class=\"kicker\"><a href=\"/ask\">Other questions</a></p><h1>{}</h1><p class=\"lead\">{}</p></div>{}\
         <form class=\"release\" id=\"ask-form\" data-keep=\"/ask\" action=\"/ask\" method=\"get\" autocomplete=\"off\">{}\
         <noscript><p><button>Show what is known of the file</button></p></noscript>{}\
         <p class=\"act\"><button name=\"go\" value=\"plan\">See what to expect</button> <span class=\"help\">This reads no record and charges \
         nothing.</span></p></form>",
        kind.title(),
        kind.example(),
        wrong.map(html::wrong).unwrap_or_default(),
        kept.map(|(name, value)| html::hidden(name, value)).collect::<String>(),
        fields(kind, form, folder, known)
    );
    layout::page(kind.title(), Section::Ask, &body)
}
