//! The same plan in other places: as a command, in Python, in Rust.

use posterity::plan::Truth;

use super::state::State;
use crate::html;

/// The command that prints the numbers of this plan.
pub(crate) fn command(state: &State) -> String {
    let size = if state.typed.prior.is_empty() {
        format!("--k {}", state.k)
    } else {
        format!("--prior {}", list(state))
    };
    let shape = match state.truth {
        Truth::Shape(_) => format!(" --shape {}", state.typed.shape.replace(' ', "")),
        _ => String::new(),
    };
    match state.share {
        // The search is for the expected shares that the page assumes.
        Some(share) => {
            format!("posterity advise --n {} {size} --half-width {share} --shape {}", state.n, shares(state))
        }
        None => format!("posterity advise --n {} {size} --epsilon {}{shape}", state.n, state.epsilon),
    }
}

/// The expected shares as they are typed; equal ones if none were.
fn shares(state: &State) -> String {
    match state.truth {
        Truth::Shape(_) => state.typed.shape.replace(' ', ""),
        _ => vec!["1"; state.k].join(","),
    }
}

fn list(state: &State) -> String {
    let parameters = state.prior.iter().flat_map(|prior| prior.parameters()).map(ToString::to_string);
    parameters.collect::<Vec<_>>().join(",")
}

fn python(state: &State) -> String {
    let size = if state.typed.prior.is_empty() {
        format!("k={}", state.k)
    } else {
        format!("prior=[{}]", list(state).replace(',', ", "))
    };
    let shape = match state.truth {
        Truth::Shape(_) => format!(", shape=[{}]", state.typed.shape),
        _ => String::new(),
    };
    match state.share {
        Some(share) => format!(
            "import posterity\nposterity.advise(n={}, {size}, half_width={share}, shape=[{}])",
            state.n,
            shares(state).replace(',', ", ")
        ),
        None => format!(
            "import posterity\nposterity.advise(n={}, {size}, epsilon={}{shape})",
            state.n, state.epsilon
        ),
    }
}

fn rust(state: &State) -> String {
    if let Some(share) = state.share {
        let prior = if state.typed.prior.is_empty() {
            format!("posterity::Prior::uniform({})?", state.k)
        } else {
            format!("posterity::Prior::new(vec![{}])?", floats(&list(state)))
        };
        return format!(
            "use posterity::least::{{Goal, Situation, least_epsilon}};\nlet situation = Situation {{\n    prior: {prior},\n    n: {},\n    \
             shape: Some(posterity::Shape::new(vec![{}])?),\n    level: 0.95,\n}};\n\
             let found = least_epsilon(&situation, Goal::HalfWidth({share:?}), false, &|_| ())?;",
            state.n,
            floats(&shares(state))
        );
    }
    let terms = if state.typed.prior.is_empty() {
        format!("let terms = posterity::Terms::new(\"{}\".parse()?);", state.epsilon)
    } else {
        let prior = format!("posterity::Prior::new(vec![{}])?", floats(&list(state)));
        format!(
            "let terms = posterity::Terms {{\n    prior: Some({prior}),\n    ..posterity::Terms::new(\"{}\".parse()?)\n}};",
            state.epsilon
        )
    };
    let truth = match state.truth {
        Truth::Shape(_) => {
            format!("Truth::Shape(posterity::Shape::new(vec![{}])?)", floats(&state.typed.shape))
        }
        _ => "Truth::Even".to_owned(),
    };
    format!(
        "use posterity::plan::{{Truth, expected_half_width}};\n{terms}\nlet request = terms.request({}, {}, &|_| ())?;\n\
         let widest = expected_half_width(&request, &{truth})?.widest();",
        state.k, state.n
    )
}

/// Numbers as Rust writes them.
pub(super) fn floats(list: &str) -> String {
    let parts = list.split(',').map(|part| part.trim());
    let parts =
        parts.map(|part| if part.contains(['.', 'e']) { part.to_owned() } else { format!("{part}.0") });
    parts.collect::<Vec<_>>().join(", ")
}

/// Lines of one language, with a button to copy them.
pub(crate) fn block(name: &str, id: &str, text: &str) -> String {
    format!(
        "<div class=\"line\"><h3>{name}</h3><pre id=\"{id}\" tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" data-copy=\"{id}\" hidden>Copy<span class=\"unseen\"> the lines for {name}\
         </span></button></div>",
        html::text(text)
    )
}

/// All three.
pub(crate) fn all(state: &State) -> String {
    [
        block("Command", "line-command", &command(state)),
        block("Python", "line-python", &python(state)),
        block("Rust", "line-rust", &rust(state)),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::fields;

    #[test]
    fn lines_say_the_whole_plan() {
        let state = |query: &str| State::new(fields(query.as_bytes()).expect(query)).expect(query);
        let usual = state("n=500&k=3&e=0.5");
        assert_eq!(command(&usual), "posterity advise --n 500 --k 3 --epsilon 0.5");
        let given = state("n=90&k=3&e=2&prior=0.5&shape=6, 1, 3");
        assert_eq!(command(&given), "posterity advise --n 90 --prior 0.5,0.5,0.5 --epsilon 2 --shape 6,1,3");
        assert!(
            python(&given)
                .ends_with("posterity.advise(n=90, prior=[0.5, 0.5, 0.5], epsilon=2, shape=[6, 1, 3])")
        );
        assert!(rust(&given).contains("vec![6.0, 1.0, 3.0]"));
        let borne = state("n=90&k=2&w=12.5");
        assert_eq!(command(&borne), "posterity advise --n 90 --k 2 --half-width 0.125 --shape 1,1");
        assert!(python(&borne).ends_with("posterity.advise(n=90, k=2, half_width=0.125, shape=[1, 1])"));
        assert!(rust(&borne).contains("Goal::HalfWidth(0.125)") && rust(&borne).contains("vec![1.0, 1.0]"));
    }
}
