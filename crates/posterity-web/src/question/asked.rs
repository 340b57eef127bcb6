//! A question that was checked. No data is read for it.

use posterity::table::{ContrastKind, SpaceColumn, Term};
use posterity::{Contrast, Reading};
use posterity_advice::design::ColumnShape;

use super::form::QuestionForm;
use super::kind::Kind;
use crate::release::nodes;
use crate::sentence::sentence;
use crate::typed::{Typed, numbers};

/// The most groups whose widths are forecast one by one.
const MOST_GROUPS: usize = 20;

/// A question with its columns and values. Values are told by their places in their columns, so that a forecast may
/// call them by numbers.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    kind: Kind,
    columns: Vec<SpaceColumn>,
    /// The outcome that is counted; all of them if there is none.
    value: Option<usize>,
    /// The groups that are compared.
    compared: Option<[usize; 2]>,
    sizes: Option<ColumnShape>,
}

impl Question {
    /// The question that is meant, or what is wrong with it; none if nothing is asked.
    pub(crate) fn new(form: &QuestionForm) -> Result<Option<Self>, String> {
        let Some(kind) = form.kind.value()? else { return Ok(None) };
        let columns = nodes::columns(&form.columns).map_err(|wrong| wrong.why)?;
        let mut columns = columns.iter().map(SpaceColumn::from).collect::<Vec<_>>();
        check_columns(kind, &columns)?;
        if kind.has_groups() {
            // The outcome is typed second, and comes last.
            columns[1..].rotate_left(1);
        }
        let mut question = Self { kind, columns, value: None, compared: None, sizes: None };
        if kind.has_groups() {
            question.value = question.place(question.columns.len() - 1, &form.value)?;
            let parts = numbers(&form.sizes)?;
            if parts.is_some() && question.columns.len() > 2 {
                return Err(
                    "Sizes are for the groups of one column. Leave them empty for several.".to_owned()
                );
            }
            let shape = parts.map(|parts| ColumnShape::new(&question.columns[0].name, parts));
            question.sizes = shape.transpose().map_err(sentence)?;
        }
        if kind == Kind::Difference {
            question.compared = Some(question.compared(form)?);
        }
        Ok(Some(question))
    }

    /// The columns with their values, in the order of the release.
    pub(crate) fn columns(&self) -> &[SpaceColumn] {
        &self.columns
    }

    /// How large the groups are, if that was typed.
    pub(crate) fn sizes(&self) -> Option<&ColumnShape> {
        self.sizes.as_ref()
    }

    /// What is read from the release; none if the usual readings are.
    pub(crate) fn reading(&self) -> Option<Reading> {
        self.kind
            .has_groups()
            .then(|| Reading::shares(vec![self.outcome(&self.columns)], each(groups(&self.columns))))
    }

    /// What is compared in the release.
    pub(crate) fn comparison(&self) -> Option<Contrast> {
        let [group, _] = self.columns.as_slice() else { return None };
        let [first, second] = self.compared?.map(|place| [group.values[place].as_str()]);
        let of = vec![self.outcome(&self.columns)];
        Some(Contrast::between(ContrastKind::Difference, of, &group.name, first, second))
    }

    /// What is forecast: the groups that are compared, or each group if their sizes are known. These columns are those
    /// of the question, or stand for them under other names. It is empty if the usual readings are.
    pub(crate) fn forecast(&self, columns: &[SpaceColumn]) -> Vec<Reading> {
        let [group, ..] = columns else { return Vec::new() };
        let within = |given: Vec<Term>| Reading::shares(vec![self.outcome(columns)], given);
        let one = |place: usize| within(vec![Term::set(&group.name, [group.values[place].as_str()])]);
        match (self.kind, self.compared, &self.sizes) {
            (Kind::Share | Kind::Table, ..) => Vec::new(),
            (_, Some(places), _) => places.map(one).to_vec(),
            (_, None, Some(_)) if group.values.len() <= MOST_GROUPS => {
                (0..group.values.len()).map(one).collect()
            }
            _ => vec![within(each(groups(columns)))],
        }
    }

    /// The question as a sentence.
    pub(crate) fn words(&self) -> String {
        let name = |place: usize| &self.columns[place].name;
        let value = |column: usize, place: usize| &self.columns[column].values[place];
        let last = self.columns.len() - 1;
        let share = match self.value {
            Some(place) => format!("the share of {} in {}", value(last, place), name(last)),
            None => format!("the share of each value of {}", name(last)),
        };
        match (self.kind, self.compared) {
            (Kind::Difference, Some([first, second])) => format!(
                "By how much does {share} differ between {} and {} of {}?",
                value(0, first),
                value(0, second),
                name(0)
            ),
            (Kind::Rate | Kind::Difference, _) => {
                let names: Vec<&str> =
                    groups(&self.columns).iter().map(|column| column.name.as_str()).collect();
                format!("What is {share} within each {}?", names.join(" and "))
            }
            (Kind::Share, _) => format!("What is {share}?"),
            (Kind::Table, _) => {
                let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
                format!("How are {} distributed together?", names.join(" and "))
            }
        }
    }

    /// What tells the rows of an answer apart: the groups, or the values of the columns.
    pub(crate) fn row_names(&self) -> Vec<&str> {
        self.row_columns().iter().map(|column| column.name.as_str()).collect()
    }

    /// The first rows of an answer.
    pub(crate) fn rows(&self, most: usize) -> Vec<Vec<&str>> {
        let mut rows: Vec<Vec<&str>> = vec![Vec::new()];
        for (index, column) in self.row_columns().iter().enumerate() {
            let is_compared = |place: &usize| match (index, self.compared) {
                (0, Some(places)) => places.contains(place),
                _ => true,
            };
            let values = || column.values.iter().enumerate().filter(|(place, _)| is_compared(place));
            rows = rows
                .iter()
                .flat_map(|row| {
                    values().map(move |(_, value)| row.iter().copied().chain([value.as_str()]).collect())
                })
                .take(most)
                .collect();
        }
        rows
    }

    /// The columns by which the rows of an answer are told apart.
    fn row_columns(&self) -> &[SpaceColumn] {
        if self.kind.has_groups() { groups(&self.columns) } else { &self.columns }
    }

    /// The share of each row if all values are as frequent as each other.
    pub(crate) fn even_share(&self) -> f64 {
        let counted =
            if self.kind.has_groups() { &self.columns[self.columns.len() - 1..] } else { &self.columns[..] };
        1.0 / counted.iter().map(|column| column.values.len() as f64).product::<f64>()
    }

    fn outcome(&self, columns: &[SpaceColumn]) -> Term {
        let SpaceColumn { name, values, .. } = &columns[columns.len() - 1];
        self.value.map_or_else(|| Term::each(name), |place| Term::set(name, [values[place].as_str()]))
    }

    /// The place of a value in its column; none if nothing was typed.
    fn place(&self, column: usize, typed: &Typed) -> Result<Option<usize>, String> {
        let SpaceColumn { name, values, .. } = &self.columns[column];
        let Some(value) = typed.get() else { return Ok(None) };
        let place = values.iter().position(|known| known == value);
        place
            .map(Some)
            .ok_or_else(|| format!("{name:?} has no value {value:?}. Its values are {}.", values.join(", ")))
    }

    fn compared(&self, form: &QuestionForm) -> Result<[usize; 2], String> {
        if self.value.is_none() {
            return Err("Say which outcome is counted, such as yes.".to_owned());
        }
        let places = [self.place(0, &form.first)?, self.place(0, &form.second)?];
        match places {
            [Some(first), Some(second)] if first != second => Ok([first, second]),
            _ => Err("Name two different groups to be compared.".to_owned()),
        }
    }
}

/// All columns but the last, which has the outcome.
fn groups(columns: &[SpaceColumn]) -> &[SpaceColumn] {
    columns.split_last().map_or(&[], |(_, groups)| groups)
}

/// Each value of some columns.
fn each(columns: &[SpaceColumn]) -> Vec<Term> {
    columns.iter().map(|column| Term::each(&column.name)).collect()
}

/// Refuses too few columns, too many, and those that make no table.
fn check_columns(kind: Kind, columns: &[SpaceColumn]) -> Result<(), String> {
    let (fewest, most) = kind.columns();
    if !(fewest..=most).contains(&columns.len()) {
        return Err(match kind {
            Kind::Share => "Name the column whose shares are asked for.",
            Kind::Rate | Kind::Difference => "Name the column of the outcome and the column of the groups.",
            Kind::Table => "Name at least two columns.",
        }
        .to_owned());
    }
    posterity_advice::design::Columns::new(columns.to_vec()).map_err(sentence)?;
    for SpaceColumn { name, values, .. } in columns {
        let twice = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value));
        if let Some((_, value)) = twice {
            return Err(format!("Column {name:?} has the value {value:?} twice. Declare it once."));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    const RATE: &str = "kind=rate&column0=ward&categories0=A,B,C&column1=cured&categories1=yes,no";

    fn question(query: &str) -> Result<Option<Question>, String> {
        Question::new(&fields(query.as_bytes()).expect(query))
    }

    fn asked(query: &str) -> Question {
        question(query).expect(query).expect("a question")
    }

    fn forecast(question: &Question) -> Vec<String> {
        question.forecast(question.columns()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_form_has_its_reading() {
        assert!(question("n=5").expect("valid").is_none());
        let share = asked("kind=share&column0=cured&categories0=yes,no");
        assert_eq!((share.reading(), share.comparison(), forecast(&share).len()), (None, None, 0));
        assert_eq!(share.words(), "What is the share of each value of cured?");
        let rate = asked(RATE);
        assert_eq!(rate.reading().map(|one| one.to_string()).as_deref(), Some("cured | ward"));
        assert_eq!(forecast(&rate), ["cured | ward"]);
        let sized = asked(&format!("{RATE}&value=yes&sizes=50,30,20"));
        assert_eq!(sized.reading().map(|one| one.to_string()).as_deref(), Some("cured=yes | ward"));
        assert_eq!(forecast(&sized), ["cured=yes | ward=A", "cured=yes | ward=B", "cured=yes | ward=C"]);
        assert_eq!(sized.words(), "What is the share of yes in cured within each ward?");
        let difference = asked(
            &format!("{RATE}&kind=x&value=yes&first=A&second=C").replace("kind=rate", "kind=difference"),
        );
        assert_eq!(
            difference.comparison().map(|one| one.to_string()).as_deref(),
            Some("cured=yes | ward: A - C")
        );
        assert_eq!(forecast(&difference), ["cured=yes | ward=A", "cured=yes | ward=C"]);
        assert_eq!(
            difference.words(),
            "By how much does the share of yes in cured differ between A and C of ward?"
        );
        let table = asked(&RATE.replace("rate", "table"));
        assert_eq!((table.reading(), forecast(&table).len()), (None, 0));
        assert_eq!(table.words(), "How are ward and cured distributed together?");
    }

    /// The command names columns by letters and values by numbers.
    #[test]
    fn a_forecast_may_use_other_names() {
        let numbered: posterity_advice::design::Columns = "3,2".parse().expect("valid");
        let sized = asked(&format!("{RATE}&value=no&sizes=50,30,20"));
        let readings = sized.forecast(numbered.as_slice());
        assert_eq!(
            readings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["b=2 | a=1", "b=2 | a=2", "b=2 | a=3"]
        );
    }

    #[test]
    fn rejects() {
        let difference = RATE.replace("rate", "difference");
        let table = [
            ("kind=odd".to_owned(), "is no form of a question"),
            ("kind=share".to_owned(), "Name the column whose shares"),
            ("kind=rate&column0=ward&categories0=A,B".to_owned(), "the column of the outcome and"),
            ("kind=table&column0=ward&categories0=A,B".to_owned(), "at least two columns"),
            ("kind=share&column0=cured".to_owned(), "Declare the possible values"),
            ("kind=share&column0=cured&categories0=yes".to_owned(), "2"),
            ("kind=share&column0=cured&categories0=yes,no,yes".to_owned(), "twice"),
            (RATE.replace("column1=cured", "column1=ward"), "ward"),
            (format!("{RATE}&value=maybe"), "Its values are yes, no."),
            (format!("{RATE}&sizes=1,x,3"), "no list of numbers"),
            (format!("{RATE}&sizes=1,0,3"), "0"),
            (
                format!("{RATE}&sizes=1,1,3&column2=sex&categories2=f,m"),
                "Sizes are for the groups of one column",
            ),
            (format!("{difference}&first=A&second=B"), "which outcome is counted"),
            (format!("{difference}&value=yes&first=A"), "two different groups"),
            (format!("{difference}&value=yes&first=A&second=A"), "two different groups"),
            (format!("{difference}&value=yes&first=A&second=D"), "Its values are A, B, C."),
        ];
        for (query, expected) in table {
            let wrong = question(&query).expect_err(&query);
            assert!(wrong.contains(expected), "{query}: {wrong}");
        }
    }

    /// If this fails, the pages and the command ask two questions for one rate, and both are charged.
    #[test]
    fn a_rate_is_released_as_the_command_asks_for_it() {
        let form: QuestionForm =
            fields(format!("{RATE}&column3=sex&categories3=f,m&value=yes").as_bytes()).expect("read");
        let asked = Question::new(&form).expect("valid").expect("a question");
        let released = form.as_released();
        let names: Vec<&str> = nodes::named(&released.columns).into_iter().map(|(_, name)| name).collect();
        let rate = asked.reading().expect("a rate");
        assert_eq!(
            (rate.to_string().as_str(), rate.columns_in_order()),
            ("cured=yes | ward, sex", vec!["ward".to_owned(), "sex".to_owned(), "cured".to_owned()])
        );
        assert_eq!(names, rate.columns_in_order());
        assert_eq!(released.columns.text("categories2"), "yes,no");
    }

    /// The address holds the whole question.
    #[test]
    fn what_was_typed_is_read_again() {
        let form: QuestionForm =
            fields(format!("{RATE}&file=a b.csv&header=yes&unit=x&sizes=1,2,3").as_bytes()).expect("read");
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(form.pairs());
        let again: QuestionForm = fields(query.finish().as_bytes()).expect("read");
        assert_eq!((again.pairs().len(), again.pairs()), (9, form.pairs()));
        let hidden = form.hidden_but(&["kind", "file", "header", "unit"]).into_string();
        assert_eq!(hidden.matches("<input").count(), 5);
    }
}
