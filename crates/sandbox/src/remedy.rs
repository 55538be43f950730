//! What a user could do to get stronger walls. It is said, and never done.

use crate::probe::Fault;

/// What would help against a fault, if anything is known to.
pub(crate) fn to(fault: &Fault) -> Option<String> {
    let setting = |file: &str| std::fs::read_to_string(file).ok().map(|text| text.trim().to_owned());
    let Fault::NotBuilt(reason) = fault else { return None };
    choose(
        reason,
        setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").as_deref() == Some("1"),
        setting("/proc/sys/user/max_user_namespaces").as_deref() == Some("0")
            || setting("/proc/sys/kernel/unprivileged_userns_clone").as_deref() == Some("0"),
        std::path::Path::new("/.dockerenv").exists() || std::path::Path::new("/run/.containerenv").exists(),
    )
}

fn choose(reason: &str, apparmor: bool, switched_off: bool, container: bool) -> Option<String> {
    let text = if apparmor {
        "This system lets only programs with an AppArmor profile make user namespaces: install bubblewrap 0.11 or newer, \
         if the system has a profile for it, or a profile for this program that contains `userns,`."
    } else if switched_off {
        "User namespaces are switched off (sysctl `user.max_user_namespaces` or `kernel.unprivileged_userns_clone`)."
    } else if container && reason.contains("/proc") {
        "This container masks /proc: start it with `--security-opt systempaths=unconfined`."
    } else if container {
        "This container forbids namespaces: start it with `--security-opt seccomp=unconfined` and \
         `--security-opt systempaths=unconfined`."
    } else if reason.contains("Landlock") {
        "The kernel needs Landlock (5.19 or newer, and `landlock` among its security modules)."
    } else {
        return None;
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn each_cause_has_its_remedy() {
        let rows = [
            (choose("identities", true, false, false), Some("AppArmor")),
            (choose("namespaces", false, true, false), Some("switched off")),
            (choose("private /proc", false, false, true), Some("systempaths")),
            (choose("namespaces", false, false, true), Some("seccomp=unconfined")),
            (choose("Landlock", false, false, false), Some("5.19")),
            (choose("namespaces", false, false, false), None),
        ];
        for (got, wanted) in rows {
            match wanted {
                Some(part) => assert!(got.as_ref().is_some_and(|got| got.contains(part)), "{got:?}"),
                None => assert_eq!(got, None),
            }
        }
    }
}
