//! The forecast of a table in other places: as a command, in Python, in Rust.

use posterity_advice::design::TableAdvice;
use posterity_advice::plan::Truth;

use super::lines::{Call, floats, shares};
use super::state::State;

/// What the lines say.
pub(super) struct TableLines<'a> {
    state: &'a State,
    columns: Vec<String>,
    readings: Vec<String>,
    prior: Option<f64>,
    shape: Option<Vec<String>>,
}

impl<'a> TableLines<'a> {
    pub(super) fn new(state: &'a State, advice: &TableAdvice) -> Self {
        let readings = advice.designs.first().into_iter().flat_map(|design| &design.readings);
        Self {
            state,
            columns: state.sides.iter().map(ToString::to_string).collect(),
            readings: readings.map(|one| one.reading.to_string()).collect(),
            prior: state.prior.is_some().then_some(advice.prior),
            shape: matches!(state.truth, Truth::Shape(_)).then(|| shares(state)),
        }
    }

    fn call(&self) -> Call {
        let mut call = Call::default().numbers("columns", &self.columns);
        call = call.number("n", self.state.n).number("epsilon", &self.state.epsilon);
        if let Some(prior) = self.prior {
            call = call.number("prior", prior);
        }
        if let Some(shape) = &self.shape {
            call = call.numbers("shape", shape);
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
        if let Some(prior) = self.prior {
            table += &format!(".with_prior({prior:?})?");
        }
        if let Some(shape) = &self.shape {
            table += &format!(".with_shape(posterity_advice::Shape::new(vec![{}])?)?", floats(shape));
        }
        format!(
            "use posterity_advice::design::{{Table, advise_table}};\nlet table = {table};\n\
             let advice = advise_table(&table, &\"{}\".parse()?, &|_| ())?;",
            self.state.epsilon
        )
    }

    /// All three, with buttons to copy them.
    pub(super) fn all(&self) -> String {
        self.call().lines("table", &self.rust())
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
            lines.call().command(),
            "posterity advise --columns 2,3 --n 500 --epsilon 2 --prior 0.5 --shape 1,2,3,4,5,6 --read 'a, b' --read 'a' --read 'b' \
             --read 'a | b'"
        );
        assert!(lines.call().python().ends_with(
            "posterity.advise(columns=[2, 3], n=500, epsilon=2, prior=0.5, shape=[1, 2, 3, 4, 5, 6], \
             read=[\"a, b\", \"a\", \"b\", \"a | b\"])"
        ));
        assert!(lines.rust().contains(
            "500)?.with_prior(0.5)?.with_shape(posterity_advice::Shape::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;"
        ));
    }
}
