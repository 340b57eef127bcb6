//! The inputs of a form, made from the fields of a plan: a new field has its input without a change here.

use maud::{Markup, html};
use posterity::plan::{Field, Form, field};

use crate::answers::Answers;
use crate::sentence::sentence;

/// What people read in the place of the name of a field, and of its help. A field without words here has its name and the
/// help of the list.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "edition",
        "Its edition",
        "Leave it empty for a file that never changes. It is published, and tells this file from earlier ones of the same name, \
         whose answers the ledger has.",
    ),
    ("delimiter", "Between the fields of a CSV file stands", ""),
    ("encoding", "Its text is", ""),
    ("adjacency", "Is the number of people public?", ""),
    (
        "unit",
        "Column that tells people apart",
        "Leave it empty only if every person has one record. With it, all records of one person are protected together.",
    ),
    ("per-unit", "A person counts by", ""),
    (
        "where",
        "Count only records where",
        "The filter is published. If n is public, the number of records that pass it is published exactly: use it for what is \
         public about people only. If n is private, it may use any column.",
    ),
    (
        "within",
        "Ask only about records where",
        "All records count, those for which this is not true in a category of their own. Whether someone is among them is \
         protected: use it for what is private about people. It costs accuracy where few are.",
    ),
    ("most", "The most records there may be", ""),
    ("column", "Column", ""),
    ("columns", "Only these columns", ""),
    ("sets", "Which tables", ""),
    ("categories", "Its possible values", ""),
    ("bins", "Or the edges of bins", ""),
    (
        "aliases",
        "Other spellings",
        "One on each line: the value, an equals sign, and how else the file spells it. Geriatrics=GER counts GER as Geriatrics. \
         Capitals and blanks matter, also a blank at the end of a line.",
    ),
    (
        "labels",
        "Labels",
        "One on each line: the value, an equals sign, and the words that readers see beside it. 1=cured shows 1 (cured). Nothing \
         that is counted changes.",
    ),
    ("ordered", "The values have an order, in which they are written", ""),
    ("whole", "All numbers are whole, so that readers see 18 to 39 beside [18,40)", ""),
    ("other", "Count other values as", ""),
    (
        "missing",
        "Count missing values as",
        "Without these, values that are not declared and missing values are an error if n is public, and are left out if it is \
         private. Neither is an answer: shares are among the records whose value is known.",
    ),
    ("epsilon", "Epsilon", "Smaller protects more."),
    (
        "delta",
        "Delta",
        "The probability that the promise by epsilon fails: far below one part of as many as there are people.",
    ),
    (
        "allow-large-delta",
        "I mean a delta above 0.001: with a probability of up to delta everything about a person may be told",
        "",
    ),
    (
        "one-record-per-person",
        "Each person has at most one record, so that no column need tell them apart",
        "",
    ),
    (
        "total-epsilon",
        "Epsilon of the total",
        "Also says how many people there are in all, with this budget besides. Only then are there shares.",
    ),
    ("prior", "Prior", "Dirichlet parameters: one for all, or one for each. 1 is uniform."),
    ("prior-outside", "Prior of the records outside", ""),
    ("mechanism", "Mechanism", ""),
    ("decode", "From noisy counts to a posterior", ""),
    (
        "read",
        "Readings, one on each line",
        "outcome | ward is the share of each outcome within each ward, mean(score) | ward the mean of bins, outcome of all the share \
         among all, with those whose outcome is missing or other. Values with other signs stand in quotes: age=\"[18,40)\".",
    ),
    ("compare", "Comparisons, one on each line", "outcome=yes | ward: A - B is a difference, A / B a ratio."),
    ("level", "Level of the intervals", ""),
    ("interval-kind", "Intervals", ""),
    ("about", "What they are about", ""),
    ("simultaneous", "All intervals of a reading hold at once, and are wider for it", ""),
    ("schema", "Schema", ""),
    ("file", "File", ""),
    ("account", "Account that pays", ""),
    ("n", "Number of people, if it is known from public sources", ""),
];

/// What is shown in an input where nothing was typed.
const EXAMPLES: &[(&str, &str)] = &[
    ("edition", "2026"),
    ("where", "year = 2025"),
    ("within", "age >= 65"),
    ("categories", "yes, no"),
    ("bins", "0, 18, 65, 120"),
    ("aliases", "Geriatrics=GER"),
    ("labels", "1=cured"),
    ("prior", "1"),
    ("level", "0.95"),
    ("read", "outcome | ward"),
    ("compare", "outcome=yes | ward: A - B"),
];

/// What is wrong with what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// What is wrong, and what to do, as a sentence.
    pub(crate) why: String,
    /// The input that says it, if one does.
    pub(crate) input: Option<String>,
}

impl Wrong {
    pub(crate) fn at(input: &str, why: impl ToString) -> Self {
        Self { why: told(&sentence(why.to_string())), input: Some(input.to_owned()) }
    }
}

/// What is wrong with no input alone.
impl From<String> for Wrong {
    fn from(why: String) -> Self {
        Self { why: sentence(why), input: None }
    }
}

/// The inputs of a form with what was typed, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'a> {
    pub(crate) answers: &'a Answers,
    pub(crate) wrong: Option<&'a Wrong>,
}

impl Inputs<'_> {
    /// What is wrong, where it is read out at once, with the way to the input.
    pub(crate) fn alarm(&self) -> Markup {
        let Some(wrong) = self.wrong else { return Markup::default() };
        html! {
            p.wrong role="alert" {
                (wrong.why)
                @if let Some(input) = &wrong.input {
                    " " a href={ "#" (input) } { "Go to “" (label_of(input)) "”" }
                }
            }
        }
    }

    /// Whether what is wrong is in this input.
    pub(crate) fn is_wrong(&self, name: &str) -> bool {
        self.wrong.and_then(|wrong| wrong.input.as_deref()) == Some(name)
    }

    /// What is wrong with this input, to stand beside it.
    pub(crate) fn said(&self, name: &str) -> Markup {
        let why = self.wrong.filter(|_| self.is_wrong(name)).map(|wrong| &wrong.why);
        html! { @if let Some(why) = why { span.help.wrong-here id={ (name) "-wrong" } { (why) } } }
    }

    /// Whether one of these inputs is filled in, or wrong.
    pub(crate) fn any<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> bool {
        self.answers.any(names.clone()) || names.into_iter().any(|name| self.is_wrong(name))
    }

    /// The input of a field.
    pub(crate) fn field(&self, field: &Field) -> Markup {
        self.input(field, field.name, "", "")
    }

    /// The input of a field where this stands if nothing was typed.
    pub(crate) fn usual(&self, field: &Field, usual: &str) -> Markup {
        self.input(field, field.name, "", usual)
    }

    /// The input of a field for the column at a place; `of` is behind its label.
    pub(crate) fn of_column(&self, field: &Field, place: usize, of: &str) -> Markup {
        self.input(field, &format!("{}{place}", field.name), of, "")
    }

    fn input(&self, field: &Field, id: &str, of: &str, usual: &str) -> Markup {
        // What stands below all columns is not said at each.
        let is_said = id != field.name && ["categories", "bins", "other", "missing"].contains(&field.name);
        let help = if is_said { String::new() } else { help(field) };
        let example =
            EXAMPLES.iter().find(|(name, _)| *name == field.name).map_or("", |(_, example)| example);
        let typed = self.answers.get(id);
        let value = typed.unwrap_or(usual);
        let wrong = self.is_wrong(id).then_some("true");
        let described = [(!help.is_empty(), "help"), (wrong.is_some(), "wrong")];
        let described: Vec<String> =
            described.iter().filter(|(is, _)| *is).map(|(_, what)| format!("{id}-{what}")).collect();
        let described = (!described.is_empty()).then(|| described.join(" "));
        let label = html! { (label(field)) (of) };
        html! {
            @if let Form::Truth = field.form {
                p.check {
                    label {
                        input type="checkbox" id=(id) name=(id) value="yes" checked[typed.is_some()]
                            aria-describedby=[&described] aria-invalid=[wrong];
                        " " (label)
                    }
                    (self.said(id))
                    @if !help.is_empty() { span.help id={ (id) "-help" } { (help) } }
                }
            } @else {
                p {
                    label for=(id) { (label) }
                    @match field.form {
                        Form::Choice(choices) => {
                            select id=(id) name=(id) aria-describedby=[&described] aria-invalid=[wrong] {
                                option value="" { "as usual" @if let Some(usual) = usual_of(field) { ": " (usual) } }
                                @for (name, words) in choices() {
                                    option value=(name) selected[name == value] { (name) ": " (words) }
                                }
                            }
                        },
                        Form::Texts => {
                            textarea id=(id) name=(id) rows="2" spellcheck="false" placeholder=(example)
                                aria-describedby=[&described] aria-invalid=[wrong] { (value) }
                        },
                        form => {
                            input id=(id) name=(id) value=(value) placeholder=[(!example.is_empty()).then_some(example)]
                                inputmode=[matches!(form, Form::Number).then_some("decimal")]
                                aria-describedby=[&described] aria-invalid=[wrong];
                        },
                    }
                    (self.said(id))
                    @if !help.is_empty() { span.help id={ (id) "-help" } { (help) } }
                }
            }
        }
    }
}

/// What a field is called in forms.
pub(crate) fn label(field: &Field) -> String {
    words(field.name).map_or_else(
        || posterity_present::words::capital(&field.name.replace('-', " ")),
        |(label, _)| label.to_owned(),
    )
}

/// What an input is called, which may be that of a column.
fn label_of(input: &str) -> String {
    let name = input.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match (words(name), field(name)) {
        (Some((label, _)), _) => label.to_owned(),
        (None, Some(field)) => label(field),
        (None, None) => input.to_owned(),
    }
}

fn words(name: &str) -> Option<(&'static str, &'static str)> {
    WORDS.iter().find(|(known, ..)| *known == name).map(|(_, label, help)| (*label, *help))
}

/// What a field is for, in the words of forms.
fn help(field: &Field) -> String {
    match words(field.name) {
        Some((_, help)) if !help.is_empty() => help.to_owned(),
        // A box that says all of it needs no help.
        Some((label, _)) if matches!(field.form, Form::Truth) && label.len() > 30 => String::new(),
        _ => {
            let said = field.help.split(" [default: ").next().unwrap_or_default();
            match (usual_of(field), field.form) {
                // The choice has it already.
                (Some(_), Form::Choice(_)) if said.len() < 40 => String::new(),
                (Some(usual), form) if !matches!(form, Form::Choice(_)) => {
                    told(&format!("{said}. If it is left empty: {usual}."))
                }
                _ => told(said) + ".",
            }
        }
    }
}

/// What holds where nothing is said, if the help of a field says it.
fn usual_of(field: &Field) -> Option<&'static str> {
    field.help.split_once("[default: ")?.1.split(']').next()
}

/// A text with the names of fields as forms have them.
pub(crate) fn told(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match field(part) {
        Some(field) if index % 2 == 1 => format!("“{}”", label(field)),
        _ if index % 2 == 1 => format!("`{part}`"),
        _ => part.to_owned(),
    });
    parts.collect()
}
