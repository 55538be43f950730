//! The conversation on the alternate screen: it is followed, scrolled back, and followed again. Pages are
//! drawn as they are seen.

use std::time::Duration;

use planwright_core::dialogue::Notice;
use planwright_surfaces::tui::face::{Face, Options};
use planwright_surfaces::tui::keys::{Code, Key, Sent};
use planwright_surfaces::tui::markdown::PlainCode;
use planwright_surfaces::tui::screen::Size;
use planwright_surfaces::tui::theme::Theme;

const NOW: Duration = Duration::from_secs(9);

fn face() -> Face {
    let mut face = Face::new(Options { theme: Theme::Plain, motion: false, alternate: true }, Box::new(PlainCode));
    for n in 1..=9 {
        face.hear(&Notice::Said(format!("line {n}")), NOW);
    }
    face
}

fn seen(face: &mut Face) -> Vec<String> {
    let page = face.page(Size::new(40, 6), NOW).expect("the conversation is a page");
    assert_eq!((page.rows.len(), page.cursor), (6, Some((4, 2))));
    let text = |line: &ratatui_core::text::Line<'_>| {
        line.spans.iter().map(|span| span.content.as_ref()).collect::<String>().trim_end().to_owned()
    };
    page.rows.iter().map(text).collect()
}

fn press(face: &mut Face, key: Key) -> Vec<String> {
    face.sent(Sent::Key(key), NOW);
    seen(face)
}

#[test]
fn the_end_is_followed_until_the_reader_goes_back() {
    let mut face = face();
    let foot = ["›", "● default mode: asks before changes (sh…"];
    assert_eq!(seen(&mut face)[..4], ["  line 6", "  line 7", "  line 8", "  line 9"]);
    assert_eq!(seen(&mut face)[4..], foot);
    let more = "… more below (pgdn, ctrl+end)";
    assert_eq!(press(&mut face, Key::plain(Code::PageUp))[..4], ["  line 3", "  line 4", "  line 5", more]);
    // What comes meanwhile moves nothing.
    face.hear(&Notice::Said("line 10".to_owned()), NOW);
    assert_eq!(seen(&mut face)[..4], ["  line 3", "  line 4", "  line 5", more]);
    press(&mut face, Key::plain(Code::PageUp));
    assert_eq!(press(&mut face, Key::plain(Code::PageUp))[0], "  line 1");
    for _ in 0..4 {
        press(&mut face, Key::plain(Code::PageDown));
    }
    assert_eq!(seen(&mut face)[..4], ["  line 7", "  line 8", "  line 9", "  line 10"]);
    face.hear(&Notice::Said("line 11".to_owned()), NOW);
    assert_eq!(seen(&mut face)[3], "  line 11", "it is followed again");
    let end = Key { ctrl: true, ..Key::plain(Code::End) };
    press(&mut face, Key::plain(Code::PageUp));
    assert_eq!(press(&mut face, end)[3], "  line 11");
    assert_eq!(press(&mut face, Key { ctrl: true, ..Key::plain(Code::Home) })[0], "  line 1");
}
