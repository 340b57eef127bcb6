//! The same plan in other places: as a command, in Python, in Rust.

use std::fmt::Display;

use maud::{Markup, html};

use super::state::State;

/// A call of `posterity advise`. The command and Python name its arguments alike.
#[derive(Default)]
pub(super) struct Call {
    flags: String,
    keywords: Vec<String>,
}

impl Call {
    pub(super) fn number(self, name: &str, number: impl ToString) -> Self {
        let number = number.to_string();
        self.with(name, &[&number], &number)
    }

    pub(super) fn numbers(self, name: &str, numbers: &[String]) -> Self {
        self.with(name, &[&numbers.join(",")], &format!("[{}]", numbers.join(", ")))
    }

    /// Readings, which the command quotes.
    pub(super) fn texts(self, name: &str, texts: &[String]) -> Self {
        let quoted: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
        self.with(name, &quoted, &format!("{texts:?}"))
    }

    /// A word, which Python quotes.
    pub(super) fn word(self, name: &str, word: &str) -> Self {
        self.with(name, &[word], &format!("{word:?}"))
    }

    /// Numbers for each of several names.
    pub(super) fn named(self, name: &str, all: &[(String, Vec<String>)]) -> Self {
        let flag = |(key, numbers): &(String, Vec<String>)| format!("{key}={}", numbers.join(","));
        let item = |(key, numbers): &(String, Vec<String>)| format!("\"{key}\": [{}]", numbers.join(", "));
        let items: Vec<String> = all.iter().map(item).collect();
        self.with(name, &all.iter().map(flag).collect::<Vec<_>>(), &format!("{{{}}}", items.join(", ")))
    }

    fn with(mut self, name: &str, flags: &[impl Display], keyword: &str) -> Self {
        for value in flags {
            self.flags += &format!(" --{} {value}", name.replace('_', "-"));
        }
        self.keywords.push(format!("{name}={keyword}"));
        self
    }

    pub(super) fn command(&self) -> String {
        format!("posterity advise{}", self.flags)
    }

    pub(super) fn python(&self) -> String {
        format!("import posterity\nposterity.advise({})", self.keywords.join(", "))
    }

    /// All three languages, with buttons to copy them. Names of blocks begin with `id`.
    pub(super) fn lines(&self, id: &str, rust: &str) -> Markup {
        let all = [("Command", &*self.command()), ("Python", &self.python()), ("Rust", rust)];
        html! {
            @for (name, text) in all { (block(name, &format!("{id}-{}", name.to_lowercase()), text)) }
        }
    }
}

/// The lines of a plan.
pub(super) fn all(state: &State) -> Markup {
    call(state).lines("line", &rust(state))
}

fn call(state: &State) -> Call {
    let call = Call::default().number("n", state.n);
    let call = match state.prior {
        Some(_) => call.numbers("prior", &parameters(state)),
        None => call.number("k", state.k),
    };
    let call = match state.share {
        Some(share) => call.number("half_width", share),
        None => call.number("epsilon", &state.epsilon),
    };
    if state.has_shape() { call.numbers("shape", &shares(state)) } else { call }
}

/// The expected shares as they were typed.
fn shares(state: &State) -> Vec<String> {
    state.typed.shape.split(',').map(|share| share.trim().to_owned()).collect()
}

fn parameters(state: &State) -> Vec<String> {
    state.prior.iter().flat_map(|prior| prior.parameters()).map(ToString::to_string).collect()
}

fn rust(state: &State) -> String {
    let State { n, k, epsilon, .. } = state;
    let shape = match state.has_shape() {
        true => format!("Some(posterity_advice::Shape::new(vec![{}])?)", floats(&shares(state))),
        false => "None".to_owned(),
    };
    let prior =
        state.prior.as_ref().map(|_| format!("posterity::Prior::new(vec![{}])?", floats(&parameters(state))));
    if let Some(share) = state.share {
        let prior = prior.unwrap_or_else(|| format!("posterity::Prior::uniform({k})?"));
        return format!(
            "use posterity_advice::least::{{Goal, Situation, least_epsilon}};\nlet situation = Situation {{\n    prior: {prior},\n    n: {n},\n    \
             shape: {shape},\n    level: 0.95,\n}};\n\
             let found = least_epsilon(&situation, Goal::HalfWidth({share:?}), false, &|_| ())?;"
        );
    }
    let usual = format!("posterity::Terms::new(\"{epsilon}\".parse()?)");
    let terms = match prior {
        None => usual,
        Some(prior) => format!("posterity::Terms {{\n    prior: Some({prior}.into()),\n    ..{usual}\n}}"),
    };
    format!(
        "use posterity_advice::design::expected_half_widths;\nlet terms = {terms};\nlet setting = terms.setting({k}, {n})?;\n\
         let shape = {shape};\n\
         let widest = expected_half_widths(&terms.spec, &setting, shape.as_ref(), terms.level)?.widest();"
    )
}

/// Numbers as Rust writes them.
fn floats(numbers: &[String]) -> String {
    let whole = |number: &str| if number.contains(['.', 'e']) { "" } else { ".0" };
    numbers.iter().map(|number| number.clone() + whole(number)).collect::<Vec<_>>().join(", ")
}

/// Lines of one language, with a button to copy them.
fn block(name: &str, id: &str, text: &str) -> Markup {
    html! {
        div.line {
            h3 { (name) }
            pre id=(id) tabindex="0" { code { (text) } }
            button type="button" class="copy" data-copy=(id) hidden {
                "Copy"
                span.unseen { " the lines for " (name) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    #[test]
    fn lines_say_the_whole_plan() {
        let state = |query: &str| State::new(fields(query.as_bytes()).expect(query)).expect(query);
        let usual = state("n=500&k=3&e=0.5");
        assert_eq!(call(&usual).command(), "posterity advise --n 500 --k 3 --epsilon 0.5");
        let given = state("n=90&k=3&e=2&prior=0.5&shape=6, 1, 3");
        assert_eq!(
            call(&given).command(),
            "posterity advise --n 90 --prior 0.5,0.5,0.5 --epsilon 2 --shape 6,1,3"
        );
        assert!(
            call(&given)
                .python()
                .ends_with("posterity.advise(n=90, prior=[0.5, 0.5, 0.5], epsilon=2, shape=[6, 1, 3])")
        );
        assert!(rust(&given).contains("vec![6.0, 1.0, 3.0]"));
        let borne = state("n=90&k=2&w=12.5");
        assert_eq!(call(&borne).command(), "posterity advise --n 90 --k 2 --half-width 0.125");
        assert!(call(&borne).python().ends_with("posterity.advise(n=90, k=2, half_width=0.125)"));
        assert!(rust(&borne).contains("Goal::HalfWidth(0.125)") && rust(&borne).contains("shape: None"));
    }
}
