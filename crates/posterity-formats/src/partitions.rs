//! Columns that stand in the names of folders: `year=2020/part-0.parquet`, as Hive, Spark and pyarrow write them.
//!
//! What stands behind the sign is a value of every record in the folder. So it is data: no message repeats it.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::column::{ColumnValues, Field, MISSING, Store, Strings, ValueKind};
use crate::column_hint::ColumnHint;
use crate::piece::Piece;
use crate::read_error::ReadError;
use crate::value::Value;
use crate::visitor::{Visitor, Wanted};

/// What Hive writes for a missing value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// The columns that folders name, and their values for each file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    pub(crate) keys: Vec<String>,
    /// For each file a value of each column; none if it is missing.
    values: Vec<Vec<Option<String>>>,
}

impl Partitions {
    /// The columns of these files of a source that was given in these words. All files must have the same. A value that
    /// is no text is refused if this is strict, and missing otherwise.
    pub(crate) fn of(given: &str, paths: &[PathBuf], strict: bool) -> Result<Self, ReadError> {
        let refused = || ReadError::Partitions { path: given.to_owned() };
        let mut all = Self::default();
        for (number, path) in paths.iter().enumerate() {
            let pairs: Option<Vec<_>> = folders(given, path).map(|name| pair(name, strict)).collect();
            let (keys, values): (Vec<String>, Vec<_>) = pairs.ok_or_else(refused)?.into_iter().unzip();
            let repeated = keys.iter().enumerate().any(|(at, key)| keys[..at].contains(key));
            if repeated || number > 0 && keys != all.keys {
                return Err(refused());
            }
            all.keys = keys;
            all.values.push(values);
        }
        Ok(all)
    }

    /// The columns, as a file declares its own.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        let field =
            |key: &String| Field { name: key.clone(), kind: ValueKind::Text, described: "Utf8".into() };
        self.keys.iter().map(field)
    }
}

/// Whether the name of a folder holds a column and a value.
pub(crate) fn names_value(name: &OsStr) -> bool {
    split(name).is_some_and(|(key, _)| !key.is_empty())
}

/// What stands before and behind the sign in the name of a folder.
fn split(name: &OsStr) -> Option<(&[u8], &[u8])> {
    let bytes = name.as_encoded_bytes();
    let sign = memchr::memchr(b'=', bytes)?;
    Some((&bytes[..sign], &bytes[sign + 1..]))
}

/// How a path appears in a message about a source that was given in these words: without the values of folders.
pub(crate) fn masked(given: &str, path: &Path) -> String {
    let folders: Vec<&OsStr> = folders(given, path).collect();
    let part = |part: Component<'_>| match split(part.as_os_str()) {
        Some((key, _)) if folders.contains(&part.as_os_str()) => {
            PathBuf::from(format!("{}=*", String::from_utf8_lossy(key)))
        }
        _ => PathBuf::from(part.as_os_str()),
    };
    path.components().map(part).collect::<PathBuf>().to_string_lossy().into_owned()
}

/// A folder, with what its names say hidden as in the path of a file.
pub(crate) fn masked_folder(given: &str, folder: &Path) -> String {
    let file = PathBuf::from(masked(given, &folder.join("file")));
    file.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
}

/// The folders on the way to a file that name a value which was not given in words.
fn folders<'a>(given: &'a str, path: &'a Path) -> impl Iterator<Item = &'a OsStr> {
    let typed: Vec<_> = Path::new(given).components().map(Component::as_os_str).collect();
    let above = path.parent().unwrap_or(Path::new("")).components().map(Component::as_os_str);
    above.filter(move |part| names_value(part) && !typed.contains(part))
}

/// The column and the value that the name of a folder holds.
fn pair(name: &OsStr, strict: bool) -> Option<(String, Option<String>)> {
    let (key, value) = split(name)?;
    let key = unescaped_bytes(key)?;
    match unescaped_bytes(value) {
        None if strict => None,
        value => Some((key, value.filter(|value| !value.is_empty() && value != NO_VALUE))),
    }
}

/// The text without the signs `%2F` that stand for what a name of a folder, or a part of an address, cannot hold.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    unescaped_bytes(text.as_bytes())
}

fn unescaped_bytes(mut rest: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Takes the records of files, and gives them with the columns of their folders.
pub(crate) struct WithPartitions<'a, V: Visitor> {
    visitor: &'a V,
    partitions: &'a Partitions,
    wanted: OfFiles<'a, V::Wanted>,
}

/// What is wanted of the files themselves.
pub(crate) struct OfFiles<'a, W> {
    wanted: &'a W,
    partitions: &'a Partitions,
    columns: Vec<String>,
    /// Where each wanted column comes from.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Place {
    /// A column of the file, by its position among those that are wanted of it.
    File(usize),
    /// A column of the folders, by its position among those.
    Folder(usize),
}

impl<'a, V: Visitor> WithPartitions<'a, V> {
    pub(crate) fn new(visitor: &'a V, partitions: &'a Partitions) -> Self {
        let wanted = visitor.wanted();
        let mut columns = Vec::new();
        let place = |name: &String| match partitions.keys.iter().position(|key| key == name) {
            Some(key) => Place::Folder(key),
            None => {
                columns.push(name.clone());
                Place::File(columns.len() - 1)
            }
        };
        let places = wanted.columns().iter().map(place).collect();
        Self { visitor, partitions, wanted: OfFiles { wanted, partitions, columns, places } }
    }
}

impl<W: Wanted> OfFiles<'_, W> {
    /// Those of the positions that are of the file.
    fn of_file(&self, positions: Vec<usize>) -> Vec<usize> {
        let both = positions.into_iter().zip(&self.places);
        both.filter(|(_, place)| matches!(place, Place::File(_))).map(|(position, _)| position).collect()
    }
}

impl<W: Wanted> Wanted for OfFiles<'_, W> {
    type Error = W::Error;

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn find(&self, names: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, W::Error> {
        let keys = self.partitions.keys.iter().map(String::as_str);
        let all: Vec<&str> = names.iter().copied().chain(keys).collect();
        self.wanted.find(&all, hint).map(|positions| self.of_file(positions))
    }

    /// If nothing is wanted of the file itself, a column of it still tells how many records it has.
    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, W::Error> {
        let all: Vec<Field> = fields.iter().cloned().chain(self.partitions.fields()).collect();
        let positions = self.of_file(self.wanted.bind(&all)?);
        if !positions.is_empty() {
            return Ok(positions);
        }
        let flat = fields.iter().position(|field| field.kind != ValueKind::Strange);
        flat.map(|position| vec![position]).ok_or_else(|| ReadError::NoFlatColumn.into())
    }

    fn absent(&self, column: usize) -> Result<(), W::Error> {
        let of_file = |place: &Place| matches!(place, Place::File(position) if *position == column);
        self.places.iter().position(of_file).map_or(Ok(()), |column| self.wanted.absent(column))
    }

    fn strict(&self) -> bool {
        self.wanted.strict()
    }

    fn has_unit(&self) -> bool {
        self.wanted.has_unit()
    }
}

impl<'a, V: Visitor> Visitor for WithPartitions<'a, V> {
    type Error = V::Error;
    type Wanted = OfFiles<'a, V::Wanted>;
    /// The part, and the file that it belongs to.
    type Part = (V::Part, u32);

    fn wanted(&self) -> &Self::Wanted {
        &self.wanted
    }

    fn part(&self, file: u32, part: u32) -> Self::Part {
        (self.visitor.part(file, part), file)
    }

    fn piece<P: Piece + ?Sized>(&self, part: &mut Self::Part, piece: &P) -> Result<(), V::Error> {
        let values = self.partitions.values.get(part.1 as usize).map(Vec::as_slice).unwrap_or_default();
        let folders = values.iter().map(|value| constant(value.as_deref(), piece.rows())).collect();
        self.visitor.piece(&mut part.0, &PiecePlaced { piece, folders, places: &self.wanted.places })
    }
}

/// Records with the columns of their folders.
struct PiecePlaced<'a, P: ?Sized> {
    piece: &'a P,
    folders: Vec<ColumnValues>,
    places: &'a [Place],
}

impl<P: Piece + ?Sized> Piece for PiecePlaced<'_, P> {
    fn rows(&self) -> usize {
        self.piece.rows()
    }

    fn value(&self, column: usize, row: usize) -> Value<'_> {
        match self.places[column] {
            Place::File(column) => self.piece.value(column, row),
            Place::Folder(key) => self.folders[key].get(row),
        }
    }

    fn column(&self, column: usize) -> Option<&ColumnValues> {
        match self.places[column] {
            Place::File(column) => self.piece.column(column),
            Place::Folder(key) => self.folders.get(key),
        }
    }
}

/// A column of one value.
fn constant(value: Option<&str>, rows: usize) -> ColumnValues {
    let mut text = Strings::default();
    text.push(value.unwrap_or_default().as_bytes());
    let key = if value.is_some() { 0 } else { MISSING };
    ColumnValues::Keyed { keys: vec![key; rows], values: Arc::new(Store::Text(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partitions(given: &str, paths: &[&str]) -> Option<Partitions> {
        Partitions::of(given, &paths.iter().map(PathBuf::from).collect::<Vec<_>>(), true).ok()
    }

    #[test]
    fn folders_hold_columns() {
        let found = partitions(
            "d",
            &["d/year=2020/sex=a%2Fb/x.csv", "d/year=2021/sex=__HIVE_DEFAULT_PARTITION__/x.csv"],
        );
        let found = found.expect("the same columns");
        assert_eq!(found.keys, ["year", "sex"]);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found.values, [vec![text("2020"), text("a/b")], vec![text("2021"), None]]);
        assert!(partitions("d/year=2020/*.csv", &["d/year=2020/a=b.csv"]).expect("none").keys.is_empty());
        assert_eq!(partitions("d/year=*/x.csv", &["d/year=2020/x.csv"]).expect("one").keys, ["year"]);
    }

    #[test]
    fn folders_that_do_not_go_together() {
        assert!(partitions("d", &["d/a=1/x.csv", "d/b=1/x.csv"]).is_none());
        assert!(partitions("d/**/*.csv", &["d/a=1/x.csv", "d/x.csv"]).is_none());
        assert!(partitions("d", &["d/a=1/a=2/x.csv"]).is_none());
        assert!(partitions("d", &["d/a=%ff/x.csv"]).is_none());
    }

    /// If this fails, the records of one person have all others refused where no record may.
    #[test]
    fn a_value_that_is_no_text_is_missing_if_asked_for() {
        let lenient = |paths: &[PathBuf]| Partitions::of("d", paths, false);
        let found = lenient(&["d/a=%ff/x.csv".into(), "d/a=%41/x.csv".into()]).expect("one column");
        assert_eq!((found.keys, found.values), (vec!["a".into()], vec![vec![None], vec![Some("A".into())]]));
        assert!(lenient(&["d/%ff=a/x.csv".into()]).is_err(), "the name of a column is public");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let path = PathBuf::from(OsStr::from_bytes(b"d/a=caf\xe9/x.csv"));
            let found = lenient(std::slice::from_ref(&path)).expect("one column");
            assert_eq!((found.keys, found.values), (vec!["a".into()], vec![vec![None]]));
            assert_eq!(masked("d", &path), "d/a=*/x.csv");
            assert!(Partitions::of("d", &[path], true).is_err());
        }
    }

    /// If this fails, a message tells a value of some records.
    #[test]
    fn values_are_not_shown() {
        let path = Path::new("/data/d/year=2020/part=1.csv");
        assert_eq!(masked("d", path), "/data/d/year=*/part=1.csv");
        assert_eq!(masked("d/year=2020", path), "/data/d/year=2020/part=1.csv");
    }
}
