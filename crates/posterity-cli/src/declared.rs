//! The columns and what they may hold, declared by flags or by a schema. Nothing is learned from the data.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use posterity::Which;
use posterity::data::{Bins, BinsError, Column, Domain};
use posterity::text_file::read_text;
use posterity_study::{declared_field, fields_of_sets, needed_fields};

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

    /// What --categories, --categories-file and --bins declare, in the order in which they were given, each with the
    /// place of the column before it.
    #[arg(skip)]
    declared: Vec<(Option<usize>, Declared)>,

    /// After which column each --other and --missing stands.
    #[arg(skip)]
    labelled: [Vec<Option<usize>>; 2],
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
    }

    /// The flags that are given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 7] {
        [
            ("--column", !self.column.is_empty()),
            ("--categories", !self.categories.is_empty()),
            ("--categories-file", !self.categories_file.is_empty()),
            ("--bins", !self.bins.is_empty()),
            ("--schema", self.schema.is_some()),
            ("--other", !self.other.is_empty()),
            ("--missing", !self.missing.is_empty()),
        ]
    }

    /// The only column, and the category of its missing values, where its values are to be discovered.
    pub(crate) fn discovered(&self) -> Result<(&str, Option<String>), Failure> {
        let [column] = self.column.as_slice() else {
            return Err(Failure::usage(
                "--column",
                "categories are discovered in one column; name that column only",
            ));
        };
        let unused = [
            ("--categories", !self.categories.is_empty()),
            ("--categories-file", !self.categories_file.is_empty()),
            ("--bins", !self.bins.is_empty()),
            ("--schema", self.schema.is_some()),
            ("--other", !self.other.is_empty()),
        ];
        if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
            return Err(Failure::usage(
                flag,
                "this has no meaning where categories are discovered; leave it out",
            ));
        }
        let missing = labels("--missing", &self.missing, &self.labelled[1], &self.column)?;
        Ok((column, missing.into_iter().next().flatten()))
    }

    /// The columns that are named, with what they may hold.
    pub(crate) fn columns(&self) -> Result<Vec<Column>, Failure> {
        let declared = self.schema.as_deref().map(read_schema).transpose()?;
        if self.column.is_empty() {
            let known = declared
                .map_or_else(String::new, |declared| format!("; the schema declares {}", listed(&declared)));
            let say = "say which column holds the categories";
            return Err(Failure::usage("--column", format!("{say}{known}")));
        }
        let domains = match declared {
            Some(declared) => self.domains_by(&declared)?,
            None => self.domains_in_order()?,
        };
        self.labelled(self.column.iter().cloned().zip(domains).collect())
    }

    /// The columns of tables of many columns: those that are named, or else those of sets alone, or else all that the
    /// schema declares.
    pub(crate) fn columns_of(&self, which: &Which) -> Result<Vec<Column>, Failure> {
        let Some(schema) = self.schema.as_deref().filter(|_| self.column.is_empty()) else {
            return self.columns();
        };
        let declared = read_schema(schema)?;
        // What is declared by a flag has no column here.
        self.domains_by(&declared)?;
        let wrong = |why| Failure::usage("--sets", why);
        self.labelled(fields_of_sets(declared, which).map_err(wrong)?)
    }

    /// What is declared by flags, in the order in which it was given.
    pub(crate) fn domains(&self) -> Result<Vec<Domain>, Failure> {
        self.declared.iter().map(|(_, declared)| declared.domain()).collect()
    }

    /// One declaration for each column, in the order of the columns.
    fn domains_in_order(&self) -> Result<Vec<Domain>, Failure> {
        let domains = self.domains()?;
        if domains.len() == self.column.len() {
            return Ok(domains);
        }
        Err(Failure::usage(
            "--categories",
            format!(
                "there are {} lists of categories or bins for {} columns; declare the possible values of each column, in the \
                 order of --column. They are never read from the data, because that would reveal which ones occur{}",
                domains.len(),
                self.column.len(),
                self.repeat()
            ),
        ))
    }

    /// What stands after each column, or else what the schema declares.
    fn domains_by(&self, schema: &[(String, Domain)]) -> Result<Vec<Domain>, Failure> {
        let mut own: Vec<Option<Domain>> = vec![None; self.column.len()];
        for (after, declared) in &self.declared {
            let place = after.ok_or_else(|| {
                Failure::usage(declared.flag(), "with --schema, write this after the --column that it is for")
            })?;
            if own[place].replace(declared.domain()?).is_some() {
                let name = &self.column[place];
                return Err(Failure::usage(
                    declared.flag(),
                    format!(
                        "the values of {name:?} are declared twice; with --schema, declare them once, after its --column"
                    ),
                ));
            }
        }
        let domain = |(name, own): (&String, Option<Domain>)| {
            own.map_or_else(|| find(schema, name, "--column").cloned(), Ok)
        };
        self.column.iter().zip(own).map(domain).collect()
    }

    /// Columns with their categories for other and for missing values.
    fn labelled(&self, columns: Vec<(String, Domain)>) -> Result<Vec<Column>, Failure> {
        let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let others = labels("--other", &self.other, &self.labelled[0], &names)?;
        let missing = labels("--missing", &self.missing, &self.labelled[1], &names)?;
        let labels = others.into_iter().zip(missing);
        let one = |((name, domain), (other, missing))| Column { other, missing, ..Column::of(name, domain) };
        Ok(columns.into_iter().zip(labels).map(one).collect())
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

    fn domain(&self) -> Result<Domain, Failure> {
        Ok(match self {
            // Whoever cannot list the values may try this word.
            Self::Categories(list) if list.trim() == "discover" => {
                let why = "`posterity discover FILE --column NAME` names the values that occur often enough";
                return Err(Failure::usage("--categories", why));
            }
            Self::Categories(list) => {
                Domain::Values(list.split(',').map(|name| name.trim().to_owned()).collect())
            }
            Self::File(path) => Domain::Values(read_categories(path)?),
            Self::Bins(edges) => {
                let bins = Bins::new(edges.split(','));
                Domain::Bins(bins.map_err(|error| match error {
                    BinsError::NotGrowing { .. } => Failure::usage("--bins", error),
                    error => Failure::usage("--bins", format!("{error}; put commas between them: 0,18,65")),
                })?)
            }
        })
    }
}

/// One category per line.
fn read_categories(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--categories-file: {error}")))?;
    Ok(text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect())
}

/// The columns whose values a schema declares, in its order.
fn read_schema(path: &Path) -> Result<Vec<(String, Domain)>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--schema: {error}")))?;
    let wrong = |why: String| Failure::refused(format!("--schema: {} {why}", path.display()));
    needed_fields(&text).map_err(wrong)
}

/// What a schema declares for a column.
fn find<'a>(schema: &'a [(String, Domain)], name: &str, flag: &str) -> Result<&'a Domain, Failure> {
    declared_field(schema, name).map_err(|why| Failure::usage(flag, why))
}

fn listed(schema: &[(String, Domain)]) -> String {
    schema.iter().map(|(name, _)| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// What a flag names for each column: the name that stands after it, or else the one before all columns.
fn labels(
    flag: &str,
    names: &[String],
    after: &[Option<usize>],
    columns: &[String],
) -> Result<Vec<Option<String>>, Failure> {
    let at = |place: Option<usize>| {
        let mut here = names.iter().zip(after).filter(|(_, after)| **after == place).map(|(name, _)| name);
        match (here.next(), here.next()) {
            (_, Some(_)) => {
                let place =
                    place.map_or_else(|| "all columns".into(), |index| format!("{:?}", columns[index]));
                Err(Failure::usage(
                    flag,
                    format!("this is given twice for {place}; write it after its --column"),
                ))
            }
            (first, None) => Ok(first.cloned()),
        }
    };
    let every = at(None)?;
    (0..columns.len()).map(|index| Ok(at(Some(index))?.or_else(|| every.clone()))).collect()
}
