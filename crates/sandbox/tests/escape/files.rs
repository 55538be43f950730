//! Attacks on files: contents, names, metadata, locks, pipes, and descriptors that are lying about.

use std::ffi::CString;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::attacks::Control::{Leaks, Perhaps, RootLeaks};
use crate::attacks::Row;
use crate::prey::Prey;

pub const ATTACKS: &[Row] = &[
    ("write a file of the project", Leaks, |prey| std::fs::write(prey.file("write"), "changed")),
    ("append to it", Leaks, |prey| OpenOptions::new().append(true).open(prey.file("write"))?.write_all(b"more")),
    ("create a file in the project", Leaks, |prey| std::fs::write(prey.file("created"), "new")),
    ("write in every folder", Leaks, |prey| each(prey, |root| std::fs::write(root.join("write"), "changed"))),
    ("create in every folder", Leaks, |prey| each(prey, |root| std::fs::write(root.join("created"), "new"))),
    ("create in /tmp, /var/tmp, /dev/shm and /run", Leaks, |prey| {
        let name = format!("pw-{}", prey.mark);
        for folder in ["/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/usr"] {
            let _ = std::fs::write(Path::new(folder).join(&name), "new");
        }
        std::fs::write(prey.file("created"), "new")
    }),
    ("create in /", RootLeaks, |prey| std::fs::write(format!("/pw-{}", prey.mark), "new")),
    ("truncate by path", Leaks, |prey| syscall_path(libc::SYS_truncate, &prey.file("write"), 0)),
    ("truncate on opening", Leaks, |prey| {
        OpenOptions::new().write(true).truncate(true).open(prey.file("write")).map(drop)
    }),
    ("delete a file", Leaks, |prey| std::fs::remove_file(prey.file("delete"))),
    ("delete a folder", Leaks, |prey| std::fs::remove_dir_all(prey.file("folder"))),
    ("delete everything", Leaks, |prey| {
        each(prey, |root| {
            for entry in std::fs::read_dir(root)? {
                let path = entry?.path();
                let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
            }
            Ok(())
        })
    }),
    ("rename a file", Leaks, |prey| std::fs::rename(prey.file("rename"), prey.file("renamed"))),
    ("rename into another folder", Leaks, |prey| std::fs::rename(prey.file("rename"), prey.file("folder/renamed"))),
    ("exchange two files", Leaks, |prey| {
        let (a, b) = (c(&prey.file("rename")), c(&prey.file("write")));
        // SAFETY: C strings that outlive the call.
        done(unsafe { libc::syscall(libc::SYS_renameat2, libc::AT_FDCWD, a.as_ptr(), libc::AT_FDCWD, b.as_ptr(), 2) })
    }),
    ("rename a folder", Leaks, |prey| {
        let made = std::fs::rename(prey.file("folder"), prey.file("moved"));
        made.or_else(|_| Command::new("mv").arg(prey.file("folder")).arg(prey.file("moved")).status().map(drop))
    }),
    ("link and write through the link", Leaks, |prey| {
        std::fs::hard_link(prey.file("link"), prey.file("linked"))?;
        std::fs::write(prey.file("linked"), "changed")
    }),
    ("link from another folder and write", Leaks, |prey| {
        let other = prey.roots.last().unwrap().join("linked");
        std::fs::hard_link(prey.file("link"), &other)
            .or_else(|_| std::fs::hard_link(prey.file("link"), prey.file("empty/linked")))?;
        std::fs::write(prey.file("empty/linked"), "changed").or_else(|_| std::fs::write(other, "changed"))
    }),
    ("make a symbolic link", Leaks, |prey| std::os::unix::fs::symlink("/", prey.file("new-link"))),
    ("write through a symbolic link", Leaks, |prey| std::fs::write(prey.file("symlink"), "changed")),
    ("write through /proc/self/cwd", Leaks, |_| std::fs::write("/proc/self/cwd/write", "changed")),
    ("write through /proc/self/root", Leaks, |prey| {
        std::fs::write(Path::new("/proc/self/root").join(prey.file("write").strip_prefix("/").unwrap()), "changed")
    }),
    ("write through the roots of all processes", Leaks, |prey| {
        let inner = prey.file("write");
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let _ = std::fs::write(entry.path().join("root").join(inner.strip_prefix("/").unwrap()), "changed");
            if std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == prey.roots[0]) {
                let _ = std::fs::write(entry.path().join("cwd/write"), "changed");
            }
        }
        Ok(())
    }),
    ("write through the descriptors of all processes", Leaks, |_| {
        for process in std::fs::read_dir("/proc")?.flatten() {
            let Ok(fds) = std::fs::read_dir(process.path().join("fd")) else { continue };
            for fd in fds.flatten() {
                let file = std::fs::read_link(fd.path())
                    .is_ok_and(|to| to.starts_with("/") && to.is_file() && !to.starts_with("/proc"));
                let ours = std::fs::read_link(fd.path()).is_ok_and(|to| to.to_string_lossy().contains("pw-escape"));
                if file && ours {
                    let _ = OpenOptions::new().append(true).open(fd.path()).and_then(|mut file| file.write_all(b"x"));
                }
            }
        }
        Ok(())
    }),
    ("make and remove folders", Leaks, |prey| {
        std::fs::create_dir_all(prey.file("new/deep"))?;
        std::fs::remove_dir(prey.file("empty"))
    }),
    ("odd name", Leaks, |prey| std::fs::write(prey.file("odd \n'\"\\,:=name"), "changed")),
    ("an unnamed file, given a name", Perhaps, |prey| {
        let file = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(&prey.roots[0])?;
        let (from, to) =
            (CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap(), c(&prey.file("unnamed")));
        // SAFETY: C strings that outlive the call.
        done(
            unsafe {
                libc::linkat(libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), libc::AT_SYMLINK_FOLLOW)
            }
            .into(),
        )
    }),
    ("a pipe and a socket in the project", Leaks, |prey| {
        let name = c(&prey.file("new-fifo"));
        // SAFETY: a C string that outlives the call.
        done(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }.into())
    }),
    ("change of mode", Leaks, |prey| std::fs::set_permissions(prey.file("chmod"), Permissions::from_mode(0o777))),
    ("set-user-id bit", Leaks, |prey| std::fs::set_permissions(prey.file("chmod"), Permissions::from_mode(0o4755))),
    ("change of mode by a descriptor for reading", Leaks, |prey| {
        File::open(prey.file("chmod"))?.set_permissions(Permissions::from_mode(0o777))
    }),
    ("change of mode by fchmodat2", Perhaps, |prey| {
        let name = c(&prey.file("chmod"));
        // SAFETY: a C string that outlives the call.
        done(unsafe { libc::syscall(452, libc::AT_FDCWD, name.as_ptr(), 0o777, 0x1000) })
            .or_else(|_| done(unsafe { libc::syscall(452, libc::AT_FDCWD, name.as_ptr(), 0o777, 0) }))
    }),
    ("change of owner", RootLeaks, |prey| std::os::unix::fs::chown(prey.file("chmod"), Some(1), Some(1))),
    ("change of owner to the same", Leaks, |prey| {
        // SAFETY: it takes no pointer.
        let (uid, gid) = unsafe { (libc::getuid(), libc::getgid()) };
        std::os::unix::fs::chown(prey.file("chmod"), Some(uid), Some(gid))
    }),
    ("change of times", Leaks, |prey| {
        let name = c(&prey.file("read"));
        let times = [libc::timespec { tv_sec: 1, tv_nsec: 1 }; 2];
        // SAFETY: a C string and an array that outlive the call.
        done(unsafe { libc::utimensat(libc::AT_FDCWD, name.as_ptr(), times.as_ptr(), 0) }.into())
    }),
    ("change of times by a descriptor for reading", Leaks, |prey| {
        let file = File::open(prey.file("read"))?;
        let times = [libc::timespec { tv_sec: 1, tv_nsec: 1 }; 2];
        // SAFETY: an array that outlives the call.
        done(unsafe { libc::futimens(file.as_raw_fd(), times.as_ptr()) }.into())
    }),
    ("change of times through /proc/self/fd", Leaks, |prey| {
        let file = File::open(prey.file("read"))?;
        let name = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
        // SAFETY: a C string that outlives the call.
        done(unsafe { libc::utimensat(libc::AT_FDCWD, name.as_ptr(), std::ptr::null(), 0) }.into())
    }),
    ("new extended attribute", Perhaps, |prey| xattr(&prey.file("xattr"), c"user.new", b"value")),
    ("removed extended attribute", Perhaps, |prey| Ok(rustix::fs::removexattr(prey.file("xattr"), "user.kept")?)),
    ("extended attribute by a descriptor for reading", Perhaps, |prey| {
        let file = File::open(prey.file("xattr"))?;
        Ok(rustix::fs::fsetxattr(&file, "user.new", b"value", rustix::fs::XattrFlags::empty())?)
    }),
    ("access control list", Perhaps, |prey| {
        // Version 2; user rwx, group rwx, mask rwx, other rwx and one named user.
        let mut list = 2u32.to_le_bytes().to_vec();
        for (tag, id) in [(1u16, u32::MAX), (2, 12345), (4, u32::MAX), (16, u32::MAX), (32, u32::MAX)] {
            list.extend(tag.to_le_bytes());
            list.extend(7u16.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        xattr(&prey.file("xattr"), c"system.posix_acl_access", &list)
    }),
    ("file flags by a descriptor for reading", RootLeaks, |prey| {
        let file = File::open(prey.file("read"))?;
        let flags: libc::c_long = 0x80 | 0x40 | 0x10;
        // SAFETY: this request takes a pointer to a long.
        done(unsafe { libc::ioctl(file.as_raw_fd(), 0x4008_6602, &raw const flags) }.into())
    }),
    ("file flags, the other interface", Perhaps, |prey| {
        let file = File::open(prey.file("read"))?;
        let mut attr = [0u8; 28];
        attr[0] = 0x40;
        // SAFETY: this request takes a pointer to 28 bytes.
        done(unsafe { libc::ioctl(file.as_raw_fd(), 0x401c_5820, attr.as_ptr()) }.into())
    }),
    ("file_setattr", Perhaps, |prey| {
        let name = c(&prey.file("read"));
        let attr = [0x40u64, 0, 0];
        // SAFETY: a C string and an array that outlive the call.
        done(unsafe { libc::syscall(469, libc::AT_FDCWD, name.as_ptr(), attr.as_ptr(), 24, 0) })
    }),
    ("clone of a file's blocks", Perhaps, |prey| {
        let (from, to) = (File::open(prey.file("read"))?, OpenOptions::new().write(true).open(prey.file("write"))?);
        // SAFETY: it takes no pointer.
        done(unsafe { libc::ioctl(to.as_raw_fd(), 0x4004_9409, from.as_raw_fd()) }.into())
    }),
    ("a write through shared memory", Leaks, |prey| {
        let file = OpenOptions::new().read(true).write(true).open(prey.file("mmap"))?;
        map_and_write(file.as_raw_fd())
    }),
    ("a hole punched", Leaks, |prey| {
        let file = OpenOptions::new().write(true).open(prey.file("write"))?;
        // SAFETY: it takes no pointer.
        done(unsafe { libc::fallocate(file.as_raw_fd(), 3, 0, 4) }.into())
    }),
    ("a copy made by the kernel", Leaks, |prey| {
        let (from, to) = (File::open(prey.file("read"))?, OpenOptions::new().write(true).open(prey.file("write"))?);
        // SAFETY: null offsets mean the files' own.
        done(unsafe {
            libc::copy_file_range(from.as_raw_fd(), std::ptr::null_mut(), to.as_raw_fd(), std::ptr::null_mut(), 4, 0)
        } as i64)
    }),
    ("a file for reading, opened again for writing", Leaks, |prey| {
        let file = File::open(prey.file("write"))?;
        OpenOptions::new().write(true).open(format!("/proc/self/fd/{}", file.as_raw_fd()))?.write_all(b"changed")
    }),
    ("time of access, by reading", Leaks, |prey| std::fs::read(prey.file("read")).map(drop)),
    ("time of access, by listing", Leaks, |prey| {
        std::fs::read_dir(prey.file("folder"))?.count();
        Ok(())
    }),
    ("time of access, by running", Leaks, |prey| {
        // SAFETY: a C string that outlives the call.
        let name = c(&prey.file("read"));
        let fd = unsafe { libc::open(name.as_ptr(), libc::O_RDONLY) };
        let map = unsafe { libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ, libc::MAP_PRIVATE, fd, 0) };
        done(if map == libc::MAP_FAILED { -1 } else { 0 })
    }),
    ("a lock that keeps others waiting", Leaks, |prey| {
        let file = File::open(prey.file("lock"))?;
        // SAFETY: it takes no pointer.
        done(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) }.into())?;
        hold();
        Ok(())
    }),
    ("a lock on a region", Leaks, |prey| {
        let file = OpenOptions::new().read(true).write(true).open(prey.file("lock"))?;
        region_lock(&file, libc::F_WRLCK, libc::F_SETLK)
    }),
    ("a shared lock on a region, for reading", Leaks, |prey| {
        region_lock(&File::open(prey.file("lock"))?, libc::F_RDLCK, libc::F_OFD_SETLK)
    }),
    ("a lease", Perhaps, |prey| {
        let file = File::open(prey.file("lock"))?;
        // SAFETY: it takes no pointer.
        done(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK) }.into())?;
        hold();
        Ok(())
    }),
    ("a message into a pipe", Leaks, |prey| {
        each(prey, |root| {
            OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(root.join("fifo"))?.write_all(b"x")
        })
    }),
    ("a message taken from a pipe", Leaks, |prey| {
        let mut pipe = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(prey.file("full-fifo"))?;
        pipe.read(&mut [0; 4]).map(drop)
    }),
    ("inherited descriptors: written", Leaks, |_| {
        inherited(|fd| {
            // SAFETY: a buffer of the length that is passed.
            unsafe { libc::write(fd, c"changed".as_ptr().cast(), 7) };
        })
    }),
    ("inherited descriptors: mode", Leaks, |_| {
        inherited(|fd| {
            // SAFETY: it takes no pointer.
            unsafe { libc::fchmod(fd, 0o700) };
        })
    }),
    ("inherited descriptors: mapped", Leaks, |_| {
        inherited(|fd| {
            let _ = map_and_write(fd);
        })
    }),
    ("inherited descriptors: opened again", Leaks, |_| {
        inherited(|fd| {
            let _ = OpenOptions::new()
                .append(true)
                .open(format!("/proc/self/fd/{fd}"))
                .and_then(|mut file| file.write_all(b"x"));
        })
    }),
    ("inherited folder: something made in it", Leaks, |_| {
        inherited(|fd| {
            // SAFETY: a C string that outlives the call.
            unsafe { libc::openat(fd, c"made".as_ptr(), libc::O_CREAT | libc::O_WRONLY, 0o600) };
        })
    }),
    ("standard descriptors: mode, owner, size, times", Perhaps, |_| {
        for fd in 0..3 {
            // SAFETY: none of them takes a pointer that matters.
            unsafe {
                libc::fchmod(fd, 0o777);
                libc::ftruncate(fd, 0);
                libc::futimens(fd, std::ptr::null());
                libc::fchown(fd, 1, 1);
            }
            let _ = std::fs::set_permissions(format!("/dev/fd/{fd}"), Permissions::from_mode(0o777));
        }
        Ok(())
    }),
    ("mode of /dev/null", RootLeaks, |_| {
        std::fs::set_permissions("/dev/null", Permissions::from_mode(0o666)).and_then(|()| {
            // SAFETY: it takes no pointer.
            std::os::unix::fs::chown("/dev/null", Some(0), Some(0))
        })
    }),
    ("a core dump", Perhaps, |_| {
        // SAFETY: a structure that outlives the call; the process is meant to die.
        unsafe {
            let unlimited = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const unlimited);
            libc::abort()
        }
    }),
    ("git status, which rewrites its index", Perhaps, |prey| {
        git(prey, &["init", "-q", "."])?;
        git(prey, &["status"])
    }),
    ("git with a program in its configuration", Perhaps, |prey| {
        git(prey, &["-c", "core.fsmonitor=touch fsmonitor-ran; false", "-c", "core.pager=touch pager-ran", "status"])?;
        git(prey, &["-c", "alias.x=!touch alias-ran", "x"])
    }),
    ("a shell script full of it", Leaks, |prey| {
        let script = "cd \"$0\"; echo x > write; rm -rf folder; mkdir new; chmod 777 chmod; touch -d @1 read; ln -s / l; \
                      mv rename renamed; cp -a write copied; dd if=/dev/zero of=mmap bs=1 count=4 conv=notrunc; tar cf t.tar read; \
                      python3 -c 'open(\"py\",\"w\").write(\"x\")'; perl -e 'unlink \"delete\"'; true";
        Command::new("sh").arg("-c").arg(script).arg(&prey.roots[0]).status().map(drop)
    }),
];

fn each(prey: &Prey, act: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let mut last = Ok(());
    for root in &prey.roots {
        if let Err(error) = act(root) {
            last = Err(error);
        }
    }
    last
}

pub fn c(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap()
}

pub fn done(result: i64) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn syscall_path(call: i64, path: &Path, argument: i64) -> io::Result<()> {
    let name = c(path);
    // SAFETY: a C string that outlives the call.
    done(unsafe { libc::syscall(call, name.as_ptr(), argument) })
}

fn xattr(path: &Path, name: &std::ffi::CStr, value: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::setxattr(path, name, value, rustix::fs::XattrFlags::empty())?)
}

fn map_and_write(fd: RawFd) -> io::Result<()> {
    // SAFETY: the mapping is as long as what is written, and is checked.
    unsafe {
        let map = libc::mmap(std::ptr::null_mut(), 4, libc::PROT_WRITE | libc::PROT_READ, libc::MAP_SHARED, fd, 0);
        if map == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        map.cast::<u8>().write(b'X');
        done(libc::msync(map, 4, libc::MS_SYNC).into())
    }
}

fn region_lock(file: &File, kind: i32, how: i32) -> io::Result<()> {
    // SAFETY: a structure that outlives the call.
    unsafe {
        let mut region: libc::flock = std::mem::zeroed();
        region.l_type = kind.try_into().unwrap();
        done(libc::fcntl(file.as_raw_fd(), how, &raw mut region).into())?;
    }
    hold();
    Ok(())
}

/// Long enough for those outside to notice.
fn hold() {
    std::thread::sleep(Duration::from_millis(150));
}

/// Every descriptor that is open and that this program has not opened.
fn inherited(act: impl Fn(RawFd)) -> io::Result<()> {
    for fd in 3..256 {
        // SAFETY: it takes no pointer.
        let open = unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0;
        // Only what is the prey's: others may have left theirs lying about too.
        let prey = std::fs::read_link(format!("/proc/self/fd/{fd}"))
            .is_ok_and(|to| to.to_string_lossy().contains("pw-escape"));
        if open && prey {
            act(fd);
        }
    }
    Ok(())
}

fn git(prey: &Prey, arguments: &[&str]) -> io::Result<()> {
    Command::new("git").current_dir(&prey.roots[0]).args(arguments).output().map(drop)
}
