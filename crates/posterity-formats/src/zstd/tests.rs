//! Beside the library in C.

use posterity_testkit::{Random, trials};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::*;

/// What the library makes of frames that should fill a buffer of this size.
fn expected(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; size];
    let written = zstd::zstd_safe::decompress(out.as_mut_slice(), bytes).ok()?;
    (written == size).then_some(out)
}

fn ours(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; size];
    decompress(bytes, &mut out).ok().map(|()| out)
}

/// Few letters, words in some order, runs, numbers, noise, or all of them.
fn text(random: &mut Random, size: usize) -> Vec<u8> {
    let (kind, letters) = (random.index(6), 1 + random.index(256));
    let mut bytes: Vec<u8> = Vec::new();
    while bytes.len() < size {
        match if kind == 5 { random.index(5) } else { kind } {
            0 => bytes.push(random.index(letters) as u8),
            1 => bytes
                .extend_from_slice(&b"some words that are repeated in another order "[random.index(40)..]),
            2 => bytes.extend(std::iter::repeat_n(random.bits() as u8, random.index(3000))),
            3 => bytes.extend((random.index(1 << 20) as f64 / 7.0).to_le_bytes()),
            _ => bytes.extend(random.bits().to_le_bytes()),
        }
    }
    bytes.truncate(size);
    bytes
}

/// A frame with any of the writer's settings.
fn packed(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(random.index(30) as i32 - 7).unwrap();
    let mut set = |parameter| compressor.set_parameter(parameter).unwrap();
    set(CParameter::ChecksumFlag(random.index(2) == 0));
    set(CParameter::ContentSizeFlag(random.index(2) == 0));
    if random.index(3) == 0 {
        set(CParameter::WindowLog(10 + random.index(10) as u32));
    }
    compressor.compress(text).unwrap()
}

#[test]
fn frames_hold_what_was_put_into_them() {
    let mut random = Random::new(1);
    for _ in 0..trials(80) {
        let (mut whole, mut frames) = (Vec::new(), Vec::new());
        for _ in 0..1 + random.index(3) {
            let size = [0, 1, 9, 300, 5_000, 140_000, 500_000][random.index(7)];
            let size = size + random.index(1 + size / 2);
            let text = text(&mut random, size);
            frames.extend(packed(&mut random, &text));
            whole.extend(text);
            if random.index(4) == 0 {
                frames.extend([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
            }
        }
        assert!(ours(&frames, whole.len()).as_deref() == Some(&whole));
        assert_eq!(ours(&frames, whole.len() + 1), None);
        if !whole.is_empty() {
            assert_eq!(ours(&frames, whole.len() - 1), None);
        }
    }
}

/// What can be read of frames with wrong bits is what the library reads. It reads more of them: it does not ask of every
/// stream that it ends with its first bit.
#[test]
fn damage_gives_what_it_gives_to_the_library() {
    let mut random = Random::new(2);
    let mut held = 0;
    for _ in 0..trials(150) {
        let size = [20, 300, 3_000, 40_000][random.index(4)];
        let text = text(&mut random, size);
        let frame = packed(&mut random, &text);
        for _ in 0..100 {
            let mut damaged = frame.clone();
            for _ in 0..1 + random.index(3) {
                // Headers are where most can go wrong.
                let within = if random.index(2) == 0 { damaged.len().min(40) } else { damaged.len() };
                damaged[random.index(within)] ^= 1 << random.index(8);
            }
            if random.index(10) == 0 {
                damaged.truncate(random.index(damaged.len()));
            }
            if let Some(read) = ours(&damaged, text.len()) {
                assert!(expected(&damaged, text.len()) == Some(read), "{damaged:?}");
                held += 1;
            }
        }
    }
    assert!(held > 100, "{held}");
}

#[test]
fn dictionaries_are_refused_by_name() {
    let mut frame = zstd::bulk::compress(b"some text", 3).unwrap();
    // One byte for the dictionary's number, after the magic number and the descriptor.
    frame[4] |= 1;
    frame.insert(5, 7);
    assert!(matches!(decompress(&frame, &mut [0; 9]), Err(Flaw::Unsupported("a dictionary of Zstandard"))));
}
