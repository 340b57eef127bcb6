//! The forecast of a table in other places: as a command, in Python, in Rust.

use maud::Markup;
use posterity_advice::design::Table;

use super::lines::Call;
use super::state::{State, numbered, readings, shapes};
use crate::question::Question;

/// What the lines say.
pub(super) struct TableLines<'a> {
    state: &'a State,
    columns: Vec<String>,
    readings: Vec<String>,
    /// Columns with the shares of their values, as they were typed.
    shapes: Vec<(String, Vec<String>)>,
}

impl<'a> TableLines<'a> {
    pub(super) fn new(state: &'a State, table: &Table) -> Self {
        let sizes = table.columns().sizes();
        let sides: Vec<usize> = sizes.iter().map(|(_, size)| *size).collect();
        // The command knows columns by letters, which have no blanks or commas.
        let letters = numbered(&sides).ok();
        let letter = |name: &str| {
            let place = sizes.iter().position(|(known, _)| *known == name)?;
            Some(letters.as_ref()?.sizes().get(place)?.0.to_owned())
        };
        let shape = |text: String| {
            let (column, parts) = text.split_once('=')?;
            let parts = parts.split(',').map(|part| part.trim().to_owned()).collect();
            Some((letter(column.trim())?, parts))
        };
        let only = (sizes.len() < 2).then(|| sizes[0].0);
        let groups = state.question.as_ref().and_then(Question::sizes);
        let groups = groups.map(|groups| format!("{}={}", groups.column(), state.typed.question.sizes));
        let typed = shapes(&state.typed.shape, only).into_iter().chain(groups);
        let readings = match (&state.question, &letters) {
            (Some(question), Some(letters)) => readings(question, letters),
            _ => table.readings().to_vec(),
        };
        Self {
            state,
            columns: sides.iter().map(ToString::to_string).collect(),
            readings: readings.iter().map(ToString::to_string).collect(),
            shapes: typed.filter_map(shape).collect(),
        }
    }

    fn call(&self) -> Call {
        let mut call = Call::default().numbers("columns", &self.columns).number("n", self.state.n);
        call = match self.state.share {
            Some(share) => call.number("half_width", share),
            None => call.number("epsilon", &self.state.epsilon),
        };
        if self.state.n_is_private() {
            call = call.word("adjacency", self.state.adjacency.name());
        }
        if !self.shapes.is_empty() {
            call = call.named("shape", &self.shapes);
        }
        call.texts("read", &self.readings)
    }

    fn rust(&self) -> String {
        let readings: Vec<String> =
            self.readings.iter().map(|reading| format!("\"{reading}\".parse()?")).collect();
        let mut table = format!(
            "Table::new(\"{}\".parse()?, vec![{}], {})?",
            self.columns.join(","),
            readings.join(", "),
            self.state.n
        );
        for (column, parts) in &self.shapes {
            table += &format!(".with_shape(\"{column}={}\".parse()?)?", parts.join(","));
        }
        if self.state.n_is_private() {
            table += ".under(posterity::Adjacency::AddRemove)";
        }
        let (name, call) = match self.state.share {
            Some(share) => {
                ("least_table_epsilon", format!("least_table_epsilon(&table, {share:?}, false, &|_| ())?"))
            }
            None => (
                "advise_table",
                format!("advise_table(&table, &\"{}\".parse()?, &|_| ())?", self.state.epsilon),
            ),
        };
        format!(
            "use posterity_advice::design::{{Table, {name}}};\nlet table = {table};\nlet advice = {call};"
        )
    }

    /// All three, with buttons to copy them.
    pub(super) fn all(&self) -> Markup {
        self.call().lines("line", &self.rust())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    #[test]
    fn lines_say_the_whole_table() {
        let lines = |query: &str| {
            let plan = State::new(fields(query.as_bytes()).expect("read")).expect("valid");
            let table = plan.table.clone().expect("a table");
            let lines = TableLines::new(&plan, &table);
            (lines.call().command(), lines.call().python(), lines.rust())
        };
        let (command, python, rust) = lines("n=500&k=2+x+3&e=2&shape=a=1,2;b=1,2,3&read=a+|+b");
        assert_eq!(
            command,
            "posterity advise --columns 2,3 --n 500 --epsilon 2 --shape a=1,2 --shape b=1,2,3 --read 'a | b'"
        );
        assert!(python.ends_with(
            "posterity.advise(columns=[2, 3], n=500, epsilon=2, shape={\"a\": [1, 2], \"b\": [1, 2, 3]}, read=[\"a | b\"])"
        ), "{python}");
        assert!(
            rust.contains("500)?.with_shape(\"a=1,2\".parse()?)?.with_shape(\"b=1,2,3\".parse()?)?;"),
            "{rust}"
        );
        let (command, python, rust) = lines("n=500&k=3&e=2&shape=6,1,3&adjacency=add-remove");
        assert_eq!(
            command,
            "posterity advise --columns 3 --n 500 --epsilon 2 --adjacency add-remove --shape a=6,1,3 --read 'a'"
        );
        assert!(python.contains("epsilon=2, adjacency=\"add-remove\", shape={\"a\": [6, 1, 3]}"), "{python}");
        assert!(rust.contains(".under(posterity::Adjacency::AddRemove);"), "{rust}");
        let (command, _, _) = lines(
            "n=500&e=2&kind=rate&column0=the+ward&categories0=A,B&column1=cured&categories1=yes,no&value=no&sizes=3,1",
        );
        assert_eq!(
            command,
            "posterity advise --columns 2,2 --n 500 --epsilon 2 --shape a=3,1 --read 'b=2 | a=1' --read 'b=2 | a=2'"
        );
        let (command, _, rust) = lines("n=500&k=2+x+3&w=10&read=a");
        assert_eq!(command, "posterity advise --columns 2,3 --n 500 --half-width 0.1 --read 'a'");
        assert!(rust.ends_with("let advice = least_table_epsilon(&table, 0.1, false, &|_| ())?;"), "{rust}");
    }
}
