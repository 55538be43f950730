//! Every sentence the model is shown.

use std::path::Path;

macro_rules! stub { ($($name:ident($($arg:ident: $t:ty),*));* $(;)?) => { $(
    /// being written
    pub fn $name($($arg: $t),*) -> String { let _ = ($(&$arg,)*); stringify!($name).to_owned() } )* } }
stub! {
    not_in_plan_mode(); plan_unreadable(path: &Path, why: &str); no_plan(path: &Path); plan_too_long(lines: usize, path: &Path);
    mode_changed_meanwhile(mode: crate::mode::Mode); interrupted(); plan_rejected(feedback: Option<&str>); exited_without_plan();
    plan_approved(path: &Path, plan: &str, edited: bool, team: bool); summary(text: &str); note(note: &crate::attach::Attachment);
}
