//! Walks a parsed line as bash would run it and judges every part.

use crate::finding::Finding;
use crate::names;
use crate::parts::{Part, each_simple, part};
use crate::syntax::{
    Assigned, Assignment, Chain, Command, Kind, Piece, Pipeline, Redirect, RedirectKind, Script, Simple, Span, Word,
};
use crate::value::{Arg, Tail, Use, Value, Variables, expand};
use crate::{Context, check, parse};

/// The most ways that the words of one command are followed through.
const MOST_WAYS: usize = 24;

/// Where a command would run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Where the line starts: the caller answers for it.
    Start,
    /// Another directory that the caller answers for.
    Trusted,
    /// Somewhere else.
    Elsewhere,
}

#[derive(Clone, Debug)]
struct State {
    variables: Variables,
    place: Place,
}

impl State {
    fn join(&mut self, other: &State) {
        self.variables.join(&other.variables);
        self.place = self.place.max(other.place);
    }
}

/// Commands of a line that are not judged, because a rule or a person allows them.
struct Allowed<'a> {
    source: &'a str,
    covers: &'a dyn Fn(&Part) -> bool,
}

pub(crate) struct Judge<'a> {
    pub(crate) context: &'a Context,
    /// The commands that someone else answers for.
    allowed: Option<Allowed<'a>>,
    state: State,
    finding: Finding,
    /// How many scripts and wrappers stand around what is being judged.
    pub(crate) depth: usize,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(context: &'a Context) -> Judge<'a> {
        let state = State { variables: Variables::default(), place: Place::Start };
        Judge { context, allowed: None, state, finding: Finding::Reads, depth: 0 }
    }

    /// The same, but the commands of `source` that `covers` picks are not judged.
    pub(crate) fn allowing(context: &'a Context, source: &'a str, covers: &'a dyn Fn(&Part) -> bool) -> Judge<'a> {
        Judge { allowed: Some(Allowed { source, covers }), ..Judge::new(context) }
    }

    pub(crate) fn line(mut self, script: &Script) -> Finding {
        self.script(script);
        self.finding
    }

    pub(crate) fn place(&self) -> Place {
        self.state.place
    }

    /// Judges a script given to a shell inside the line (`sh -c 'ls'`).
    pub(crate) fn inner(&mut self, text: &str, span: &Span) -> Finding {
        if self.depth >= parse::DEEPEST {
            return Finding::unproved(span, "commands are nested too deeply");
        }
        let script = match parse::script(text) {
            Ok(script) => script,
            Err(fail) => return Finding::unproved(span, fail.message),
        };
        let state = State { variables: Variables::default(), place: self.state.place };
        let inner = Judge { state, depth: self.depth + 1, ..Judge::new(self.context) };
        match inner.line(&script) {
            Finding::Reads => Finding::Reads,
            Finding::Changes(trouble) => Finding::changes(span, trouble.message),
            Finding::Unproved(trouble) => Finding::unproved(span, trouble.message),
        }
    }

    fn note(&mut self, finding: Finding) {
        let before = std::mem::replace(&mut self.finding, Finding::Reads);
        self.finding = before.and(finding);
    }

    fn script(&mut self, script: &Script) {
        for chain in &script.items {
            self.chain(chain);
        }
    }

    /// What happens here stays here.
    fn apart(&mut self, run: impl FnOnce(&mut Self)) {
        let state = self.state.clone();
        run(self);
        self.state = state;
    }

    fn chain(&mut self, chain: &Chain) {
        if chain.background {
            return self.apart(|judge| judge.pipelines(&chain.pipelines));
        }
        self.pipelines(&chain.pipelines);
    }

    fn pipelines(&mut self, pipelines: &[Pipeline]) {
        let Some((first, rest)) = pipelines.split_first() else {
            return;
        };
        self.pipeline(first);
        for pipeline in rest {
            let before = self.state.clone();
            self.pipeline(pipeline);
            // Within the chain the assignment holds for what follows only if it ran; a later
            // `&&` part runs only then, but a later `||` part may run without it.
            self.state.join(&before);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if let [command] = pipeline.commands.as_slice() {
            return self.command(command);
        }
        for command in &pipeline.commands {
            self.apart(|judge| judge.command(command));
        }
        // zsh runs the last part in the shell itself.
        if let Some(last) = pipeline.commands.last() {
            let mut assigned = names::Assigned::default();
            assigned.command(last);
            self.forget(&assigned);
        }
    }

    fn forget(&mut self, assigned: &names::Assigned) {
        for name in &assigned.numbers {
            // Arithmetic on a number leaves a number.
            let stays = !assigned.names.contains(name) && self.state.variables.is_number(name);
            self.state.variables.set(name, vec![Value::of(if stays { Tail::Number } else { Tail::Any })]);
        }
        for name in &assigned.names {
            self.state.variables.forget(name);
        }
        if assigned.moves {
            self.state.place = Place::Elsewhere;
        }
    }

    fn command(&mut self, command: &Command) {
        for redirect in &command.redirects {
            self.redirect(redirect);
        }
        match &command.kind {
            Kind::Simple(simple) => self.simple(simple, &command.span),
            Kind::Group(script) => self.script(script),
            Kind::Subshell(script) => self.apart(|judge| judge.script(script)),
            Kind::If { arms, otherwise } => self.conditional(arms, otherwise.as_ref()),
            Kind::Loop { condition, body } => self.repeat(condition, body),
            Kind::For { name, words, body } => self.each(name, words.as_deref(), body, &command.span),
            Kind::Case { word, arms } => self.case(word, arms),
            Kind::Test(words) => self.test(words, &command.span),
        }
    }

    fn conditional(&mut self, arms: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut ends: Vec<State> = Vec::new();
        for (condition, body) in arms {
            self.script(condition);
            let before = self.state.clone();
            self.script(body);
            ends.push(std::mem::replace(&mut self.state, before));
        }
        if let Some(otherwise) = otherwise {
            self.script(otherwise);
        }
        for end in &ends {
            self.state.join(end);
        }
    }

    fn repeat(&mut self, condition: &Script, body: &Script) {
        let mut assigned = names::Assigned::default();
        assigned.script(condition);
        assigned.script(body);
        self.forget(&assigned);
        let before = self.state.clone();
        self.script(condition);
        self.script(body);
        self.state.join(&before);
    }

    fn each(&mut self, name: &str, words: Option<&[Word]>, body: &Script, span: &Span) {
        if !names::plain(name) {
            self.note(Finding::unproved(span, format!("{name} has a meaning to the shell or to programs")));
        }
        let mut values = Vec::new();
        for word in words.unwrap_or_default() {
            self.word(word);
            for arg in expand(word, &self.state.variables, Use::Argument) {
                values.push(Value { text: arg.text, tail: arg.tail });
            }
        }
        if words.is_none() {
            values.push(Value::of(Tail::Any));
        }
        let mut assigned = names::Assigned::default();
        assigned.script(body);
        let changed = assigned.names.iter().chain(&assigned.numbers).any(|other| other == name);
        self.forget(&assigned);
        let before = self.state.clone();
        if changed {
            self.state.variables.forget(name);
        } else {
            self.state.variables.set(name, values);
        }
        self.script(body);
        self.state.join(&before);
        self.state.variables.forget(name);
    }

    fn case(&mut self, word: &Word, arms: &[(Vec<Word>, Script)]) {
        self.word(word);
        let before = self.state.clone();
        let mut end = before.clone();
        for (patterns, body) in arms {
            for pattern in patterns {
                self.word(pattern);
            }
            // An arm may follow another one (`;&`).
            self.state = end.clone();
            self.script(body);
            end.join(&self.state);
        }
        self.state = end;
    }

    /// `[[ … ]]`, where numbers are evaluated as arithmetic and `-v` evaluates a subscript.
    fn test(&mut self, words: &[Word], span: &Span) {
        for word in words {
            self.word(word);
        }
        for (index, word) in words.iter().enumerate() {
            match word.bare() {
                // A POSIX shell would start what follows as a command.
                Some("&&" | "||")
                    if words
                        .get(index + 1)
                        .and_then(Word::bare)
                        .is_some_and(|next| !next.starts_with(['-', '!', '(', '$'])) =>
                {
                    self.note(Finding::unproved(&word.span, "a plain word after an operator of [[ ]]"));
                }
                Some("-v" | "-R") => {
                    self.note(Finding::unproved(&word.span, "this test evaluates a variable's name"));
                }
                Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") => {
                    let sides = [index.checked_sub(1).and_then(|at| words.get(at)), words.get(index + 1)];
                    let number = |side: Option<&Word>| {
                        side.is_some_and(|word| {
                            expand(word, &self.state.variables, Use::Text).iter().all(Arg::is_number)
                        })
                    };
                    if !sides.into_iter().all(number) {
                        self.note(Finding::unproved(
                            span,
                            "[[ ]] evaluates these texts as arithmetic, which can run commands",
                        ));
                    }
                }
                _ => {}
            }
        }
    }

    /// The commands inside a word.
    fn word(&mut self, word: &Word) {
        for piece in &word.pieces {
            match piece {
                Piece::Output { script, .. } | Piece::Process { script } => self.apart(|judge| judge.script(script)),
                Piece::Arithmetic { names } => {
                    for name in names {
                        if !self.state.variables.is_number(name) {
                            let message = format!("arithmetic evaluates the text of {name}, which can run commands");
                            self.note(Finding::unproved(&word.span, message));
                        }
                    }
                }
                Piece::Text { .. } | Piece::Variable { .. } => {}
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        let (word, writes) = match &redirect.kind {
            RedirectKind::Descriptor | RedirectKind::Document => return,
            RedirectKind::Text(word) => return self.word(word),
            RedirectKind::From(word) => (word, false),
            RedirectKind::To(word) => (word, true),
            RedirectKind::Both(word) => {
                self.word(word);
                return self.note(Finding::changes(&redirect.span, "<> creates the file"));
            }
        };
        self.word(word);
        for arg in expand(word, &self.state.variables, Use::Argument) {
            let finding = if writes { output_target(&arg, &redirect.span) } else { input_target(&arg, &redirect.span) };
            self.note(finding);
        }
    }

    fn simple(&mut self, simple: &Simple, span: &Span) {
        for assignment in &simple.assignments {
            match &assignment.value {
                Assigned::Word(word) => self.word(word),
                Assigned::Array(words) => words.iter().for_each(|word| self.word(word)),
            }
        }
        for word in &simple.words {
            self.word(word);
        }
        let covered = self
            .allowed
            .as_ref()
            .is_some_and(|allowed| part(simple, span, allowed.source).is_some_and(|part| (allowed.covers)(&part)));
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                if !covered {
                    let finding = self.assigned(assignment);
                    self.note(finding);
                }
                // Whoever answers for it, the value is known.
                self.assign(assignment);
            }
            return;
        }
        if covered {
            simple.assignments.iter().for_each(|assignment| self.state.variables.forget(&assignment.name));
            return self.effects(simple);
        }
        for assignment in &simple.assignments {
            // `read` alone obeys this one, and only splits by it.
            let splits = assignment.name == "IFS"
                && !assignment.append
                && simple.words.first().and_then(plain_text).is_some_and(|name| name == "read");
            if !splits {
                let finding = self.environment(assignment);
                self.note(finding);
            }
        }
        let words: Vec<Vec<Arg>> =
            simple.words.iter().map(|word| expand(word, &self.state.variables, Use::Argument)).collect();
        for way in ways(words, span) {
            let finding = self.program(&way);
            self.note(finding);
        }
        self.effects(simple);
    }

    /// What `name=value` on its own comes to.
    fn assigned(&self, assignment: &Assignment) -> Finding {
        let name = &assignment.name;
        if names::plain(name) || self.environment(assignment).reads() {
            return Finding::Reads;
        }
        Finding::unproved(&assignment.span, format!("{name} has a meaning to the shell or to programs"))
    }

    /// `name=value` on its own takes effect.
    fn assign(&mut self, assignment: &Assignment) {
        let name = &assignment.name;
        match &assignment.value {
            Assigned::Word(word) if !assignment.append => {
                let ways = expand(word, &self.state.variables, Use::Text);
                let values = ways.into_iter().map(|arg| Value { text: arg.text, tail: arg.tail }).collect();
                self.state.variables.set(name, values);
            }
            _ => self.state.variables.forget(name),
        }
    }

    /// `name=value` before a command.
    fn environment(&self, assignment: &Assignment) -> Finding {
        if let Assigned::Word(word) = &assignment.value
            && let [arg] = expand(word, &self.state.variables, Use::Text).as_slice()
            && let Some(value) = arg.known()
            && !assignment.append
            && names::harmless_setting(&assignment.name, value)
        {
            return Finding::Reads;
        }
        let name = &assignment.name;
        Finding::unproved(&assignment.span, format!("{name} in the environment can change what the command does"))
    }

    /// What a command does to the shell itself.
    fn effects(&mut self, simple: &Simple) {
        let first = simple.words.first().and_then(plain_text);
        let Some(name) = first.as_deref() else { return };
        match name {
            "cd" | "pushd" | "popd" => self.move_to(simple),
            "command" | "builtin" => {
                let mut assigned = names::Assigned::default();
                assigned.simple(simple);
                self.forget(&assigned);
            }
            "read" | "mapfile" | "readarray" => {
                for word in &simple.words[1..] {
                    if let Some(text) = plain_text(word) {
                        self.state.variables.forget(&text);
                    }
                }
            }
            _ => {}
        }
    }

    fn move_to(&mut self, simple: &Simple) {
        let mut target = None;
        if let [_, word] = simple.words.as_slice()
            && let [arg] = expand(word, &self.state.variables, Use::Argument).as_slice()
        {
            target = arg.known().map(str::to_owned);
        }
        let top = matches!(simple.words.as_slice(), [_, word] if is_top_level(word));
        self.state.place = match target.as_deref() {
            _ if top => self.state.place,
            Some(".") => self.state.place,
            Some(target) if self.is_same_repository(target) => Place::Trusted,
            _ => Place::Elsewhere,
        };
    }

    /// Whether the caller answers for `directory`, as it would be reached from here.
    pub(crate) fn is_same_repository(&self, directory: &str) -> bool {
        if directory == "." {
            return self.state.place != Place::Elsewhere;
        }
        let trimmed = if directory.len() > 1 { directory.trim_end_matches('/') } else { directory };
        let known = self.context.same_repository.iter().any(|known| known == directory || known == trimmed);
        known && (directory.starts_with('/') || self.state.place == Place::Start)
    }

    /// Judges a program that is started in a directory nobody answers for.
    pub(crate) fn elsewhere(&mut self, args: &[Arg]) -> Finding {
        let place = std::mem::replace(&mut self.state.place, Place::Elsewhere);
        let finding = self.program(args);
        self.state.place = place;
        finding
    }

    /// Judges a program with its arguments.
    pub(crate) fn program(&mut self, args: &[Arg]) -> Finding {
        if self.depth >= parse::DEEPEST {
            return Finding::unproved(&args[0].span, "commands are nested too deeply");
        }
        self.depth += 1;
        let finding = check::program(self, args);
        self.depth -= 1;
        finding
    }
}

/// `$(git rev-parse --show-toplevel)`: the top of the repository where the line is.
fn is_top_level(word: &Word) -> bool {
    let mut pieces = word.pieces.iter().filter(|piece| !matches!(piece, Piece::Text { text, .. } if text.is_empty()));
    let (Some(Piece::Output { script, .. }), None) = (pieces.next(), pieces.next()) else { return false };
    let mut commands = Vec::new();
    each_simple(script, &mut |simple, _| commands.push(simple.words.iter().map(plain_text).collect::<Vec<_>>()));
    let wanted = ["git", "rev-parse", "--show-toplevel"].map(|text| Some(text.to_owned()));
    matches!(commands.as_slice(), [words] if words.as_slice() == wanted)
}

/// The text of a word in which nothing is expanded.
pub(crate) fn plain_text(word: &Word) -> Option<String> {
    word.pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Every combination of the ways that the words can turn out.
fn ways(mut words: Vec<Vec<Arg>>, span: &Span) -> Vec<Vec<Arg>> {
    while words.iter().map(Vec::len).fold(1_usize, usize::saturating_mul) > MOST_WAYS {
        let widest = words.iter_mut().max_by_key(|ways| ways.len()).expect("there are words");
        let many = widest.iter().any(|arg| arg.many);
        let span = widest.first().map_or(span.clone(), |arg| arg.span.clone());
        *widest = vec![Arg::open("", Tail::Any, many, span)];
    }
    let mut all = vec![Vec::with_capacity(words.len())];
    for alternatives in words {
        if let [only] = alternatives.as_slice() {
            all.iter_mut().for_each(|way: &mut Vec<Arg>| way.push(only.clone()));
        } else {
            all = all
                .iter()
                .flat_map(|way| {
                    alternatives.iter().map(move |arg| [way.as_slice(), std::slice::from_ref(arg)].concat())
                })
                .collect();
        }
    }
    all
}

fn output_target(arg: &Arg, span: &Span) -> Finding {
    match arg.known() {
        Some("/dev/null" | "/dev/stdout" | "/dev/stderr") => Finding::Reads,
        Some(file) => Finding::changes(span, format!("the output goes to the file {file}"))
            .instead("leave the redirection out; the output is shown to you"),
        None => Finding::changes(span, "the output goes to a file"),
    }
}

fn input_target(arg: &Arg, span: &Span) -> Finding {
    let open = match arg.tail {
        Tail::None => !arg.many,
        Tail::Name => true,
        _ => {
            !arg.text.is_empty()
                && (!arg.text.starts_with('/') || arg.text.starts_with("/dev/fd/") || harmless_start(&arg.text))
        }
    };
    if !open {
        return Finding::unproved(span, "it is not known what this reads: it could be a connection or a device");
    }
    if arg.tail == Tail::None && strange_path(&arg.text) {
        return Finding::unproved(span, "this reads a device or opens a connection");
    }
    Finding::Reads
}

/// Whether a path that begins so cannot end under `/dev`.
fn harmless_start(text: &str) -> bool {
    text.len() > 1 && !"/dev/".starts_with(text) && !text.starts_with("/dev") && !text.starts_with("//")
}

/// Paths whose reading does something: devices, connections, kernel queues, remote shares.
pub(crate) fn strange_path(path: &str) -> bool {
    if !path.starts_with('/') {
        return remote_share(path);
    }
    if remote_share(path) {
        return true;
    }
    if path.contains("/../") || path.contains("/./") || path.contains("//") {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        return ["dev", "proc", "sys", "inet"].iter().any(|root| parts.contains(root));
    }
    if let Some(device) = path.strip_prefix("/dev/") {
        let harmless = ["null", "stdin", "stdout", "stderr", "zero", "urandom", "random", "full"];
        return !harmless.contains(&device)
            && !device.strip_prefix("fd/").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    }
    path.starts_with("/inet")
        || path.starts_with("/sys/kernel/debug/")
        || path.starts_with("/proc/kmsg")
        || path.contains("/tracing/")
        || path.ends_with("/trace_pipe")
        || (path.starts_with("/proc/") && path.contains("/fd/"))
}

/// `//host/share`: some systems send the user's credentials to the host.
pub(crate) fn remote_share(path: &str) -> bool {
    ["//", "\\\\"].iter().any(|start| {
        let Some(rest) = path.strip_prefix(start) else { return false };
        let Some((host, _)) = rest.split_once(['/', '\\']) else { return false };
        !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    })
}
