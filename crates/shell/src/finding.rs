//! What was found out about one part of a line.

use crate::syntax::Span;

/// A part reads only, or there is trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Reads,
    Changes(Trouble),
    Unproved(Trouble),
}

/// Where the trouble is and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub span: Span,
    pub message: String,
    pub instead: Option<String>,
}

impl Finding {
    pub(crate) fn changes(span: &Span, message: impl Into<String>) -> Finding {
        Finding::Changes(Trouble { span: span.clone(), message: message.into(), instead: None })
    }

    pub(crate) fn unproved(span: &Span, message: impl Into<String>) -> Finding {
        Finding::Unproved(Trouble { span: span.clone(), message: message.into(), instead: None })
    }

    /// Adds a read-only way to get the same, unless there is one already.
    pub(crate) fn instead(mut self, way: &str) -> Finding {
        if let Finding::Changes(trouble) | Finding::Unproved(trouble) = &mut self
            && !way.is_empty()
        {
            trouble.instead.get_or_insert_with(|| way.to_owned());
        }
        self
    }

    /// The graver of the two; of equals the first.
    pub(crate) fn and(self, other: Finding) -> Finding {
        match (&self, &other) {
            (Finding::Changes(_), _) | (Finding::Unproved(_), Finding::Reads | Finding::Unproved(_)) => self,
            (Finding::Reads, _) | (_, Finding::Changes(_)) => other,
        }
    }

    pub(crate) fn reads(&self) -> bool {
        matches!(self, Finding::Reads)
    }
}
