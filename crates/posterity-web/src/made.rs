//! A study that is made in the pages: questions with their shares of one budget. Addresses hold all of it, and it is
//! written as the plan that `posterity study` takes.

use std::collections::BTreeMap;

use posterity::data::{Column, Domain};
use posterity::{Adjacency, Epsilon};
use serde::Deserialize;

use crate::failure::Failure;
use crate::fields::fields;
use crate::question::{Question, QuestionForm};
use crate::typed::Typed;

/// The most questions of a study.
const MAX_QUESTIONS: usize = 10;

/// A study as it was typed. Its questions are `q0`, `q1` and so on, each as the address of its form, and their shares
/// are `s0`, `s1` and so on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MadeForm {
    pub(crate) title: Typed,
    pub(crate) epsilon: Typed<Epsilon>,
    pub(crate) n: Typed<u64>,
    pub(crate) adjacency: Typed<Adjacency>,
    #[serde(flatten)]
    numbered: BTreeMap<String, String>,
}

/// A question of a study, and its share as it was typed.
pub(crate) struct Part {
    pub(crate) query: String,
    pub(crate) form: QuestionForm,
    pub(crate) share: Typed<Epsilon>,
}

impl MadeForm {
    /// The study that an address holds.
    pub(crate) fn of(query: &str) -> Result<Self, Failure> {
        fields(query.as_bytes())
    }

    /// The questions in their order.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let part = |index: usize| {
            let query = self.numbered.get(&format!("q{index}"))?.clone();
            let form = fields(query.as_bytes()).ok()?;
            let share =
                self.numbered.get(&format!("s{index}")).map(String::as_str).unwrap_or_default().into();
            Some(Part { query, form, share })
        };
        (0..MAX_QUESTIONS).map_while(part).collect()
    }

    /// The same with one more question; what is not typed yet is taken from its plan.
    pub(crate) fn with(
        mut self,
        question: &QuestionForm,
        epsilon: &str,
        n: u64,
        adjacency: &str,
    ) -> Option<Self> {
        let place = self.parts().len();
        if place == MAX_QUESTIONS {
            return None;
        }
        self.numbered.insert(format!("q{place}"), part_query(question));
        if place == 0 {
            self.epsilon = epsilon.into();
            self.n = n.to_string().into();
            self.adjacency = adjacency.into();
        }
        Some(self)
    }

    /// The same without one of the questions.
    pub(crate) fn without(&self, place: usize) -> Self {
        let mut left = Self { numbered: BTreeMap::new(), ..self.clone() };
        let parts = self.parts().into_iter().enumerate().filter(|(index, _)| *index != place);
        for (index, (_, part)) in parts.enumerate() {
            left.numbered.insert(format!("q{index}"), part.query);
            left.numbered.insert(format!("s{index}"), part.share.to_string());
        }
        left
    }

    /// The part of the address after the question mark.
    pub(crate) fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let all = [
            ("title", self.title.get()),
            ("epsilon", self.epsilon.get()),
            ("n", self.n.get()),
            ("adjacency", self.adjacency.get()),
        ];
        query.extend_pairs(all.into_iter().filter_map(|(name, value)| Some((name, value?))));
        for (index, part) in self.parts().iter().enumerate() {
            query.append_pair(&format!("q{index}"), &part.query);
            query.extend_pairs(part.share.get().map(|share| (format!("s{index}"), share)));
        }
        query.finish()
    }

    /// The plan, or what is wrong with a question. Whoever reads it checks the rest.
    pub(crate) fn plan(&self) -> Result<String, String> {
        let parts = self.parts();
        let first = &parts.first().ok_or("Add a question first.")?.form;
        parts.iter().try_for_each(|part| check_same(first, &part.form))?;
        let columns = parts.iter().map(|part| part.form.columns.columns()).collect::<Result<Vec<_>, _>>()?;
        let names = |columns: &Vec<Column>| columns.iter().map(|column| column.name.clone()).collect();
        let names: Vec<Vec<String>> = columns.iter().map(names).collect();
        let question = |(index, part): (usize, &Part)| {
            let is_repeated = names[..index].contains(&names[index]);
            question(part, &names[index], is_repeated.then_some(index + 1))
        };
        let questions = parts.iter().enumerate().map(question).collect::<Result<String, _>>()?;
        Ok(self.head(first)? + &declarations(columns.into_iter().flatten())? + &questions)
    }

    /// What the plan says of all questions.
    fn head(&self, first: &QuestionForm) -> Result<String, String> {
        self.epsilon.required("Give an epsilon for all questions together, such as 1.")?;
        let delimiter = first.delimiter.value()?.map(|one| text(&one.0.to_string()));
        Ok(keyed([
            ("title", Some(text(self.title.or("A study")))),
            ("source", Some(text(&first.file))),
            ("delimiter", delimiter),
            ("encoding", first.encoding.value()?.map(|one| text(&one.to_string()))),
            ("epsilon", Some(number(&self.epsilon))),
            ("unit", first.unit.get().map(text)),
            ("adjacency", self.adjacency.value()?.map(|one| text(one.name()))),
        ]))
    }
}

/// The table of all columns. Each is declared once, so that its values are the same in all questions.
fn declarations(columns: impl Iterator<Item = Column>) -> Result<String, String> {
    let mut known = BTreeMap::new();
    for Column { name, domain, .. } in columns {
        if known.get(&name).is_some_and(|other| *other != domain) {
            return Err(format!("Column {name:?} has other values in another question."));
        }
        known.insert(name, domain);
    }
    let lines = known.iter().map(|(name, domain)| format!("{} = {}\n", text(name), declared(domain)));
    Ok(format!("\n[columns]\n{}", lines.collect::<String>()))
}

/// The address of a question, without the study that it belongs to.
fn part_query(question: &QuestionForm) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(question.pairs().into_iter().filter(|(name, _)| *name != "study"));
    query.finish()
}

/// All questions of a study are about the same records of the same people.
fn check_same(first: &QuestionForm, other: &QuestionForm) -> Result<(), String> {
    let about = |form: &QuestionForm| {
        [&*form.file, &*form.delimiter, &*form.encoding, &*form.unit].map(str::to_owned)
    };
    if about(first) == about(other) {
        return Ok(());
    }
    Err("All questions of a study are about one file, with the same delimiter, encoding and column that tells people apart.".to_owned())
}

/// A question as a table of the plan. One that has the columns of another is named by its number.
fn question(part: &Part, names: &[String], named: Option<usize>) -> Result<String, String> {
    let asked = Question::new(&part.form)?.ok_or("Choose the form of the question.")?;
    let list = |one: String| format!("[{}]", text(&one));
    let columns: Vec<String> = names.iter().map(|name| text(name)).collect();
    let lines = [
        ("title", Some(text(&asked.words()))),
        ("columns", Some(format!("[{}]", columns.join(", ")))),
        ("name", named.map(|number| text(&format!("question-{number}")))),
        ("share", part.share.value()?.map(|_| number(&part.share))),
        ("read", asked.reading().map(|one| list(one.to_string()))),
        ("compare", asked.comparison().map(|one| list(one.to_string()))),
    ];
    Ok(format!("\n[[question]]\n{}", keyed(lines)))
}

/// Keys with their values, one on each line. Those without a value are left out.
fn keyed<const N: usize>(lines: [(&str, Option<String>); N]) -> String {
    lines.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}\n", value?))).collect()
}

fn declared(domain: &Domain) -> String {
    match domain {
        Domain::Values(values) => {
            format!("[{}]", values.iter().map(|value| text(value)).collect::<Vec<_>>().join(", "))
        }
        Domain::Bins(bins) => format!("{{ bins = [{}] }}", bins.edges().join(", ")),
    }
}

/// A text as TOML writes it. JSON writes it alike, but for one character.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A decimal as it is, and a fraction as a text.
fn number<T>(typed: &Typed<T>) -> String {
    let is_decimal =
        typed.chars().all(|letter| letter.is_ascii_digit() || letter == '.') && typed.parse::<f64>().is_ok();
    let is_plain = typed.starts_with(|letter: char| letter.is_ascii_digit()) && !typed.ends_with('.');
    if is_decimal && is_plain { typed.to_string() } else { text(typed) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use posterity_study::PlanFile;

    use super::*;

    const WARDS: &str = "kind=rate&file=x.csv&unit=patient&column0=the \"ward\"&values0=A,B&column1=cured&values1=yes,no&value=yes";

    fn made() -> MadeForm {
        let question = |query: &str| fields::<QuestionForm>(query.as_bytes()).expect(query);
        let made = MadeForm::default().with(&question(WARDS), "0.5", 90, "").expect("a place");
        let age = question("kind=share&file=x.csv&unit=patient&column0=age&bins0=0,18.5,65");
        let made = made.with(&age, "2", 5, "add-remove").expect("a place");
        made.with(&question(&WARDS.replace("rate", "table")), "2", 5, "").expect("a place")
    }

    /// If this fails, the pages carry out another plan than the one that they show.
    #[test]
    fn a_study_is_a_plan_that_the_command_takes() {
        let mut made = made();
        made.numbered.insert("s0".to_owned(), "2".to_owned());
        let text = made.plan().expect("a plan");
        let plan = PlanFile::parse(&text, Path::new("")).expect(&text).plan().clone();
        assert_eq!((plan.source(), plan.epsilon().to_f64(), plan.questions().len()), ("x.csv", 0.5, 3));
        let shares: Vec<f64> = plan.questions().map(|one| one.epsilon().to_f64()).collect();
        assert_eq!(shares, [0.25, 0.125, 0.125]);
        let asked: Vec<_> = plan.questions().collect();
        let first = asked[0].as_a::<posterity::plan::PlannedTable>().unwrap();
        assert_eq!(asked[0].readings()[0].to_string(), "cured=yes | \"the \\\"ward\\\"\"");
        assert_eq!(first.question().unit.as_deref(), Some("patient"));
        let second = asked[1].as_a::<posterity::plan::PlannedTable>().unwrap();
        assert_eq!(second.question().columns[0].names(), ["[0,18.5)", "[18.5,65)"]);
        assert_eq!(asked[2].name(), "question-3");
    }

    #[test]
    fn the_address_holds_the_whole_study() {
        let made = made();
        let again = MadeForm::of(&made.query()).expect("read");
        assert_eq!((again.query(), again.plan()), (made.query(), made.plan()));
        let fewer = made.without(0);
        assert_eq!(fewer.parts().len(), 2);
        assert!(fewer.plan().expect("a plan").contains("bins = [0, 18.5, 65]"));
        let full = (0..MAX_QUESTIONS)
            .try_fold(MadeForm::default(), |made, _| made.with(&QuestionForm::default(), "1", 1, ""));
        assert!(full.is_some_and(|full| full.with(&QuestionForm::default(), "1", 1, "").is_none()));
    }

    #[test]
    fn rejects() {
        assert_eq!(MadeForm::default().plan(), Err("Add a question first.".to_owned()));
        let with = |query: &str| {
            made().with(&fields(query.as_bytes()).expect(query), "1", 1, "").expect("a place").plan()
        };
        for (query, expected) in [
            ("kind=share&file=y.csv&unit=patient&column0=a&values0=x,y", "about one file"),
            ("kind=share&file=x.csv&column0=a&values0=x,y", "tells people apart"),
            (
                "kind=share&file=x.csv&unit=patient&column0=cured&values0=x,y",
                "has other values in another question",
            ),
            ("kind=share&file=x.csv&unit=patient", "Name the column"),
        ] {
            let wrong = with(query).expect_err(query);
            assert!(wrong.contains(expected), "{query}: {wrong}");
        }
        let mut strange = made();
        strange.numbered.insert("s1".to_owned(), "-1".to_owned());
        assert!(strange.plan().is_err());
    }

    #[test]
    fn numbers_and_texts_are_those_of_toml() {
        let typed = |text: &str| number(&Typed::<Epsilon>::from(text));
        assert_eq!(["1", "0.5", "1/3", ".5", "1."].map(typed), ["1", "0.5", "\"1/3\"", "\".5\"", "\"1.\""]);
        assert_eq!(text("a\"\n\u{7f}"), "\"a\\\"\\n\\u007f\"");
    }
}
