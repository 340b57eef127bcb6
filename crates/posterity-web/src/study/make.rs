//! The page on which a study is made of questions.

use posterity::number::bound;
use posterity::plan::Plan;

use super::asked::plan;
use super::forecast::forecast;
use crate::extract::Query;
use crate::failure::Failure;
use crate::html;
use crate::layout::{self, Section};
use crate::made::{MadeForm, Part};
use crate::payer;
use crate::question::{Kind, Question};
use crate::reply::{Answer, Reply};
use crate::site::Site;

const INTRO: &str = "<div class=\"intro\"><h1>Make a study</h1><p class=\"lead\">Several questions about the same people share one budget and \
                     are paid for in one charge. No record is read here.</p></div>";

/// The page with the questions so far.
pub(crate) fn make(site: &Site, Query(made): Query<MadeForm>) -> Answer {
    let Some(folder) = site.folder() else { return Ok(Reply::Redirect("/study".to_owned())) };
    let parts = made.parts();
    let body = if parts.is_empty() {
        format!("{INTRO}<p class=\"notice\">There is no question yet.</p>{}", add(&made, &parts))
    } else {
        let plan = plan(folder, &made);
        let parsed = plan.as_ref().ok().map(|(_, file)| file.plan());
        format!(
            "{INTRO}{}{}{}",
            form(&made, &parts, parsed),
            add(&made, &parts),
            plan.as_ref().map_or_else(html::wrong, |(text, file)| carry_out(site, &made, text, file.plan()))
        )
    };
    Ok(Reply::Html(layout::page("Make a study", Section::Study, &body)))
}

/// The plan as a file.
pub(crate) fn plan_file(_: &Site, Query(made): Query<MadeForm>) -> Answer {
    let content = made.plan().map_err(Failure::Bad)?;
    Ok(Reply::File { name: "study.toml".to_owned(), kind: "application/toml", content })
}

fn form(made: &MadeForm, parts: &[Part], plan: Option<&Plan>) -> String {
    let rows: String = parts.iter().enumerate().map(|(index, part)| row(index, part, made, plan)).collect();
    let text = |id: &str, label: &str, value: &str, more: &str| {
        format!(
            "<p><label for=\"{id}\">{label}</label><input id=\"{id}\" name=\"{id}\" value=\"{}\"{more}></p>",
            html::text(value)
        )
    };
    let adjacency = made.adjacency.get().map(|one| html::hidden("adjacency", one)).unwrap_or_default();
    let expected = plan.map(|plan| match made.n.value() {
        Ok(Some(n)) => forecast(plan, n),
        Ok(None) => {
            "<p class=\"notice\">Give the number of people to see how wide the intervals will be.</p>"
                .to_owned()
        }
        Err(wrong) => html::wrong(wrong),
    });
    format!(
        "<form id=\"made\" action=\"/study/make\" method=\"get\" autocomplete=\"off\">{adjacency}\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Questions\"><table><thead><tr><th scope=\"col\">question</th>\
         <th scope=\"col\">shares of the budget</th><th scope=\"col\" class=\"number\">ε</th><th scope=\"col\"><span class=\"unseen\">remove</span></th></tr></thead>\
         <tbody>{rows}</tbody></table></div><div class=\"column\">{}{}{}</div>\
         <p class=\"act\"><button>See what each costs and gives</button></p></form>{}",
        text("title", "Title", &made.title, " placeholder=\"A study\""),
        text("epsilon", "Epsilon for all questions together", &made.epsilon, " inputmode=\"decimal\""),
        text("n", "How many people there are, about", &made.n, " inputmode=\"numeric\""),
        expected.unwrap_or_default(),
    )
}

/// A question with its share.
fn row(index: usize, part: &Part, made: &MadeForm, plan: Option<&Plan>) -> String {
    let words = Question::new(&part.form).ok().flatten().map(|question| question.words()).unwrap_or_default();
    let epsilon =
        plan.and_then(|plan| plan.asked().get(index)).map(|one| bound(one.epsilon().to_f64_shown()));
    format!(
        "<tr><th scope=\"row\">{0}{1}</th><td><label class=\"unseen\" for=\"s{index}\">Shares of: {0}</label><input id=\"s{index}\" \
         name=\"s{index}\" value=\"{2}\" placeholder=\"1\" inputmode=\"decimal\"></td><td class=\"number\">{3}</td>\
         <td><a href=\"/study/make?{4}\">Remove<span class=\"unseen\">: {0}</span></a></td></tr>",
        html::text(words),
        html::hidden(&format!("q{index}"), &part.query),
        html::text(&part.share),
        html::text(epsilon.unwrap_or_default()),
        html::text(made.without(index).query())
    )
}

/// The ways to one more question. It is about the same file and the same people.
fn add(made: &MadeForm, parts: &[Part]) -> String {
    let same = parts.first().map(|part| &part.form);
    let link = |kind: Kind| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("kind", &kind.to_string()).append_pair("study", &made.query());
        let kept = ["file", "header", "delimiter", "encoding", "schema", "unit"];
        let pairs = same.into_iter().flat_map(|form| form.pairs());
        query.extend_pairs(pairs.filter(|(name, _)| kept.contains(name)));
        query.extend_pairs(made.n.get().map(|n| ("n", n)));
        query.extend_pairs(made.adjacency.get().map(|one| ("adjacency", one)));
        format!(
            "<li><a href=\"/ask?{}\">{}</a><span class=\"help\">{}</span></li>",
            html::text(query.finish()),
            kind.title(),
            kind.example()
        )
    };
    format!("<h2>Add a question</h2><ul class=\"kinds\">{}</ul>", Kind::ALL.map(link).concat())
}

/// The plan, and the form that leads to its summary.
fn carry_out(site: &Site, made: &MadeForm, text: &str, plan: &Plan) -> String {
    let query = made.query();
    let said = format!(
        "<h2>The plan</h2><p>It is what <code>posterity study</code> takes. <a href=\"/study/plan.toml?{}\" download>Save it</a> beside your \
         data to keep it.</p>",
        html::text(&query)
    );
    format!(
        "{}<form class=\"release\" action=\"/study/check\" method=\"post\" autocomplete=\"off\">{}{}<fieldset><legend>Carry it out</legend>\
         <p>It costs ε = {} for all questions together.</p>{}</fieldset><p class=\"act\"><button>Look at the summary</button> \
         <span class=\"help\">No data is read or charged yet.</span></p></form>",
        html::lines(&said, "line-plan", text),
        site.token_field(),
        html::hidden("made", &query),
        html::text(bound(plan.epsilon().to_f64_shown())),
        payer::field(site.ledger(), &"".into(), "required", "")
    )
}
