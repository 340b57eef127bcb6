//! A study that is made in the pages: questions with their shares of one budget. Addresses hold all of it, and it is
//! written as the plan that `posterity study` takes.

use std::collections::BTreeMap;

use posterity::plan::{Node, field};
use posterity::{Adjacency, Epsilon};
use serde::Deserialize;

use crate::failure::Failure;
use crate::fields::fields;
use crate::question::{Question, QuestionForm};
use crate::release::nodes;
use crate::sentence::sentence;
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

    /// What differs from the study that a page showed, in words.
    pub(crate) fn differs(&self, shown: &Self) -> Vec<String> {
        let value = |value: &str| if value.is_empty() { "empty".to_owned() } else { value.to_owned() };
        let fields = |made: &Self| {
            [
                ("the title", made.title.to_string()),
                ("epsilon", made.epsilon.to_string()),
                ("the number of people", made.n.to_string()),
                ("whether the number of people is public", made.adjacency.to_string()),
            ]
        };
        let (parts, before) = (self.parts(), shown.parts());
        let shares = parts.iter().zip(&before).enumerate().map(|(index, (now, then))| {
            (format!("the share of question {}", index + 1), then.share.to_string(), now.share.to_string())
        });
        let said = fields(shown).into_iter().zip(fields(self));
        let said = said.map(|((called, then), (_, now))| (called.to_owned(), then, now)).chain(shares);
        let said = said.filter(|(_, then, now)| then != now);
        let mut differs: Vec<String> = said
            .map(|(called, then, now)| {
                sentence(format!("{called} was {}, and is {} now", value(&then), value(&now)))
            })
            .collect();
        let queries = |parts: &[Part]| parts.iter().map(|part| part.query.clone()).collect::<Vec<_>>();
        if queries(&parts) != queries(&before) {
            differs.push("The questions are others.".to_owned());
        }
        differs
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
    pub(crate) fn plan(&self) -> Result<Node, String> {
        let parts = self.parts();
        let first = &parts.first().ok_or("Add a question first.")?.form;
        parts.iter().try_for_each(|part| check_same(first, &part.form))?;
        self.epsilon.required("Give an epsilon for all questions together, such as 1.")?;
        let mut columns = Vec::new();
        let mut questions = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for (name, node) in nodes::declared(&part.form.columns) {
                match columns.iter().find(|(known, _)| *known == name) {
                    Some((_, other)) if *other != node => {
                        return Err(format!("Column {name:?} has other values in another question."));
                    }
                    Some(_) => {}
                    None => columns.push((name, node)),
                }
            }
            let is_repeated = parts[..index].iter().any(|other| names(&other.form) == names(&part.form));
            questions.push(question(part, is_repeated.then_some(index + 1))?);
        }
        let said = [
            ("title", Some(self.title.or("A study"))),
            ("source", first.file.get()),
            ("schema", schema(&parts)?),
            ("delimiter", first.delimiter.get()),
            ("encoding", first.encoding.get()),
            ("epsilon", self.epsilon.get()),
            ("unit", first.unit.get()),
            ("adjacency", self.adjacency.get()),
        ];
        let node = |name: &str, text: &str| {
            field(name).map_or_else(|| Node::text(text), |field| nodes::node(field, text))
        };
        let said = said.into_iter().filter_map(|(name, text)| Some((name, node(name, text?))));
        let rest = [("columns", Node::table(columns)), ("question", Node::list(questions))];
        Ok(Node::table(said.chain(rest)))
    }
}

/// The columns of a question, by name.
fn names(form: &QuestionForm) -> Vec<String> {
    nodes::named(&form.as_released().columns).into_iter().map(|(_, name)| name.to_owned()).collect()
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

/// The schema from which the plan takes values, if it takes some.
fn schema(parts: &[Part]) -> Result<Option<&str>, String> {
    let using = parts.iter().filter(|part| nodes::uses_schema(&part.form.columns));
    let mut used: Vec<&str> = using.map(|part| &*part.form.schema).collect();
    used.dedup();
    match used.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => Err("The questions of a study take their values from one schema.".to_owned()),
    }
}

/// A question as a table of the plan. One that has the columns of another is named by its number.
fn question(part: &Part, named: Option<usize>) -> Result<Node, String> {
    let asked = Question::new(&part.form)?.ok_or("Choose the form of the question.")?;
    let texts = |text: String| Node::list([Node::text(text)]);
    let columns = Node::list(names(&part.form).into_iter().map(Node::text));
    let said = [
        ("title", Some(Node::text(asked.words()))),
        ("columns", Some(columns)),
        ("name", named.map(|number| Node::text(format!("question-{number}")))),
        ("share", part.share.get().map(Node::digits)),
        ("read", asked.reading().map(|one| texts(one.to_string()))),
        ("compare", asked.comparison().map(|one| texts(one.to_string()))),
    ];
    Ok(Node::table(said.into_iter().filter_map(|(name, node)| Some((name, node?)))))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use posterity::plan::Plan;
    use posterity_study::PlanFile;

    use super::*;

    const WARDS: &str = "kind=rate&file=x.csv&unit=patient&column0=the \"ward\"&categories0=A,B&column1=cured&categories1=yes,no&value=yes";

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
        let text = made.plan().expect("a plan").to_string();
        let plan = PlanFile::parse(&text, Path::new("")).expect(&text).plan().clone();
        assert_eq!((plan.source(), plan.epsilon().to_f64(), plan.questions().len()), ("x.csv", 0.5, 3));
        let shares: Vec<f64> = plan.questions().map(|one| one.epsilon().to_f64()).collect();
        assert_eq!(shares, [0.25, 0.125, 0.125]);
        let asked: Vec<_> = plan.questions().collect();
        let first = asked[0].as_a::<posterity::plan::PlannedTable>().expect("a table");
        assert_eq!(asked[0].readings()[0].to_string(), "cured=yes | \"the \\\"ward\\\"\"");
        assert_eq!(first.question().unit.as_deref(), Some("patient"));
        let second = asked[1].as_a::<posterity::plan::PlannedTable>().expect("a table");
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
        assert!(fewer.plan().expect("a plan").to_string().contains("bins = [0, 18.5, 65]"));
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
            ("kind=share&file=y.csv&unit=patient&column0=a&categories0=x,y", "about one file"),
            ("kind=share&file=x.csv&column0=a&categories0=x,y", "tells people apart"),
            (
                "kind=share&file=x.csv&unit=patient&column0=cured&categories0=x,y",
                "has other values in another question",
            ),
            ("kind=share&file=x.csv&unit=patient", "Name the column"),
        ] {
            let wrong = with(query).expect_err(query);
            assert!(wrong.contains(expected), "{query}: {wrong}");
        }
        let mut strange = made();
        strange.numbered.insert("s1".to_owned(), "-1".to_owned());
        let plan = Plan::read(strange.plan().expect("nodes"), &|_| Err(String::new()));
        assert_eq!(plan.expect_err("a share").path().to_string(), "question[1].share");
    }
}
