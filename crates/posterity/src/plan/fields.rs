//! The fields of a plan: one list, from which plans are read and every front takes its arguments.

use posterity_core::decode::Decoder;
use posterity_core::model::{Adjacency, MAX_TOTAL, interval_level};
use posterity_count::Relation;

use super::error::PlanError;
use super::keys::Item;
use super::node::Node;
use super::said::{Labels, PlanPrior, Said};
use super::sizes::WrittenSizes;
use crate::table::{IntervalKind, Subject};

/// One thing that a plan can say.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, which is also its key in a plan, its flag, and with `_` its argument in Python and R.
    pub name: &'static str,
    /// What its value is called, in capital letters.
    pub value: &'static str,
    /// What it changes.
    pub layer: Layer,
    /// Where it may stand.
    pub places: &'static [Place],
    /// Whether every kind of release has it. Otherwise those have it that name it, or bring it.
    pub every_kind: bool,
    /// How it is written.
    pub form: Form,
    /// What it is for. Names of other fields stand in backquotes, as each front writes them.
    pub help: &'static str,
    pub(crate) read: fn(&Item<'_>, &mut Said) -> Result<(), PlanError>,
}

/// A field that a kind of release brings, which is read with its questions.
#[derive(Clone, Copy, Debug)]
pub struct OwnField {
    /// The field that it follows in help.
    pub after: &'static str,
    /// The field.
    pub field: Field,
}

/// What a field changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// What is drawn, or what it is about. It is part of the question that a ledger knows.
    Law,
    /// How it is read, which may be chosen again afterwards and costs nothing.
    Reading,
    /// What it is called, and what its author expects: a plan may say it, and a single release has no need of it.
    Words,
}

/// Where a field may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In the plan itself, for all that it asks.
    Plan,
    /// In one question.
    Ask,
    /// In what is declared of a column.
    Column,
}

/// How a field is written, by those who only have text.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Text.
    Text,
    /// One of a few texts, each with what it means.
    Choice(fn() -> Vec<(&'static str, &'static str)>),
    /// A number.
    Number,
    /// Numbers, with commas between them.
    Numbers,
    /// Texts, with commas between them.
    List,
    /// Texts, one by one.
    Texts,
    /// True or false.
    Truth,
}

impl Field {
    /// The outermost place where it may stand.
    #[must_use]
    pub fn outermost(&self) -> Option<Place> {
        self.places.iter().min_by_key(|place| **place as u8).copied()
    }

    /// Whether a single release says it by one value that stands by itself. The rest a front asks for in its own way, or not
    /// at all: where the records are, what belongs to their columns, and what only a plan of several questions has, which are
    /// words and the share of the budget.
    ///
    /// ```
    /// use posterity::plan::field;
    /// let stands_alone = |name| field(name).is_some_and(|field| field.stands_alone());
    /// assert!(stands_alone("epsilon") && stands_alone("read"));
    /// assert!(!stands_alone("title") && !stands_alone("columns") && !stands_alone("aliases"));
    /// ```
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        let with_others = ["source", "share", "columns", "column", "categories"].contains(&self.name);
        !with_others && self.layer != Layer::Words && self.outermost() != Some(Place::Column)
    }
}

impl Form {
    /// A text as a value of this form. What is wrong with it is told when the plan is read.
    ///
    /// ```
    /// use posterity::plan::{Form, Node};
    /// assert_eq!(Form::Numbers.node("1, 0.5"), Node::list([Node::number("1"), Node::number("0.5")]));
    /// ```
    #[must_use]
    pub fn node(self, text: &str) -> Node {
        match self {
            Self::Number => Node::digits(text),
            Self::Numbers if text.contains([',', '\n']) => {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                Node::list(lines.flat_map(|line| line.split(',')).map(Node::digits))
            }
            Self::Numbers => Node::digits(text),
            Self::List => Node::list(text.split(',').map(|part| Node::text(part.trim()))),
            Self::Truth => (text != "false").into(),
            Self::Text | Self::Texts | Self::Choice(_) => Node::text(text),
        }
    }
}

/// Said of a delta that is none.
pub(super) const NO_DELTA: &str = "write a number strictly between 0 and 1, far below one part of as many as there are people, such as 1e-9";

const PLAN: &[Place] = &[Place::Plan];
pub(crate) const ASK: &[Place] = &[Place::Ask];
const BOTH: &[Place] = &[Place::Plan, Place::Ask];
const EVERYWHERE: &[Place] = &[Place::Plan, Place::Ask, Place::Column];
const COLUMN: &[Place] = &[Place::Column];

/// The fields that several kinds have, in the order in which help lists them.
pub(super) const SHARED: &[Field] = &[
    Field {
        name: "title",
        value: "TEXT",
        layer: Layer::Words,
        places: BOTH,
        every_kind: true,
        form: Form::Text,
        help: "The heading of a report",
        read: |item, said| set(&mut said.title, item.text()),
    },
    Field {
        name: "description",
        value: "TEXT",
        layer: Layer::Words,
        places: BOTH,
        every_kind: true,
        form: Form::Text,
        help: "What it is about, in a paragraph for the readers of a report",
        read: |item, said| set(&mut said.description, item.text()),
    },
    Field {
        name: "source",
        value: "FILE",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "The records: a CSV, TSV, JSON, Parquet, Arrow or SQLite file, a folder of such files, or a glob; or the name of \
               data in memory",
        read: |item, said| set(&mut said.source, item.text()),
    },
    Field {
        name: "input-format",
        value: "FORMAT",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "Read the files as csv, tsv, json, parquet, arrow or sqlite, whatever their names",
        read: |item, said| set(&mut said.input_format, item.parsed()),
    },
    Field {
        name: "table",
        value: "NAME",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "The table of a database whose rows are the records: of a SQLite file, or of PostgreSQL, there as visits or \
               schema.visits, in the schema public if none is named",
        read: |item, said| set(&mut said.relation, item.text().map(Relation::Table)),
    },
    Field {
        name: "view",
        value: "NAME",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "In place of `table`: a view of a database, with `unit`. A join spreads one person over many rows, so the release \
               promises privacy only if each row of the view depends on one unit only and never fails, which you must know",
        read: |item, said| match said.relation {
            Some(Relation::Table(_)) => Err(item.wrong("name a table or a view, and not both")),
            _ => set(&mut said.relation, item.text().map(Relation::View)),
        },
    },
    Field {
        name: "delimiter",
        value: "C",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "Character between the fields of a CSV file [default: comma, or tab for TSV]",
        read: |item, said| set(&mut said.delimiter, item.letter()),
    },
    Field {
        name: "encoding",
        value: "NAME",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "Encoding of CSV, TSV and JSON files: windows-1252, utf-16 (with a byte order mark), utf-16le or utf-16be \
               [default: utf-8]",
        read: |item, said| set(&mut said.encoding, item.parsed()),
    },
    Field {
        name: "edition",
        value: "TEXT",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "What tells this edition of the data from others, such as 2026. It is published, and part of the question that a \
               ledger knows: a file that changes keeps its name",
        read: |item, said| set(&mut said.edition, item.name()),
    },
    Field {
        name: "where",
        value: "SQL",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "Count only records for which this condition is true, such as \"age > 30 AND sex = 'f'\" or \"day < DATE \
               '2025-01-31'\". The condition is published. With add-remove for `adjacency` it may use any column: who passes it \
               is protected. With replace, n is published, the number of records that pass it, exactly and at any epsilon: use \
               it for what is public about people only (year, site). For what is private about people use `within`, or make it \
               a `column`",
        read: |item, said| set(&mut said.filter, item.text()),
    },
    Field {
        name: "within",
        value: "SQL",
        layer: Layer::Law,
        places: PLAN,
        every_kind: false,
        form: Form::Text,
        help: "Count all records, those for which this condition is not true in a category of their own, \"outside\", which is \
               the last. So n is the number of all records, and whether someone is within is protected: use it for what is \
               private about people (age, income, a diagnosis). It costs accuracy where few are within. In `prior`, the last \
               of several parameters is that of \"outside\"",
        read: |item, said| set(&mut said.within, item.text()),
    },
    Field {
        name: "unit",
        value: "COLUMN",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "Protect all records of one value of this column together, such as a person; each counts once. Without it each \
               record is protected by itself: if people have several records, use `unit`",
        read: |item, said| set(&mut said.unit, item.text()),
    },
    Field {
        name: "per-unit",
        value: "RULE",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Text,
        help: "By which of its records a unit counts: random (one drawn uniformly), first (the category that is declared \
               first), mode (the most frequent category), or \"latest COLUMN\" (the last by that column) [default: random]. With \
               add-remove for `adjacency` also \"all K\": every record, or K of them drawn at random where there are more; the \
               noise is K times as wide",
        read: |item, said| match said.unit {
            None => Err(item.wrong("this is for units; say with `unit` which column tells them apart")),
            Some(_) => set(&mut said.per_unit, item.parsed()),
        },
    },
    Field {
        name: "adjacency",
        value: "NAME",
        layer: Layer::Law,
        places: PLAN,
        every_kind: false,
        form: Form::Choice(adjacencies),
        help: "What is protected: with replace, what any one record says, and n, the number of records, is public; with \
               add-remove, also whether anyone is in the data at all, and n is private. Then values that are not declared and \
               missing values are left out, and `where` may use any column [default: replace]",
        read: |item, said| set(&mut said.adjacency, item.parsed()),
    },
    Field {
        name: "most",
        value: "N",
        layer: Layer::Law,
        places: PLAN,
        every_kind: false,
        form: Form::Number,
        help: "With add-remove for `adjacency`: the most records that readings assume. It is published. Data with more records \
               are released all the same [default: 10000000000]",
        read: |item, said| {
            if said.adjacency.unwrap_or_default() == Adjacency::Replace {
                return Err(item.wrong("n is public here; this is for add-remove as `adjacency`"));
            }
            match item.digits()?.parse() {
                Ok(most) if (1..=MAX_TOTAL).contains(&most) => set(&mut said.most, Ok(most)),
                _ => Err(item.wrong(format!("write a whole number from 1 to {MAX_TOTAL}"))),
            }
        },
    },
    Field {
        name: "name",
        value: "NAME",
        layer: Layer::Words,
        places: ASK,
        every_kind: true,
        form: Form::Text,
        help: "The name of a question, which is also that of its files",
        read: |item, said| set(&mut said.name, item.text()),
    },
    Field {
        name: "share",
        value: "SHARE",
        layer: Layer::Law,
        places: ASK,
        every_kind: true,
        form: Form::Number,
        help: "How much of the budget of all questions this one gets, beside the shares of the others [default: 1]",
        read: |item, said| set(&mut said.share, item.positive()),
    },
    Field {
        name: "columns",
        value: "NAMES",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::List,
        help: "The columns that are counted together",
        read: |item, said| {
            let names = item.list().iter().map(Item::text).collect::<Result<Vec<_>, _>>();
            set(&mut said.columns, names)
        },
    },
    Field {
        name: "categories",
        value: "LIST",
        layer: Layer::Law,
        places: &[Place::Column, Place::Ask],
        every_kind: false,
        form: Form::List,
        help: "The possible values of the column, separated by commas, once for each column. Where nobody can list them, \
               `posterity discover` names those that occur often enough",
        read: |item, said| {
            let labels = item.list().iter().map(Item::label).collect::<Result<Vec<_>, _>>();
            set(&mut said.categories, labels)
        },
    },
    Field {
        name: "bins",
        value: "EDGES",
        layer: Layer::Law,
        places: COLUMN,
        every_kind: false,
        form: Form::Numbers,
        help: "Sort the numbers of the column into bins between these edges: 0,18,65 makes [0,18) and [18,65); in the place of \
               `categories`",
        read: |item, said| {
            let edges = item.list().iter().map(Item::digits).collect::<Result<Vec<_>, _>>()?;
            set(&mut said.bins, posterity_count::Bins::new(edges).map_err(|error| item.wrong(error)))
        },
    },
    Field {
        name: "aliases",
        value: "CATEGORY=ALIAS",
        layer: Layer::Law,
        places: COLUMN,
        every_kind: false,
        form: Form::Texts,
        help: "Count this spelling of a value as the category: 'Geriatrics=GER'; say it several times for several. A spelling \
               stands for one category, is no category itself, and is taken as it is written, with blanks and capitals",
        read: |item, said| set(&mut said.aliases, item.aliases()),
    },
    Field {
        name: "labels",
        value: "CATEGORY=WORDS",
        layer: Layer::Words,
        places: COLUMN,
        every_kind: false,
        form: Form::Texts,
        help: "Show these words beside a category: '1=cured'; say it several times for several. It changes nothing that is \
               counted",
        read: |item, said| set(&mut said.labels, item.labels()),
    },
    Field {
        name: "ordered",
        value: "YES",
        layer: Layer::Reading,
        places: COLUMN,
        every_kind: false,
        form: Form::Truth,
        help: "The categories have an order, in which they are declared. Bins always have one",
        read: |item, said| set(&mut said.ordered, item.truth()),
    },
    Field {
        name: "whole",
        value: "YES",
        layer: Layer::Words,
        places: COLUMN,
        every_kind: false,
        form: Form::Truth,
        help: "The column holds whole numbers only, so that its bins are labelled by the first and the last of them: 18 to 39 for \
               [18,40). Nothing checks that",
        read: |item, said| set(&mut said.whole, item.truth()),
    },
    Field {
        name: "other",
        value: "NAME",
        layer: Layer::Law,
        places: EVERYWHERE,
        every_kind: false,
        form: Form::Text,
        help: "Count values that are not declared as this category, which is no answer: shares are among the others. Without it \
               they are an error, or left out with add-remove for `adjacency`",
        read: |item, said| set(&mut said.other, Labels::read(item)),
    },
    Field {
        name: "missing",
        value: "NAME",
        layer: Layer::Law,
        places: EVERYWHERE,
        every_kind: true,
        form: Form::Text,
        help: "Count missing values as this category, which is no answer: shares are among the records whose value is known. \
               Without it they are an error, or left out with add-remove for `adjacency`",
        read: |item, said| set(&mut said.missing, Labels::read(item)),
    },
    Field {
        name: "epsilon",
        value: "EPSILON",
        layer: Layer::Law,
        places: PLAN,
        every_kind: true,
        form: Form::Number,
        help: "Privacy budget of all that is asked: smaller is more private",
        read: |item, said| set(&mut said.epsilon, item.budget()),
    },
    Field {
        name: "delta",
        value: "DELTA",
        layer: Layer::Law,
        places: PLAN,
        every_kind: false,
        form: Form::Number,
        help: "The probability with which the promise may fail, such as 1e-9: far below one part of as many as there are people",
        read: |item, said| set(&mut said.delta, item.digits()?.parse().map_err(|_| item.wrong(NO_DELTA))),
    },
    Field {
        name: "allow-large-delta",
        value: "YES",
        layer: Layer::Law,
        places: PLAN,
        every_kind: false,
        form: Form::Truth,
        help: "State that a delta above 0.001 is meant: with a probability of up to delta everything about a person may be told",
        read: |item, said| set(&mut said.allow_large_delta, item.truth()),
    },
    Field {
        name: "prior",
        value: "LIST",
        layer: Layer::Law,
        places: BOTH,
        every_kind: false,
        form: Form::Numbers,
        help: "Dirichlet parameters of the public prior: one number for all categories, or one for each [default: 1; with \
               add-remove for `adjacency`, where they sum to 1, one part of as many as there are categories]",
        read: |item, said| set(&mut said.prior, PlanPrior::read(item)),
    },
    Field {
        name: "prior-outside",
        value: "NUMBER",
        layer: Layer::Law,
        places: BOTH,
        every_kind: false,
        form: Form::Number,
        help: "With `within`: the parameter of the category \"outside\" in `prior`, which says how many are expected outside",
        read: |item, said| set(&mut said.prior_outside, item.float()),
    },
    Field {
        name: "mechanism",
        value: "MECHANISM",
        layer: Layer::Law,
        places: BOTH,
        every_kind: false,
        form: Form::Text,
        help: "How to draw the release [default: lattice, or geometric with add-remove for `adjacency`]",
        read: |item, said| set(&mut said.spec, item.parsed()),
    },
    Field {
        name: "decode",
        value: "NAME",
        layer: Layer::Reading,
        places: BOTH,
        every_kind: false,
        form: Form::Choice(decoders),
        help: "How noisy counts become a posterior; costs no privacy [default: projection for lattice, none for the others]",
        read: |item, said| set(&mut said.decoder, item.parsed()),
    },
    Field {
        name: "rate",
        value: "READING",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::Text,
        help: "Ask for this share within groups: 'cured=yes | ward, age'. Its columns are counted together, and it is read. It stands in \
               the place of the names of columns; their values are declared as for any release",
        read: |item, said| {
            let rate = item.reading()?;
            if rate.columns().is_empty() {
                return Err(
                    item.wrong("this names no column; write a share within groups, such as cured=yes | ward")
                );
            }
            set(&mut said.rate, Ok(rate))
        },
    },
    Field {
        name: "read",
        value: "READING",
        layer: Layer::Reading,
        places: ASK,
        every_kind: false,
        form: Form::Texts,
        help: "Show these shares or means: 'outcome | ward', 'ward in {A, B}', 'mean(score) | ward'; say it several times for \
               several. It costs no privacy; `posterity read --help` shows all forms [default: all cells, and each column by \
               itself]",
        read: |item, said| set(&mut said.readings, item.list().iter().map(Item::reading).collect()),
    },
    Field {
        name: "compare",
        value: "COMPARISON",
        layer: Layer::Reading,
        places: ASK,
        every_kind: false,
        form: Form::Texts,
        help: "Compare two shares: 'outcome=yes | ward: A - B', or 'independence(outcome, ward)'; say it several times for \
               several. It costs no privacy",
        read: |item, said| set(&mut said.comparisons, item.list().iter().map(Item::comparison).collect()),
    },
    Field {
        name: "test",
        value: "TEST",
        layer: Layer::Reading,
        places: ASK,
        every_kind: false,
        form: Form::Texts,
        help: "Test what the population is like: 'independence: outcome, ward', 'equal: outcome=yes | ward', 'trend: outcome=yes | \
               age', 'share: cured=yes = 0.8'; say it several times for several. It costs no privacy",
        read: |item, said| set(&mut said.tests, item.list().iter().map(Item::test).collect()),
    },
    Field {
        name: "level",
        value: "P",
        layer: Layer::Reading,
        places: BOTH,
        every_kind: true,
        form: Form::Number,
        help: "Level of the intervals, between 0 and 1 [default: 0.95]",
        read: |item, said| {
            set(&mut said.level, interval_level(item.float()?).map_err(|error| item.wrong(error)))
        },
    },
    Field {
        name: "interval-kind",
        value: "KIND",
        layer: Layer::Reading,
        places: BOTH,
        every_kind: false,
        form: Form::Choice(interval_kinds),
        help: "Which intervals to show [default: confidence]",
        read: |item, said| set(&mut said.interval, item.parsed()),
    },
    Field {
        name: "about",
        value: "WHAT",
        layer: Layer::Reading,
        places: BOTH,
        every_kind: false,
        form: Form::Choice(subjects),
        help: "What the intervals are about [default: population]",
        read: |item, said| set(&mut said.about, item.parsed()),
    },
    Field {
        name: "simultaneous",
        value: "YES",
        layer: Layer::Reading,
        places: BOTH,
        every_kind: false,
        form: Form::Truth,
        help: "Widen the intervals of each reading so that all of its rows hold at once, and not each by itself. Of 100 \
               intervals of 95 %, about 5 miss; simultaneous ones all hold in at least 95 of 100 releases",
        read: |item, said| set(&mut said.simultaneous, item.truth()),
    },
    Field {
        name: "shape",
        value: "SIZES",
        layer: Layer::Words,
        places: PLAN,
        every_kind: false,
        form: Form::Texts,
        help: "How large the groups of a column are expected to be, 'ward=50,24,16,10', in any unit. Forecasts use it, and nothing \
               that is drawn. Take the sizes from public sources: the plan is public, and so would be sizes counted in the data \
               [default: all alike]",
        read: |item, said| set(&mut said.shape, WrittenSizes::read(item)),
    },
];

impl Said {
    /// Reads these fields. `beside` are other keys that the table may have; `called` says what it is.
    pub(crate) fn read(
        mut self,
        item: &Item<'_>,
        fields: &[&'static Field],
        (beside, called): (&[&'static str], &str),
    ) -> Result<Self, PlanError> {
        let known: Vec<&'static str> =
            fields.iter().map(|field| field.name).chain(beside.iter().copied()).collect();
        item.refuse_unknown(&known, called)?;
        for field in fields {
            if let Some(item) = item.get(field.name) {
                (field.read)(&item, &mut self)?;
            }
        }
        Ok(self)
    }
}

fn set<T>(place: &mut Option<T>, read: Result<T, PlanError>) -> Result<(), PlanError> {
    *place = Some(read?);
    Ok(())
}

fn adjacencies() -> Vec<(&'static str, &'static str)> {
    let means = |adjacency: Adjacency| match adjacency {
        Adjacency::Replace => "n is public",
        Adjacency::AddRemove => "whether anyone is in the data at all is protected",
    };
    Adjacency::ALL.map(|one| (one.name(), means(one))).to_vec()
}

fn decoders() -> Vec<(&'static str, &'static str)> {
    Decoder::ALL.iter().map(|one| (one.as_str(), one.summary())).collect()
}

fn interval_kinds() -> Vec<(&'static str, &'static str)> {
    let all = [IntervalKind::Confidence, IntervalKind::Credible, IntervalKind::Shortest];
    all.map(|kind| (kind.word(), kind.promise())).to_vec()
}

fn subjects() -> Vec<(&'static str, &'static str)> {
    [Subject::Population, Subject::Records].map(|subject| (subject.word(), subject.choice())).to_vec()
}
