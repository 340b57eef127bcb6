//! The columns and what they may hold, declared by flags or by a schema. Nothing is learned from the data.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use posterity::data::Column;
use posterity::margins::Which;
use posterity::plan::{Form, Node, PlanError, PlanProblem, Value, columns_of, needed_fields};
use posterity::text_file::read_text;
use posterity_core::model::CategoriesError;

use crate::failure::Failure;

/// The columns and what they may hold.
#[derive(Debug, Args)]
pub(crate) struct DeclaredArgs {
    /// Column that holds the categories; repeat the flag to take several columns together
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    column: Vec<String>,

    /// The possible values of the column, separated by commas, once for each column; with --counts the names of the
    /// categories, numbers if not given. Where nobody can list them, `posterity discover` names those that occur often
    /// enough
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    categories: Vec<String>,

    /// The same from a file with one value per line
    #[arg(long, value_name = "FILE")]
    categories_file: Vec<PathBuf>,

    /// Sort the numbers of the column into bins between these edges: 0,18,65 makes [0,18) and [18,65); in the place of
    /// --categories
    #[arg(long, value_name = "EDGES", allow_hyphen_values = true)]
    bins: Vec<String>,

    /// A Table Schema that declares the values of columns, by enum, categories, the type boolean, or for numbers by bins,
    /// a list of edges. What stands after a --column comes first. `posterity margins` takes all columns that it declares
    /// unless --column picks some
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Count values that are not declared as this category, which is no answer: shares are among the others. Without it
    /// they are an error, or left out with --adjacency add-remove. After a --column it is for that column only, and before
    /// the first one for all of them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    other: Vec<String>,

    /// Count missing values as this category, which is no answer: shares are among the records whose value is known.
    /// Without it they are an error, or left out with --adjacency add-remove. After a --column it is for that column only,
    /// and before the first one for all of them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    missing: Vec<String>,

    /// Count this spelling of a value as the category, for the column of the --column before it; repeat the flag for several.
    /// It is taken as it is written: --alias 'Geriatrics=Geriatrics ' takes a blank at the end
    #[arg(long, value_name = "CATEGORY=ALIAS", allow_hyphen_values = true)]
    alias: Vec<String>,

    /// Show these words beside a category of the column of the --column before it, as in --label 1=cured; repeat the flag for
    /// several. It changes nothing that is counted
    #[arg(long, value_name = "CATEGORY=WORDS", allow_hyphen_values = true)]
    label: Vec<String>,

    /// The categories of the column of the --column before it have an order, in which they are declared. Bins always have one
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    ordered: Vec<bool>,

    /// The column of the --column before it holds whole numbers only, so that its bins are labelled by the first and the last
    /// of them: 18 to 39 for [18,40). Nothing checks that
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    whole: Vec<bool>,

    /// What --categories, --categories-file and --bins declare, in the order in which they were given, each with the
    /// place of the column before it.
    #[arg(skip)]
    declared: Vec<(Option<usize>, Declared)>,

    /// After which column each --other and --missing stands.
    #[arg(skip)]
    labelled: [Vec<Option<usize>>; 2],

    /// What --alias, --label, --ordered and --whole say, by the key of a plan, with the place of the column before it.
    #[arg(skip)]
    spelled: Vec<(Option<usize>, &'static str, Node)>,
}

/// What is declared for one column.
#[derive(Clone, Debug)]
enum Declared {
    /// Values, separated by commas.
    Categories(String),
    /// A file of values.
    File(PathBuf),
    /// Edges of bins, separated by commas.
    Bins(String),
}

impl DeclaredArgs {
    /// Brings the declarations of columns into the order in which they were given.
    pub(crate) fn order(&mut self, matches: &ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let lists = self.categories.iter().cloned().map(Declared::Categories);
        let files = self.categories_file.iter().cloned().map(Declared::File);
        let bins = self.bins.iter().cloned().map(Declared::Bins);
        let mut all: Vec<(usize, Declared)> = places("categories").into_iter().zip(lists).collect();
        all.extend(places("categories_file").into_iter().zip(files));
        all.extend(places("bins").into_iter().zip(bins));
        all.sort_by_key(|(place, _)| *place);
        let columns = places("column");
        let after = |place: usize| columns.iter().rposition(|column| *column < place);
        self.declared = all.into_iter().map(|(place, declared)| (after(place), declared)).collect();
        self.labelled = ["other", "missing"].map(|id| places(id).into_iter().map(after).collect());
        let mut spelled = |id: &str, key: &'static str, nodes: Vec<Node>| {
            let said = places(id).into_iter().zip(nodes);
            self.spelled.extend(said.map(|(place, node)| (after(place), key, node)));
        };
        spelled("alias", "aliases", self.alias.iter().map(Node::text).collect());
        spelled("label", "labels", self.label.iter().map(Node::text).collect());
        spelled("ordered", "ordered", self.ordered.iter().map(|&truth| truth.into()).collect());
        spelled("whole", "whole", self.whole.iter().map(|&truth| truth.into()).collect());
    }

    /// How the values of a column are spelled, as it is written in a plan.
    fn spelling(&self, column: usize) -> Result<Vec<(&'static str, Node)>, Failure> {
        if let Some((_, key, _)) = self.spelled.iter().find(|(after, ..)| after.is_none()) {
            return Err(Failure::usage(flag_of_key(key), "write this after the --column that it is for"));
        }
        let said = |wanted: &'static str| {
            let all = self.spelled.iter();
            let here = all.filter(move |(after, key, _)| *after == Some(column) && *key == wanted);
            here.map(|(_, _, node)| node.clone()).collect::<Vec<_>>()
        };
        let mut all = Vec::new();
        for key in ["aliases", "labels"] {
            let texts = said(key);
            all.extend((!texts.is_empty()).then(|| (key, Node::list(texts))));
        }
        for key in ["ordered", "whole"] {
            match said(key).as_slice() {
                [] => {}
                [truth] => all.push((key, truth.clone())),
                _ => {
                    return Err(Failure::usage(
                        flag_of_key(key),
                        "this is given twice for one column; give it once",
                    ));
                }
            }
        }
        Ok(all)
    }

    /// The flags that are given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 11] {
        [
            ("--column", !self.column.is_empty()),
            ("--categories", !self.categories.is_empty()),
            ("--categories-file", !self.categories_file.is_empty()),
            ("--bins", !self.bins.is_empty()),
            ("--schema", self.schema.is_some()),
            ("--other", !self.other.is_empty()),
            ("--missing", !self.missing.is_empty()),
            ("--alias", !self.alias.is_empty()),
            ("--label", !self.label.is_empty()),
            ("--ordered", !self.ordered.is_empty()),
            ("--whole", !self.whole.is_empty()),
        ]
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.column
    }

    /// The schema, as it is written in a plan.
    pub(crate) fn schema(&self) -> Option<Node> {
        Some(Node::text(self.schema.as_ref()?.to_string_lossy()))
    }

    /// The path of the schema.
    pub(crate) fn schema_path(&self) -> Option<&Path> {
        self.schema.as_deref()
    }

    /// The only column, where its values are to be discovered.
    pub(crate) fn discovered(&self) -> Result<&str, Failure> {
        let [column] = self.column.as_slice() else {
            return Err(Failure::usage(
                "--column",
                "categories are discovered in one column; name that column only",
            ));
        };
        match self
            .given()
            .into_iter()
            .find(|(flag, given)| *given && !["--column", "--missing"].contains(flag))
        {
            Some((flag, _)) => {
                Err(Failure::usage(flag, "this has no meaning where categories are discovered; leave it out"))
            }
            None => Ok(column),
        }
    }

    /// The categories of counts, which have no columns; none if they have no names.
    pub(crate) fn categories_of_counts(&self) -> Result<Option<Node>, Failure> {
        match self.declared.as_slice() {
            [] => Ok(None),
            [(_, declared)] => {
                let node = declared.node()?;
                if matches!(node.value(), Value::List(names) if names.len() < 2) {
                    let error = CategoriesError::TooFew { found: 1 };
                    let why = format!("{error}, separated by commas");
                    return Err(Failure::usage(declared.flag(), why));
                }
                Ok(Some(node))
            }
            _ => Err(Failure::usage("--categories", "counts have one list of names; give the flag once")),
        }
    }

    /// What holds for all columns: the categories of other and of missing values that stand before the first one.
    pub(crate) fn of_all(&self) -> Result<Vec<(&'static str, Node)>, Failure> {
        self.labels(None)
    }

    /// The categories of other and of missing values that stand after a column, or before the first one.
    pub(crate) fn labels(&self, after: Option<usize>) -> Result<Vec<(&'static str, Node)>, Failure> {
        let names = [("other", &self.other), ("missing", &self.missing)];
        let mut labels = Vec::new();
        for ((key, names), places) in names.into_iter().zip(&self.labelled) {
            let mut here =
                names.iter().zip(places).filter(|(_, place)| **place == after).map(|(name, _)| name);
            match (here.next(), here.next()) {
                (_, Some(_)) => {
                    let of = after
                        .map_or_else(|| "all columns".into(), |index| format!("{:?}", self.column[index]));
                    let why = format!("this is given twice for {of}; write it after its --column");
                    return Err(Failure::usage(&format!("--{key}"), why));
                }
                (Some(name), None) => labels.push((key, Node::text(name))),
                (None, None) => {}
            }
        }
        Ok(labels)
    }

    /// The columns with what is declared for them, as they are written in a plan.
    pub(crate) fn columns(&self) -> Result<Vec<(String, Node)>, Failure> {
        let own = |index| Ok(self.spelling(index)?.into_iter().chain(self.labels(Some(index))?).collect());
        let own = (0..self.column.len()).map(own);
        let mut own: Vec<Vec<(&'static str, Node)>> = own.collect::<Result<_, Failure>>()?;
        let in_order = self.schema.is_none();
        if in_order && self.declared.len() != self.column.len() {
            return Err(Failure::usage(
                "--categories",
                format!(
                    "there are {} lists of categories or bins for {} columns; declare the possible values of each column, in \
                     the order of --column. They are never read from the data, because that would reveal which ones occur{}",
                    self.declared.len(),
                    self.column.len(),
                    self.repeat()
                ),
            ));
        }
        for (index, (after, declared)) in self.declared.iter().enumerate() {
            let place = if in_order { Some(index) } else { *after };
            let place = place.ok_or_else(|| {
                Failure::usage(declared.flag(), "with --schema, write this after the --column that it is for")
            })?;
            if own[place].iter().any(|(key, _)| ["categories", "bins"].contains(key)) {
                let name = &self.column[place];
                return Err(Failure::usage(
                    declared.flag(),
                    format!(
                        "the values of {name:?} are declared twice; with --schema, declare them once, after its --column"
                    ),
                ));
            }
            own[place].insert(0, (declared.key(), declared.node()?));
        }
        let declared = self.column.iter().zip(own).filter(|(_, own)| !own.is_empty());
        Ok(declared.map(|(name, own)| (name.clone(), column_node(own))).collect())
    }

    /// There is no column. The schema may say which there are.
    pub(crate) fn nothing(&self) -> Failure {
        let known = match &self.schema {
            None => String::new(),
            Some(path) => {
                match read_text(path).map_err(|error| error.to_string()).and_then(|text| needed_fields(&text))
                {
                    Ok(fields) => {
                        let names: Vec<String> = fields.iter().map(|(name, _)| format!("{name:?}")).collect();
                        format!("; the schema declares {}", names.join(", "))
                    }
                    Err(error) => return Failure::refused(format!("--schema: {} {error}", path.display())),
                }
            }
        };
        Failure::usage("--column", format!("say which column holds the categories{known}"))
    }

    /// The columns that are named, with what they may hold.
    pub(crate) fn declared(&self) -> Result<Vec<Column>, Failure> {
        if self.column.is_empty() {
            return Err(self.nothing());
        }
        let all = self.all()?;
        let named = self.column.iter().map(|name| {
            all.iter().find(|column| column.name == *name).cloned().ok_or_else(|| {
                let known: Vec<String> = all.iter().map(|column| format!("{:?}", column.name)).collect();
                let why = format!(
                    "no categories are declared for the column {name:?}; the declared columns are {}",
                    known.join(", ")
                );
                Failure::usage("--column", why)
            })
        });
        named.collect()
    }

    /// The columns of tables of many columns: those that are named, or else those of sets alone, or else all that the
    /// schema declares.
    pub(crate) fn declared_for(&self, which: &Which) -> Result<Vec<Column>, Failure> {
        if !self.column.is_empty() || self.schema.is_none() {
            return self.declared();
        }
        let all = self.all()?;
        for name in which.names() {
            if !all.iter().any(|column| column.name == name) {
                return Err(Failure::usage("--sets", format!("the schema declares no values of {name:?}")));
            }
        }
        let is_in = |column: &Column| which.order.is_some() || which.names().any(|name| name == column.name);
        Ok(all.into_iter().filter(is_in).collect())
    }

    /// All columns that are declared, also those that only the schema names.
    pub(crate) fn all(&self) -> Result<Vec<Column>, Failure> {
        let mut root = self.of_all()?;
        root.extend(self.schema().map(|schema| ("schema", schema)));
        root.push(("columns", Node::table(self.columns()?)));
        let read = |file: &str| read_text(Path::new(file)).map_err(|error| error.to_string());
        columns_of(&Node::table(root), &read).map_err(|error| self.wrong(&error))
    }

    /// What is wrong with a declaration, behind its flag.
    pub(crate) fn wrong(&self, error: &PlanError) -> Failure {
        if let PlanProblem::Schema { file, why } = error.problem() {
            let unread = why.strip_prefix("cannot be used: ");
            let why = unread.map_or_else(|| format!("{file} {why}"), ToOwned::to_owned);
            return Failure::refused(format!("--schema: {why}"));
        }
        let steps: Vec<&str> = error.path().keys().collect();
        match steps.as_slice() {
            ["columns", column] | ["columns", column, "categories" | "bins"] => {
                Failure::usage(self.flag_of(column), error.why())
            }
            [.., last] => Failure::usage(flag_of_key(last), error.why()),
            [] => Failure::Usage(error.why()),
        }
    }

    /// The flag that declares the values of a column.
    pub(crate) fn flag_of(&self, column: &str) -> &'static str {
        let place = self.column.iter().position(|name| name == column);
        let declared = self.declared.iter().enumerate().find(|(index, (after, _))| {
            place.is_some() && place == if self.schema.is_none() { Some(*index) } else { *after }
        });
        declared.map_or("--categories", |(_, (_, declared))| declared.flag())
    }

    /// Says how several columns are named, if commas were tried.
    pub(crate) fn repeat(&self) -> String {
        match self.column.iter().find(|column| column.contains(',')) {
            Some(column) => {
                let flags: Vec<String> =
                    column.split(',').map(|name| format!("--column {}", name.trim())).collect();
                format!("; to take several columns together, repeat the flag: {}", flags.join(" "))
            }
            None => String::new(),
        }
    }
}

impl Declared {
    fn flag(&self) -> &'static str {
        match self {
            Self::Categories(_) => "--categories",
            Self::File(_) => "--categories-file",
            Self::Bins(_) => "--bins",
        }
    }

    /// The key of a plan that says the same.
    fn key(&self) -> &'static str {
        match self {
            Self::Categories(_) | Self::File(_) => "categories",
            Self::Bins(_) => "bins",
        }
    }

    /// What is declared, as it is written in a plan.
    fn node(&self) -> Result<Node, Failure> {
        Ok(match self {
            // Whoever cannot list the values may try this word.
            Self::Categories(list) if list.trim() == "discover" => {
                let why = "`posterity discover FILE --column NAME` names the values that occur often enough";
                return Err(Failure::usage("--categories", why));
            }
            Self::Categories(list) => Form::List.node(list),
            Self::File(path) => Node::list(read_categories(path)?.into_iter().map(Node::text)),
            Self::Bins(edges) => Node::list(edges.split(',').map(Node::digits)),
        })
    }
}

/// The flag of a key that a column has in a plan.
pub(crate) fn flag_of_key(key: &str) -> &str {
    match key {
        "aliases" => "--alias",
        "labels" => "--label",
        "ordered" => "--ordered",
        "whole" => "--whole",
        "other" => "--other",
        "missing" => "--missing",
        "bins" => "--bins",
        _ => "--categories",
    }
}

/// A column with what is declared for it: its categories alone, if that is all.
fn column_node(own: Vec<(&'static str, Node)>) -> Node {
    match own.as_slice() {
        [("categories", list)] => list.clone(),
        _ => Node::table(own),
    }
}

/// One category per line.
fn read_categories(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--categories-file: {error}")))?;
    Ok(text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect())
}
