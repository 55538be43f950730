//! Experiments: files edited and read in the session's scratch copy, what they come to, and applying
//! that to the real files, all of it or nothing.

use std::io;
use std::path::{Path, PathBuf};

use planwright_core::bounds;
use planwright_core::call::Call;
use planwright_core::experiment::{Applied, AppliedFile, Content, Draft, Drafts, Proposal, Proposed, named};
use planwright_core::permit::{Confinement, Permit, Target, TargetKind};
use planwright_sandbox::{Changes, Program, Spec, changes_in_copy, read_in_copy, write_in_copy};
use rustix::io::Errno;

use crate::change::{self, Change, ReadFirst, Source};
use crate::guard::Guard;
use crate::outcome::{Outcome, SessionView, seen};
use crate::{open, read, scratch, textfile};

/// A file as it is and as the copy has it.
struct Both {
    real: Option<Vec<u8>>,
    copy: Option<Vec<u8>>,
}

impl Both {
    async fn of(spec: &Spec, target: &Target) -> Result<Self, String> {
        let real = match target.kind {
            TargetKind::Missing => None,
            TargetKind::File | TargetKind::Folder | TargetKind::Other => Some(open::bytes(target)?),
        };
        Ok(Self { real, copy: in_copy(spec, &target.real).await? })
    }

    /// An edit of this file is in the log, and the copy does not have it any more.
    fn lost(&self, draft: Option<&Draft>) -> bool {
        let copy = self.copy.as_deref().map(textfile::sha256);
        self.copy == self.real && draft.is_some_and(|draft| copy.as_ref() != Some(&draft.sha256))
    }
}

const LOST: &str = "your edit of this file in the scratch copy is gone: the file was changed outside the session, which \
                    wins, or a command put it back";

/// A copy in which this session can experiment.
///
/// # Errors
/// There is none.
async fn copy(guard: &Guard, root: &Path) -> Result<Spec, String> {
    let mut spec = Spec::new(Program::Argv(vec!["/".into()]), root, planwright_sandbox::Confinement::Scratch);
    guard.wall(&mut spec, root, true).await?;
    if spec.view.is_none() {
        return Err("There is no scratch copy to experiment in; nothing was done.".to_owned());
    }
    Ok(spec)
}

async fn in_copy(spec: &Spec, path: &Path) -> Result<Option<Vec<u8>>, String> {
    let limit = usize::try_from(bounds::FILE_BYTES).unwrap_or(usize::MAX);
    match read_in_copy(spec, path, limit).await.map_err(|error| format!("{error}."))? {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(format!("{} cannot be read in the scratch copy: {}.", path.display(), in_the_way(&error))),
    }
}

/// Why a file of the copy is out of reach. The path held no links when it was resolved.
fn in_the_way(error: &io::Error) -> String {
    match Errno::from_io_error(error) {
        Some(Errno::LOOP) => "a command has put a link there, in its place or in that of a folder above it".to_owned(),
        Some(Errno::INVAL | Errno::ISDIR | Errno::NXIO) => {
            "a command has put something there that is no regular file".to_owned()
        }
        Some(_) | None => error.to_string(),
    }
}

/// `Read` while the session experiments: the file as the copy has it, and word of it where that differs.
pub(crate) async fn read(
    call: &planwright_core::call::Read,
    target: &Target,
    view: &SessionView,
    (guard, root): (&Guard, &Path),
    drafts: &Drafts,
) -> Result<Outcome, String> {
    if !guard.has_copy() || view.plan_file.as_ref() == Some(&target.real) {
        return read::run(call, target, Source::Disk);
    }
    match target.kind {
        TargetKind::File | TargetKind::Missing => {}
        TargetKind::Folder | TargetKind::Other => return read::run(call, target, Source::Disk),
    }
    let both = Both::of(&copy(guard, root).await?, target).await?;
    if both.copy == both.real {
        let mut outcome = read::run(call, target, Source::Disk)?;
        if both.lost(drafts.get(&target.real)) {
            outcome.content += &format!("\n[{LOST}; this is the real file]");
        }
        return Ok(outcome);
    }
    let mut outcome = read::run(call, target, Source::Copy(both.copy.as_deref()))?;
    outcome.content += "\n[this is the file as it is in the scratch copy; the real file is another]";
    Ok(outcome)
}

/// An edit in the copy. The real file is read, and not touched.
pub(crate) async fn edit(
    permit: &Permit,
    view: &SessionView,
    (guard, root): (&Guard, &Path),
) -> Result<Outcome, String> {
    let target = open::only_target(permit)?;
    let spec = copy(guard, root).await?;
    let both = Both::of(&spec, target).await?;
    let draft = view.experiment.as_ref().and_then(|drafts| drafts.get(&target.real));
    let lost = both.lost(draft);
    let source = Source::Copy(both.copy.as_deref());
    let change = match change::of(permit.call(), target, source, ReadFirst::Yes(view)) {
        Ok(Some(change)) => change,
        Ok(None) => return Err("internal error: not a file tool".to_owned()),
        Err(why) if lost => return Err(format!("{why} ({LOST}.)")),
        Err(why) => return Err(why),
    };
    let bytes = change.bytes();
    write_in_copy(&spec, &target.real, &bytes)
        .await
        .map_err(|error| format!("{error}."))?
        .map_err(|error| format!("{} cannot be written in the scratch copy: {}.", target.named, in_the_way(&error)))?;
    let base = match draft {
        Some(draft) if !lost => draft.base.clone(),
        Some(_) | None => both.real.as_deref().map(textfile::sha256),
    };
    let seen = seen(&target.real, &bytes);
    let draft = Draft { path: target.real.clone(), base, sha256: seen.sha256.clone() };
    Ok(Outcome {
        diff: Some(change.diff(target)),
        content: format!("{}\n[in the scratch copy; the real file is as it was]", change.done.trim_end()),
        is_error: false,
        scratch: None,
        seen: vec![seen],
        drafts: vec![draft],
    })
}

/// All that the copy would change by now; `None`: there is no copy.
///
/// # Errors
/// It cannot be looked at.
pub(crate) async fn all_changes((guard, root): (&Guard, &Path)) -> Result<Option<Changes>, String> {
    if !guard.has_copy() {
        return Ok(None);
    }
    let changes = changes_in_copy(&copy(guard, root).await?).await;
    changes.map(Some).map_err(|error| format!("{error}."))
}

/// What an experiment comes to now.
///
/// # Errors
/// The copy cannot be looked at.
pub(crate) async fn proposal(drafts: &Drafts, (guard, root): (&Guard, &Path)) -> Result<Proposal, String> {
    let mut proposal = Proposal::default();
    if drafts.is_empty() || !guard.has_copy() {
        return Ok(proposal);
    }
    let spec = copy(guard, root).await?;
    for draft in drafts.values() {
        let target = crate::resolve::target(root, None, draft.path.display().to_string());
        let both = Both::of(&spec, &target).await?;
        if both.copy == both.real {
            continue;
        }
        match proposed(draft, &both) {
            Ok(file) => proposal.files.push(file),
            Err(why) => proposal.trouble = Some(format!("{} {why}", draft.path.display())),
        }
    }
    let changes = changes_in_copy(&spec).await.map_err(|error| format!("{error}."))?;
    proposal.others = scratch::others(&changes, drafts);
    Ok(proposal)
}

fn proposed(draft: &Draft, both: &Both) -> Result<Proposed, String> {
    if both.real.as_deref().map(textfile::sha256) != draft.base {
        return Err("was changed outside the session since it was edited in the scratch copy".to_owned());
    }
    let Some(after) = &both.copy else {
        return Err("was deleted in the scratch copy by a command, and an experiment deletes nothing".to_owned());
    };
    // An agent's command it may be, or one that makes a change which a diff of texts does not show.
    if textfile::sha256(after) != draft.sha256 {
        return Err("was changed in the scratch copy by a command since it was edited there, and only edits are \
                    applied: to have it applied as it is now, the model must read it and edit it again"
            .to_owned());
    }
    let content = |bytes: &[u8]| Content::of(bytes).ok_or("is not text that could be written back unchanged");
    let before = both.real.as_deref().map(content).transpose()?;
    Ok(Proposed { path: draft.path.clone(), before, after: content(after)? })
}

/// Why files could not be changed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotDone {
    /// Nothing is changed; a clause.
    Nothing(String),
    /// Some files are changed and could not be put back; a clause.
    InPart(String),
}

/// One file to be put in place, by its permit.
pub(crate) struct Put {
    permit: Permit,
    path: PathBuf,
    /// What must be there, as hex sha256; `None`: nothing.
    now: Option<String>,
    /// What is to be there; `None`: nothing.
    then: Option<Content>,
    /// What was there, for the way back.
    before: Option<Content>,
}

impl Put {
    pub(crate) fn applying(permit: Permit, file: Proposed) -> Self {
        let now = file.before.as_ref().map(Content::sha256);
        Self { permit, path: file.path, now, then: Some(file.after), before: file.before }
    }

    pub(crate) fn undoing(permit: Permit, file: AppliedFile) -> Self {
        Self { permit, path: file.path, now: Some(file.sha256), then: file.before, before: None }
    }

    /// The file as it must be, once more looked at.
    fn look(&self) -> Result<(Target, Option<Vec<u8>>), String> {
        let target = open::only_target(&self.permit)?.clone();
        let (Call::Write(_), Confinement::None) = (self.permit.call(), self.permit.confinement()) else {
            return Err(format!("internal error: the permit is not for {}", self.path.display()));
        };
        if target.real != self.path {
            return Err(format!("{} is now a link, and leads to {}", self.path.display(), target.real.display()));
        }
        // Words for a person, who was shown the file as it was.
        let bytes = match target.kind {
            TargetKind::Missing => None,
            TargetKind::Folder => return Err(format!("{} is a folder now", self.path.display())),
            TargetKind::Other => return Err(format!("{} is no regular file now", self.path.display())),
            TargetKind::File => Some(open::bytes(&target).map_err(|why| why.trim_end_matches('.').to_owned())?),
        };
        Ok((target, bytes))
    }

    /// Whether the file is already as it is to be.
    fn is_done(&self, bytes: Option<&[u8]>) -> bool {
        bytes.map(textfile::sha256) == self.then.as_ref().map(Content::sha256)
    }

    fn check(&self) -> Result<(), String> {
        let (_, bytes) = self.look()?;
        if bytes.as_deref().map(textfile::sha256) == self.now {
            return Ok(());
        }
        Err(format!("{} was changed meanwhile", self.path.display()))
    }

    fn put(&self, (root, home): (&Path, Option<&Path>), view: &SessionView) -> Result<(), String> {
        open::unchanged(root, home, &self.permit)?;
        self.check()?;
        let (target, bytes) = self.look()?;
        replace(&target, bytes.as_deref(), self.then.as_ref(), view)
    }
}

/// Makes a file's content this, or the file go.
fn replace(target: &Target, old: Option<&[u8]>, new: Option<&Content>, view: &SessionView) -> Result<(), String> {
    let Some(new) = new else {
        let (Some(folder), Some(name)) = (target.real.parent(), target.real.file_name()) else {
            return Err(format!("{} is no file", target.real.display()));
        };
        let gone = open::folder(folder).and_then(|folder| std::fs::remove_file(folder.pinned.join(name)));
        return gone.map_err(|error| format!("{} cannot be removed: {error}", target.real.display()));
    };
    let old = old.and_then(Content::of).map(|content| content.text);
    let change = Change { old, new: new.text.clone(), encoding: new.encoding, done: String::new() };
    change.make(target, view).map(|_| ())
}

/// The folders that these files need and that are not there, outer ones first.
pub(crate) fn missing_folders<'p>(paths: impl Iterator<Item = &'p Path>) -> Vec<PathBuf> {
    let mut missing: Vec<_> = paths
        .flat_map(|path| path.ancestors().skip(1).take_while(|folder| folder.symlink_metadata().is_err()))
        .map(Path::to_path_buf)
        .collect();
    missing.sort();
    missing.dedup();
    missing
}

/// Checks that every file is as it must be.
///
/// # Errors
/// Those that are not, in a clause.
pub(crate) fn check(files: &[Put]) -> Result<(), String> {
    let wrong: Vec<_> = files.iter().filter_map(|file| file.check().err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// Applies all, or takes back what was done so far.
pub(crate) fn apply(
    files: &[Put],
    folders: &[PathBuf],
    place: (&Path, Option<&Path>),
    view: &SessionView,
) -> Result<(), NotDone> {
    check(files).map_err(NotDone::Nothing)?;
    for (done, file) in files.iter().enumerate() {
        let Err(why) = file.put(place, view) else { continue };
        let left: Vec<_> = files[..done]
            .iter()
            .filter(|file| take_back(place, file, view).is_err())
            .map(|f| f.path.as_path())
            .collect();
        remove_folders(folders);
        return Err(match left.as_slice() {
            [] => NotDone::Nothing(why),
            left => NotDone::InPart(format!("{why}; not put back: {}", named(left.iter().copied()))),
        });
    }
    Ok(())
}

fn take_back((root, home): (&Path, Option<&Path>), file: &Put, view: &SessionView) -> Result<(), String> {
    let target = crate::resolve::target(root, home, file.path.display().to_string());
    replace(&target, Some(&open::bytes(&target)?), file.before.as_ref(), view)
}

/// Removes folders that were made, unless something else is in them now.
fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
}

/// Takes back what was applied, however far that came. Every file is as it was applied or as it was
/// before, or nothing is done.
pub(crate) fn undo(
    files: Vec<Put>,
    applied: &Applied,
    place: (&Path, Option<&Path>),
    view: &SessionView,
) -> Result<(), NotDone> {
    let mut due = Vec::new();
    let mut wrong = Vec::new();
    for file in files {
        match file.look() {
            Ok((_, bytes)) if file.is_done(bytes.as_deref()) => {}
            Ok(_) => match file.check() {
                Ok(()) => due.push(file),
                Err(why) => wrong.push(why),
            },
            Err(why) => wrong.push(why),
        }
    }
    if !wrong.is_empty() {
        return Err(NotDone::Nothing(wrong.join("; ")));
    }
    for (done, file) in due.iter().enumerate() {
        if let Err(why) = file.put(place, view) {
            return Err(if done == 0 { NotDone::Nothing(why) } else { NotDone::InPart(why) });
        }
    }
    remove_folders(&applied.folders);
    Ok(())
}
