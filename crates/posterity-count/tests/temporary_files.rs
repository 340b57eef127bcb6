//! Temporary files are gone when a count ends. This is a program of its own, so that it sees no files of other tests.

use std::ops::ControlFlow;

use posterity_core::sampler::SeededBits;
use posterity_count::{DataError, ReadError, Resources, Source, ValuesAsked, gather_values};

/// If this fails, values stay on the disk.
#[cfg(target_os = "linux")]
#[test]
fn temporary_files_are_gone() {
    let scratch = tempfile::tempdir().expect("a folder");
    let text = (0..20_000).fold(String::from("id,a\n"), |text, id| text + &format!("{id},v{id}\n"));
    let [path, broken] = ["large.csv", "broken.csv"].map(|name| scratch.path().join(name));
    std::fs::write(&path, &text).expect("written");
    std::fs::write(&broken, text + "1,\"2\n").expect("written");
    // The temporary files that this process has open: they have no name any more.
    let folder = std::env::temp_dir();
    let open = || {
        let links = std::fs::read_dir("/proc/self/fd").expect("a list").flatten();
        let names = links.filter_map(|link| std::fs::read_link(link.path()).ok());
        names
            .filter(|name| name.starts_with(&folder) && name.to_string_lossy().ends_with(" (deleted)"))
            .count()
    };
    let tiny = Resources { memory: 0, ..Resources::default() };
    let ask = |path: &std::path::Path,
               progress: &dyn Fn(u64) -> ControlFlow<()>,
               each: &mut dyn FnMut(&str, u64) -> Result<(), DataError>| {
        let (source, asked) = (Source::files(path.to_string_lossy()), ValuesAsked::new("a"));
        gather_values(&source, &asked, &mut SeededBits::new(1), &tiny, progress)?.each(progress, each)
    };
    let go_on = |_| ControlFlow::Continue(());
    let (mut seen, mut while_open) = (0, 0);
    ask(&path, &go_on, &mut |_, _| {
        while_open = while_open.max(open());
        seen += 1;
        if seen == 10 { Err(DataError::NoRecords) } else { Ok(()) }
    })
    .expect_err("its own error");
    assert!(while_open > 0 && seen == 10);
    assert_eq!(open(), 0);
    assert_eq!(ask(&path, &|_| ControlFlow::Break(()), &mut |_, _| Ok(())), Err(DataError::Stopped));
    assert_eq!(open(), 0);
    let refused = ask(&broken, &go_on, &mut |_, _| Ok(()));
    assert!(matches!(refused, Err(DataError::Read(ReadError::OpenQuote { .. }))), "{refused:?}");
    assert_eq!(open(), 0);
}
