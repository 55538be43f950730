//! What a role looks like. Colour never says anything alone: whatever has a meaning has a sign or a
//! word too, so that the plain theme loses nothing.

use planwright_core::mode::Mode;
use ratatui_core::style::{Color, Modifier, Style};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// Less important.
    Dim,
    /// Stressed twice.
    Strong,
    /// Stressed.
    Emphasis,
    /// Taken back.
    Struck,
    /// Code within a line, or in a block whose language is unknown.
    Code,
    /// A keyword.
    Keyword,
    /// A literal: a string, a number.
    Literal,
    /// A comment in code.
    Comment,
    /// A name that code defines or a type.
    Name,
    /// A heading.
    Heading,
    /// An address.
    Link,
    /// A line that was added.
    Added,
    /// A line that was removed.
    Removed,
    /// Words that were added within a line.
    AddedWords,
    /// Words that were removed within a line.
    RemovedWords,
    /// Something failed.
    Error,
    /// Something to know.
    Warning,
    /// Something went well.
    Success,
    /// What is chosen.
    Chosen,
    /// The sign of who speaks, of a tool, of a choice.
    Sign,
    /// What a search found.
    Found,
    /// The mode.
    Mode(Mode),
}

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// No colours; bold, underline and reverse stay.
    Plain,
    /// For a dark background.
    #[default]
    Dark,
    /// For a light background.
    Light,
}

impl Theme {
    /// The look of a role.
    pub fn style(self, role: Role) -> Style {
        let look = modifiers(role);
        match self {
            Self::Plain => look,
            Self::Dark => colour(role, true).map_or(look, |colour| look.fg(colour)),
            Self::Light => colour(role, false).map_or(look, |colour| look.fg(colour)),
        }
    }
}

/// What a role looks like without colour.
fn modifiers(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Strong | Role::Heading | Role::Error | Role::Sign => style.add_modifier(Modifier::BOLD),
        Role::Emphasis => style.add_modifier(Modifier::ITALIC),
        Role::Struck => style.add_modifier(Modifier::CROSSED_OUT),
        Role::Link => style.add_modifier(Modifier::UNDERLINED),
        Role::AddedWords | Role::RemovedWords => style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Chosen | Role::Found => style.add_modifier(Modifier::REVERSED),
        Role::Dim | Role::Comment => style.add_modifier(Modifier::DIM),
        Role::Mode(_) => style.add_modifier(Modifier::BOLD),
        Role::Text
        | Role::Code
        | Role::Keyword
        | Role::Literal
        | Role::Name
        | Role::Added
        | Role::Removed
        | Role::Warning
        | Role::Success => style,
    }
}

/// The colour of a role, if it has one. Only the terminal's own sixteen, so that the user's palette
/// holds.
const fn colour(role: Role, dark: bool) -> Option<Color> {
    match role {
        Role::Code | Role::Keyword => Some(if dark { Color::Cyan } else { Color::Blue }),
        Role::Literal | Role::Added | Role::AddedWords | Role::Success => Some(Color::Green),
        Role::Removed | Role::RemovedWords | Role::Error => Some(Color::Red),
        Role::Name => Some(if dark { Color::LightBlue } else { Color::Blue }),
        Role::Warning => Some(if dark { Color::Yellow } else { Color::Magenta }),
        Role::Link => Some(Color::Blue),
        Role::Sign => Some(if dark { Color::LightCyan } else { Color::Blue }),
        Role::Mode(mode) => match mode {
            Mode::Default => None,
            Mode::AcceptEdits => Some(Color::Magenta),
            Mode::Plan => Some(if dark { Color::LightCyan } else { Color::Blue }),
            Mode::Auto => Some(if dark { Color::LightYellow } else { Color::Magenta }),
            Mode::BypassPermissions => Some(Color::Red),
        },
        Role::Text
        | Role::Dim
        | Role::Comment
        | Role::Strong
        | Role::Emphasis
        | Role::Struck
        | Role::Heading
        | Role::Chosen
        | Role::Found => None,
    }
}
