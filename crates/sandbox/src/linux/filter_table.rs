//! The calls that a confined command is refused.

use libc::{
    EACCES, EAFNOSUPPORT, ENOSYS, ENOTTY, EPERM, EROFS, SYS_acct, SYS_add_key, SYS_bpf, SYS_chroot, SYS_clock_settime,
    SYS_clone, SYS_clone3, SYS_connect, SYS_delete_module, SYS_fanotify_init, SYS_fchmod, SYS_fchmodat, SYS_fchown,
    SYS_fchownat, SYS_fcntl, SYS_finit_module, SYS_flock, SYS_fremovexattr, SYS_fsconfig, SYS_fsetxattr, SYS_fsmount,
    SYS_fsopen, SYS_fspick, SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_ioctl,
    SYS_ioprio_set, SYS_kcmp, SYS_kexec_load, SYS_keyctl, SYS_kill, SYS_linkat, SYS_lremovexattr, SYS_lsetxattr,
    SYS_migrate_pages, SYS_mkdirat, SYS_mknodat, SYS_mount, SYS_mount_setattr, SYS_move_mount, SYS_move_pages,
    SYS_mq_open, SYS_mq_unlink, SYS_msgctl, SYS_msgget, SYS_msgrcv, SYS_msgsnd, SYS_open_by_handle_at, SYS_open_tree,
    SYS_perf_event_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_pivot_root, SYS_prlimit64, SYS_process_madvise,
    SYS_process_mrelease, SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_quotactl, SYS_reboot,
    SYS_removexattr, SYS_renameat2, SYS_request_key, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_sched_setaffinity,
    SYS_sched_setattr, SYS_sched_setparam, SYS_sched_setscheduler, SYS_semctl, SYS_semget, SYS_semop, SYS_semtimedop,
    SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_setpriority, SYS_settimeofday, SYS_setxattr, SYS_shmat,
    SYS_shmctl, SYS_shmget, SYS_socket, SYS_socketpair, SYS_swapoff, SYS_swapon, SYS_symlinkat, SYS_syslog, SYS_tgkill,
    SYS_tkill, SYS_truncate, SYS_umount2, SYS_unlinkat, SYS_unshare, SYS_userfaultfd, SYS_utimensat, SYS_vhangup,
    c_long,
};

use super::filter::Refusal;
use super::filter::When::{Always, Bits, Is, IsNot};

/// `CLONE_NEW…`: a new user namespace would give back the capabilities that were taken.
const NEW_NAMESPACES: u32 = 0x7e02_0000;
/// Of `CLONE_NEW…`, what only `unshare` takes: time.
const NEW_TIME: u32 = 0x80;
/// Families of sockets that a network namespace holds. Others (vsock, packet, …) are not held.
const HELD_FAMILIES: &[u32] = &[1, 2, 10, 16];
const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541c;
/// Requests that only ask: terminal state, readable bytes, non-blocking, close-on-exec, and what
/// `lsattr`, `filefrag` and `cp` ask of a file.
const ASKING_REQUESTS: &[u32] = &[
    0x5401,
    0x540f,
    0x5413,
    0x5414,
    0x541b,
    0x5421,
    0x5429,
    0x5450,
    0x5451,
    0x5452,
    0x8008_6601,
    0x8004_6601,
    0x801c_581f,
    0xc020_660b,
    0x8008_7601,
];

// Calls too new for the C library's list; since 5.1 new numbers are the same on every architecture.
const SYS_OPEN_TREE_ATTR: c_long = 467;
const SYS_QUOTACTL_FD: c_long = 443;
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;

/// What would reach the machine from any box: mounts, namespaces, the kernel, keys, other ways in.
pub(crate) const MACHINE: &[Refusal] = &[
    Refusal(SYS_clone, Bits(0, NEW_NAMESPACES), EPERM),
    // Its flags are in memory, where no filter can look; every C library falls back to `clone`.
    Refusal(SYS_clone3, Always, ENOSYS),
    Refusal(SYS_unshare, Bits(0, NEW_NAMESPACES | NEW_TIME), EPERM),
    Refusal(SYS_setns, Always, EPERM),
    Refusal(SYS_mount, Always, EPERM),
    Refusal(SYS_umount2, Always, EPERM),
    Refusal(SYS_pivot_root, Always, EPERM),
    Refusal(SYS_chroot, Always, EPERM),
    Refusal(SYS_open_tree, Always, EPERM),
    Refusal(SYS_OPEN_TREE_ATTR, Always, EPERM),
    Refusal(SYS_move_mount, Always, EPERM),
    Refusal(SYS_fsopen, Always, EPERM),
    Refusal(SYS_fsconfig, Always, EPERM),
    Refusal(SYS_fsmount, Always, EPERM),
    Refusal(SYS_fspick, Always, EPERM),
    Refusal(SYS_mount_setattr, Always, EPERM),
    Refusal(SYS_open_by_handle_at, Always, EPERM),
    Refusal(SYS_fanotify_init, Always, EPERM),
    Refusal(SYS_quotactl, Always, EPERM),
    Refusal(SYS_QUOTACTL_FD, Always, EPERM),
    Refusal(SYS_swapon, Always, EPERM),
    Refusal(SYS_swapoff, Always, EPERM),
    Refusal(SYS_acct, Always, EPERM),
    Refusal(SYS_bpf, Always, EPERM),
    Refusal(SYS_perf_event_open, Always, EPERM),
    Refusal(SYS_userfaultfd, Always, EPERM),
    Refusal(SYS_kexec_load, Always, EPERM),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_kexec_file_load, Always, EPERM),
    Refusal(SYS_init_module, Always, EPERM),
    Refusal(SYS_finit_module, Always, EPERM),
    Refusal(SYS_delete_module, Always, EPERM),
    Refusal(SYS_reboot, Always, EPERM),
    Refusal(SYS_syslog, Always, EPERM),
    Refusal(SYS_settimeofday, Always, EPERM),
    Refusal(SYS_clock_settime, Always, EPERM),
    Refusal(SYS_sethostname, Always, EPERM),
    Refusal(SYS_setdomainname, Always, EPERM),
    Refusal(SYS_vhangup, Always, EPERM),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_iopl, Always, EPERM),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_ioperm, Always, EPERM),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_modify_ldt, Always, EPERM),
    // Programs that use it fall back when it is not there.
    Refusal(SYS_io_uring_setup, Always, ENOSYS),
    Refusal(SYS_io_uring_enter, Always, ENOSYS),
    Refusal(SYS_io_uring_register, Always, ENOSYS),
    Refusal(SYS_keyctl, Always, ENOSYS),
    Refusal(SYS_add_key, Always, ENOSYS),
    Refusal(SYS_request_key, Always, ENOSYS),
    Refusal(SYS_socket, IsNot(0, u32::MAX, HELD_FAMILIES), EAFNOSUPPORT),
    Refusal(SYS_socketpair, IsNot(0, u32::MAX, HELD_FAMILIES), EAFNOSUPPORT),
    Refusal(SYS_ioctl, Is(1, &[TIOCSTI, TIOCLINUX]), EPERM),
];

/// What would change a file, its metadata or its locks, by path or by a descriptor open for reading.
/// (Opening for writing is held by Landlock and by the mounts.)
pub(crate) const WRITES: &[Refusal] = &[
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_chmod, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_chown, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_lchown, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_utime, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_utimes, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_futimesat, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_mkdir, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_rmdir, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_unlink, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_rename, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_link, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_symlink, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_mknod, Always, EROFS),
    #[cfg(target_arch = "x86_64")]
    Refusal(libc::SYS_creat, Always, EROFS),
    Refusal(libc::SYS_renameat, Always, EROFS),
    Refusal(SYS_fchmod, Always, EROFS),
    Refusal(SYS_fchmodat, Always, EROFS),
    Refusal(SYS_FCHMODAT2, Always, EROFS),
    Refusal(SYS_fchown, Always, EROFS),
    Refusal(SYS_fchownat, Always, EROFS),
    Refusal(SYS_utimensat, Always, EROFS),
    Refusal(SYS_setxattr, Always, EROFS),
    Refusal(SYS_lsetxattr, Always, EROFS),
    Refusal(SYS_fsetxattr, Always, EROFS),
    Refusal(SYS_SETXATTRAT, Always, EROFS),
    Refusal(SYS_removexattr, Always, EROFS),
    Refusal(SYS_lremovexattr, Always, EROFS),
    Refusal(SYS_fremovexattr, Always, EROFS),
    Refusal(SYS_REMOVEXATTRAT, Always, EROFS),
    Refusal(SYS_FILE_SETATTR, Always, EROFS),
    Refusal(SYS_mkdirat, Always, EROFS),
    Refusal(SYS_unlinkat, Always, EROFS),
    Refusal(SYS_renameat2, Always, EROFS),
    Refusal(SYS_linkat, Always, EROFS),
    Refusal(SYS_symlinkat, Always, EROFS),
    Refusal(SYS_mknodat, Always, EROFS),
    Refusal(SYS_truncate, Always, EROFS),
    // A lock would hold up programs outside. The command sees it granted: it changes nothing.
    Refusal(SYS_flock, Always, 0),
    Refusal(SYS_fcntl, Is(1, &[6, 7, 37, 38]), 0),
    // Leases, notices, and signals to whoever is named their owner.
    Refusal(SYS_fcntl, Is(1, &[8, 10, 15, 1024, 1026]), EPERM),
    Refusal(SYS_ioctl, IsNot(1, u32::MAX, ASKING_REQUESTS), ENOTTY),
];

/// What would reach other programs, for a box without namespaces: sockets, shared memory, queues,
/// priorities, memory.
pub(crate) const OTHERS: &[Refusal] = &[
    Refusal(SYS_socket, Always, EACCES),
    Refusal(SYS_connect, Always, EACCES),
    // A datagram socket of a pair can send to any address.
    Refusal(SYS_socketpair, IsNot(1, 0xf, &[1, 5]), EACCES),
    Refusal(SYS_shmget, Always, ENOSYS),
    Refusal(SYS_shmat, Always, ENOSYS),
    Refusal(SYS_shmctl, Always, ENOSYS),
    Refusal(SYS_semget, Always, ENOSYS),
    Refusal(SYS_semop, Always, ENOSYS),
    Refusal(SYS_semtimedop, Always, ENOSYS),
    Refusal(SYS_semctl, Always, ENOSYS),
    Refusal(SYS_msgget, Always, ENOSYS),
    Refusal(SYS_msgsnd, Always, ENOSYS),
    Refusal(SYS_msgrcv, Always, ENOSYS),
    Refusal(SYS_msgctl, Always, ENOSYS),
    Refusal(SYS_mq_open, Always, ENOSYS),
    Refusal(SYS_mq_unlink, Always, ENOSYS),
    Refusal(SYS_prlimit64, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_setpriority, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_setpriority, IsNot(1, u32::MAX, &[0]), EPERM),
    Refusal(SYS_ioprio_set, IsNot(0, u32::MAX, &[1]), EPERM),
    Refusal(SYS_ioprio_set, IsNot(1, u32::MAX, &[0]), EPERM),
    Refusal(SYS_sched_setaffinity, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_sched_setscheduler, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_sched_setparam, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_sched_setattr, IsNot(0, u32::MAX, &[0]), EPERM),
    Refusal(SYS_migrate_pages, Always, EPERM),
    Refusal(SYS_move_pages, Always, EPERM),
    Refusal(SYS_process_vm_readv, Always, EPERM),
    Refusal(SYS_process_vm_writev, Always, EPERM),
    Refusal(SYS_process_madvise, Always, EPERM),
    Refusal(SYS_process_mrelease, Always, EPERM),
    Refusal(SYS_pidfd_getfd, Always, EPERM),
    Refusal(SYS_ptrace, Always, EPERM),
    Refusal(SYS_kcmp, Always, EPERM),
];

/// Signals, where nothing scopes them.
pub(crate) const SIGNALS: &[Refusal] = &[
    Refusal(SYS_kill, Always, EPERM),
    Refusal(SYS_tkill, Always, EPERM),
    Refusal(SYS_tgkill, Always, EPERM),
    Refusal(SYS_pidfd_send_signal, Always, EPERM),
    Refusal(SYS_rt_sigqueueinfo, Always, EPERM),
    Refusal(SYS_rt_tgsigqueueinfo, Always, EPERM),
];
