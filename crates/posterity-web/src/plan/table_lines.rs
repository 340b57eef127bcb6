//! The forecast of a table in other places: as a command, in Python, in Rust.

use posterity::design::TableAdvice;
use posterity::plan::Truth;

use super::lines::{block, floats};
use super::state::State;

/// What the lines say.
pub(super) struct TableLines<'a> {
    state: &'a State,
    columns: String,
    readings: Vec<String>,
    prior: Option<f64>,
    shape: Option<String>,
}

impl<'a> TableLines<'a> {
    pub(super) fn new(state: &'a State, advice: &TableAdvice) -> Self {
        let sides: Vec<String> = state.sides.iter().map(ToString::to_string).collect();
        let readings = advice.designs.first().into_iter().flat_map(|design| &design.readings);
        let shape = matches!(state.truth, Truth::Shape(_)).then(|| state.typed.shape.replace(' ', ""));
        Self {
            state,
            columns: sides.join(","),
            readings: readings.map(|one| one.reading.to_string()).collect(),
            prior: state.prior.is_some().then_some(advice.prior),
            shape,
        }
    }

    fn command(&self) -> String {
        let mut text = format!(
            "posterity advise --columns {} --n {} --epsilon {}",
            self.columns, self.state.n, self.state.epsilon
        );
        if let Some(prior) = self.prior {
            text += &format!(" --prior {prior}");
        }
        if let Some(shape) = &self.shape {
            text += &format!(" --shape {shape}");
        }
        text + &self.readings.iter().map(|reading| format!(" --read '{reading}'")).collect::<String>()
    }

    fn python(&self) -> String {
        let readings: Vec<String> = self.readings.iter().map(|reading| format!("\"{reading}\"")).collect();
        let mut text = format!(
            "import posterity\nposterity.advise(n={}, columns=[{}], epsilon={}, read=[{}]",
            self.state.n,
            self.columns.replace(',', ", "),
            self.state.epsilon,
            readings.join(", ")
        );
        if let Some(prior) = self.prior {
            text += &format!(", prior={prior}");
        }
        if let Some(shape) = &self.shape {
            text += &format!(", shape=[{}]", shape.replace(',', ", "));
        }
        text + ")"
    }

    fn rust(&self) -> String {
        let readings: Vec<String> =
            self.readings.iter().map(|reading| format!("\"{reading}\".parse()?")).collect();
        let mut table = format!(
            "Table::new(\"{}\".parse()?, vec![{}], {})?",
            self.columns,
            readings.join(", "),
            self.state.n
        );
        if let Some(prior) = self.prior {
            table += &format!(".with_prior({prior:?})?");
        }
        if let Some(shape) = &self.shape {
            table += &format!(".with_shape(posterity::Shape::new(vec![{}])?)?", floats(shape));
        }
        format!(
            "use posterity::design::{{Table, advise_table}};\nlet table = {table};\n\
             let advice = advise_table(&table, &\"{}\".parse()?, &|_| ())?;",
            self.state.epsilon
        )
    }

    /// All three, with buttons to copy them.
    pub(super) fn all(&self) -> String {
        [
            block("Command", "table-command", &self.command()),
            block("Python", "table-python", &self.python()),
            block("Rust", "table-rust", &self.rust()),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::fields;
    use crate::plan::table::compute;

    #[test]
    fn lines_say_the_whole_table() {
        let query = "n=500&k=2+x+3&e=2&prior=0.5&shape=1,2,3,4,5,6";
        let plan = State::new(fields(query.as_bytes()).expect("read")).expect("valid");
        let advice = compute(&plan).expect("valid");
        let lines = TableLines::new(&plan, &advice);
        assert_eq!(
            lines.command(),
            "posterity advise --columns 2,3 --n 500 --epsilon 2 --prior 0.5 --shape 1,2,3,4,5,6 --read 'a, b' --read 'a' --read 'b' \
             --read 'a | b'"
        );
        assert!(lines.python().ends_with(
            "posterity.advise(n=500, columns=[2, 3], epsilon=2, read=[\"a, b\", \"a\", \"b\", \"a | b\"], prior=0.5, \
             shape=[1, 2, 3, 4, 5, 6])"
        ));
        assert!(lines.rust().contains(
            "500)?.with_prior(0.5)?.with_shape(posterity::Shape::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;"
        ));
    }
}
