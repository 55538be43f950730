//! Attacks on the kernel's settings and on the walls themselves. Most are never made without walls.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

use crate::attacks::Control::{Never, Perhaps, RootLeaks};
use crate::attacks::{Row, breach};
use crate::files::{c, done};
use crate::prey::Prey;

pub const ATTACKS: &[Row] = &[
    ("settings of the kernel: opened", Never, |_| {
        for file in [
            "/proc/sys/kernel/core_pattern",
            "/proc/sys/kernel/hostname",
            "/proc/sys/kernel/modprobe",
            "/proc/sys/vm/swappiness",
            "/proc/sys/fs/file-max",
            "/proc/sys/net/ipv4/ip_forward",
            "/proc/sysrq-trigger",
            "/proc/irq/default_smp_affinity",
            "/sys/kernel/mm/transparent_hugepage/enabled",
            "/sys/power/state",
            "/sys/kernel/uevent_helper",
            "/dev/kmsg",
        ] {
            if OpenOptions::new().write(true).open(file).is_ok() {
                breach(file);
            }
        }
        Ok(())
    }),
    ("settings of the kernel: every file of /proc/sys", Never, |_| walk(Path::new("/proc/sys"))),
    ("everything in /proc but processes", Never, |_| {
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let process = name.bytes().all(|byte| byte.is_ascii_digit()) || name.ends_with("self") || name == "sys";
            if !process {
                walk(&entry.path())?;
            }
        }
        Ok(())
    }),
    ("settings of the kernel: written", Never, |_| {
        let _ = std::fs::write("/proc/sys/kernel/domainname", "pw-escape");
        std::fs::write("/proc/sys/vm/swappiness", "61")
    }),
    ("the machine's name", Never, |_| done(unsafe { libc::sethostname(c"pw-escape".as_ptr(), 9) }.into())),
    ("the machine's devices", Never, |_| {
        for entry in std::fs::read_dir("/dev")?.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let harmless =
                ["null", "zero", "full", "random", "urandom", "tty", "ptmx", "fd", "stdin", "stdout", "stderr"];
            // What a device is opened for decides; nothing is written.
            if !harmless.contains(&name.as_ref()) && entry.path().is_file_or_device() {
                for (read, write) in [(false, true), (true, false)] {
                    if OpenOptions::new().read(read).write(write).open(entry.path()).is_ok() {
                        breach(&format!("/dev/{name}"));
                    }
                }
            }
        }
        Ok(())
    }),
    ("a device of its own", Never, |prey| {
        for folder in [prey.roots[0].as_path(), Path::new("/dev/shm"), Path::new("/tmp"), Path::new("/run")] {
            let path = folder.join("pw-device");
            let name = c(&path);
            // The first disk, and kernel memory.
            for (kind, major, minor) in [(libc::S_IFBLK, 254, 0), (libc::S_IFBLK, 8, 0), (libc::S_IFCHR, 1, 1)] {
                // SAFETY: a C string that outlives the call.
                unsafe { libc::mknod(name.as_ptr(), kind | 0o600, libc::makedev(major, minor)) };
                if OpenOptions::new().read(true).open(&path).is_ok() {
                    breach("a device made here");
                }
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok(())
    }),
    ("a control group", RootLeaks, |prey| {
        for folder in ["/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified"] {
            let path = Path::new(folder).join(format!("pw-{}", prey.mark));
            let _ = std::fs::create_dir(&path);
        }
        Ok(())
    }),
    ("mount over the project", Never, |prey| {
        let at = c(&prey.roots[0]);
        // SAFETY: C strings that outlive the call.
        let mounted = unsafe { libc::mount(c"x".as_ptr(), at.as_ptr(), c"tmpfs".as_ptr(), 0, std::ptr::null()) };
        if mounted == 0 {
            breach("mount");
        }
        Ok(())
    }),
    ("unmount everything and write below", Never, |prey| below(prey)),
    ("the same with new namespaces", Never, |prey| {
        let all = libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID;
        // SAFETY: it takes no pointer.
        for flags in [all, libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWNET, libc::CLONE_NEWCGROUP, 0x80] {
            if unsafe { libc::unshare(flags) } == 0 {
                breach("a new namespace");
            }
        }
        below(prey)
    }),
    ("new namespaces by clone3", Never, |_| {
        let mut arguments = [0u64; 11];
        arguments[0] = 0x1000_0000;
        arguments[4] = 17;
        // SAFETY: a structure as long as its size says. The child, if there is one, leaves at once.
        let child = unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), 88) };
        if child == 0 {
            unsafe { libc::_exit(0) };
        }
        if child > 0 {
            breach("clone3");
        }
        Ok(())
    }),
    ("new namespaces by clone", Never, |_| {
        // SAFETY: as after fork; the child leaves at once.
        let child = unsafe { libc::syscall(libc::SYS_clone, libc::CLONE_NEWUSER | libc::SIGCHLD, 0, 0, 0, 0) };
        if child == 0 {
            unsafe { libc::_exit(0) };
        }
        if child > 0 {
            breach("clone");
        }
        Ok(())
    }),
    ("namespaces of other processes", Never, |prey| {
        for pid in [1, prey.victim] {
            for kind in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
                if let Ok(file) = std::fs::File::open(format!("/proc/{pid}/ns/{kind}")) {
                    // SAFETY: it takes no pointer.
                    if unsafe { libc::setns(file.as_raw_fd(), 0) } == 0 {
                        breach(kind);
                    }
                }
            }
        }
        Ok(())
    }),
    ("the new way to mount", Never, |prey| {
        let at = c(&prey.roots[0]);
        // SAFETY: C strings and buffers that outlive the calls.
        unsafe {
            let results = [
                libc::syscall(libc::SYS_fsopen, c"tmpfs".as_ptr(), 0),
                libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, at.as_ptr(), 1),
                libc::syscall(libc::SYS_fspick, libc::AT_FDCWD, c"/".as_ptr(), 0),
            ];
            if results.iter().any(|result| *result >= 0) {
                breach("the new way to mount");
            }
            // Clear the read-only attribute of everything.
            let attr = [0u64, 1, 0, 0];
            if libc::syscall(libc::SYS_mount_setattr, libc::AT_FDCWD, c"/".as_ptr(), 0x8000, attr.as_ptr(), 32) == 0 {
                breach("mount_setattr");
            }
        }
        below(prey)
    }),
    ("another root", Never, |_| {
        // SAFETY: C strings that outlive the calls.
        unsafe {
            if libc::chroot(c"/proc/self/cwd".as_ptr()) == 0 {
                breach("chroot");
            }
            if libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) == 0 {
                breach("pivot_root");
            }
        }
        Ok(())
    }),
    ("a file by its handle", Never, |prey| {
        let name = c(&prey.file("write"));
        let mut handle = [0u32; 34];
        handle[0] = 128;
        let mut mount = 0i32;
        // SAFETY: a handle with room for 128 bytes, as it says.
        unsafe {
            libc::syscall(
                libc::SYS_name_to_handle_at,
                libc::AT_FDCWD,
                name.as_ptr(),
                handle.as_mut_ptr(),
                &raw mut mount,
                0,
            );
            let folder = std::fs::File::open("/")?;
            if libc::syscall(libc::SYS_open_by_handle_at, folder.as_raw_fd(), handle.as_ptr(), libc::O_RDWR) >= 0 {
                breach("open_by_handle_at");
            }
        }
        Ok(())
    }),
    ("calls into the kernel", Never, |_| {
        let zeroes = [0u64; 32];
        let at = zeroes.as_ptr();
        // SAFETY: each takes a null pointer or one to enough zeroes, and is meant to be refused.
        unsafe {
            let calls: [(&str, i64); 12] = [
                ("bpf", libc::syscall(libc::SYS_bpf, 0, at, 64)),
                ("perf_event_open", libc::syscall(libc::SYS_perf_event_open, at, 0, -1, -1, 0)),
                ("userfaultfd", libc::syscall(libc::SYS_userfaultfd, 1)),
                ("fanotify_init", libc::syscall(libc::SYS_fanotify_init, 0, 0)),
                ("init_module", libc::syscall(libc::SYS_init_module, at, 0, c"".as_ptr())),
                ("swapoff", libc::syscall(libc::SYS_swapoff, c"/no".as_ptr())),
                ("acct", libc::syscall(libc::SYS_acct, std::ptr::null::<u8>())),
                ("settimeofday", libc::syscall(libc::SYS_settimeofday, std::ptr::null::<u8>(), at)),
                ("quotactl", libc::syscall(libc::SYS_quotactl, 0x0080_0001, std::ptr::null::<u8>(), 0, 0)),
                ("syslog", libc::syscall(libc::SYS_syslog, 8, 0, 7)),
                ("reboot", libc::syscall(libc::SYS_reboot, 0xfee1_deadu32, 672_274_793, 0, 0)),
                ("iopl", libc::syscall(172, 3)),
            ];
            for (name, result) in calls {
                if result >= 0 {
                    breach(name);
                }
            }
        }
        Ok(())
    }),
    ("32-bit calls", Perhaps, |prey| {
        let _ = prey;
        #[cfg(target_arch = "x86_64")]
        {
            let id: i64;
            // SAFETY: getpid, by the gate of 32-bit programs; it takes no pointer.
            unsafe {
                std::arch::asm!("int 0x80", inlateout("rax") 20i64 => id, out("r8") _, out("r9") _, out("r10") _, out("r11") _)
            };
            if id > 0 && walled() {
                breach("int 0x80");
            }
            // SAFETY: getpid, by the gate of x32 programs.
            if unsafe { libc::syscall(0x4000_0000 + libc::SYS_getpid) } > 0 {
                breach("x32");
            }
        }
        Ok(())
    }),
    ("capabilities", Never, |prey| {
        let status = std::fs::read_to_string("/proc/self/status")?;
        let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:\t")).unwrap_or_default();
        let held = u64::from_str_radix(effective, 16).unwrap();
        // Everything but those over files and over one's own processes.
        if held & !0xff != 0 {
            breach(&format!("capabilities {held:x}"));
        }
        // SAFETY: it takes no pointer. A new user must not bring them back.
        unsafe {
            libc::setresuid(1, 1, 1);
            libc::setresuid(0, 0, 0);
        }
        below(prey)
    }),
    ("marks of an overlay", Never, |prey| {
        // What an overlay takes for a deletion, a replaced folder, and a folder that was moved.
        let deleted = c(&prey.file("rename"));
        std::fs::remove_file(prey.file("rename"))?;
        // SAFETY: a C string that outlives the call.
        if unsafe { libc::mknod(deleted.as_ptr(), libc::S_IFCHR, 0) } == 0 {
            breach("a mark of a deletion");
        }
        for name in
            ["user.overlay.opaque", "user.overlay.redirect", "user.overlay.metacopy", "trusted.overlay.redirect"]
        {
            for value in ["y", "/etc", "../../etc"] {
                let folder = prey.file("folder");
                let _ = rustix::fs::setxattr(&folder, name, value.as_bytes(), rustix::fs::XattrFlags::empty());
            }
        }
        Ok(())
    }),
    ("the filter, replaced", Never, |prey| {
        let allow = [libc::sock_filter { code: 6, jt: 0, jf: 0, k: 0x7fff_0000 }];
        let program = libc::sock_fprog { len: 1, filter: allow.as_ptr().cast_mut() };
        // SAFETY: one instruction, as it says.
        unsafe { libc::syscall(libc::SYS_seccomp, 1, 0, &raw const program) };
        below(prey)
    }),
];

/// Takes away what is on top of the project, and makes what is below writable.
fn below(prey: &Prey) -> io::Result<()> {
    for root in &prey.roots {
        for ancestor in root.ancestors() {
            let at = c(ancestor);
            // SAFETY: C strings that outlive the calls.
            unsafe {
                if libc::umount2(at.as_ptr(), libc::MNT_DETACH) == 0 {
                    breach("umount");
                }
                let flags = libc::MS_REMOUNT | libc::MS_BIND;
                if libc::mount(std::ptr::null(), at.as_ptr(), std::ptr::null(), flags, std::ptr::null()) == 0 {
                    breach("remount");
                }
            }
        }
        let _ = std::fs::write(root.join("write"), "from below");
    }
    Ok(())
}

/// Tries to open everything below a folder for writing.
fn walk(path: &Path) -> io::Result<()> {
    let meta = std::fs::symlink_metadata(path)?;
    if meta.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let _ = walk(&entry.path());
        }
    } else if meta.is_file() && OpenOptions::new().write(true).open(path).is_ok() {
        breach(&path.display().to_string());
    }
    Ok(())
}

fn walled() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Seccomp:\t2"))
}

trait IsFileOrDevice {
    fn is_file_or_device(&self) -> bool;
}

impl IsFileOrDevice for std::path::PathBuf {
    fn is_file_or_device(&self) -> bool {
        std::fs::symlink_metadata(self).is_ok_and(|meta| !meta.is_dir() && !meta.is_symlink())
    }
}
