//! What frames cost: a key in a session of 5,000 messages, and a second of an answer that streams.

use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use planwright_core::dialogue::Notice;
use planwright_surfaces::tui::face::{Face, Options};
use planwright_surfaces::tui::frame::Frames;
use planwright_surfaces::tui::keys::{Code, Key, Sent};
use planwright_surfaces::tui::markdown::PlainCode;
use planwright_surfaces::tui::screen::Size;
use planwright_surfaces::tui::theme::Theme;

/// Tokens in a second, and frames in it.
const TOKENS: u64 = 200;
const FRAMES: u64 = 60;

fn seat() -> (Face, Frames) {
    let face = Face::new(Options { theme: Theme::Dark, motion: true, alternate: false }, Box::new(PlainCode));
    (face, Frames::new(Size::new(80, 24)))
}

/// A session with as many messages, and all of them drawn.
fn long(messages: usize) -> (Face, Frames) {
    let (mut face, mut frames) = seat();
    for n in 0..messages {
        let text = format!("Message {n} with **some** words and `code`.");
        face.hear(&Notice::Text { agent: None, text }, Duration::ZERO);
    }
    frames.draw(&mut face, Duration::ZERO);
    (face, frames)
}

fn key(c: &mut Criterion) {
    for messages in [0, 5_000, 50_000] {
        let (mut face, mut frames) = long(messages);
        let mut letters = "abcdefghij".chars().cycle();
        let mut now = Duration::ZERO;
        c.bench_function(&format!("a key and its frame after {messages} messages"), |bench| {
            bench.iter(|| {
                now += Duration::from_millis(1);
                let letter = letters.next().expect("it goes on");
                face.sent(Sent::Key(Key::ctrl('u')), now);
                face.sent(Sent::Key(Key::plain(Code::Char(letter))), now);
                frames.draw(&mut face, now)
            });
        });
    }
}

fn stream(c: &mut Criterion) {
    for before in [0, 2_000, 20_000] {
        let begun = || {
            let (mut face, mut frames) = seat();
            face.hear(&Notice::TurnStarted, Duration::ZERO);
            face.hear(&Notice::TextDelta("word ".repeat(before)), Duration::ZERO);
            frames.draw(&mut face, Duration::ZERO);
            (face, frames)
        };
        let name = format!("a second of {TOKENS} tokens in {FRAMES} frames, {before} tokens into a paragraph");
        c.bench_function(&name, |bench| {
            bench.iter_batched(
                begun,
                |(mut face, mut frames)| {
                    let mut sent = 0;
                    for token in 0..TOKENS {
                        face.hear(&Notice::TextDelta("word ".to_owned()), Duration::ZERO);
                        if (token + 1) * FRAMES / TOKENS > token * FRAMES / TOKENS {
                            sent += frames.draw(&mut face, Duration::from_millis(token * 1_000 / TOKENS)).len();
                        }
                    }
                    sent
                },
                BatchSize::SmallInput,
            );
        });
    }
}

criterion_group!(frames, key, stream);
criterion_main!(frames);
