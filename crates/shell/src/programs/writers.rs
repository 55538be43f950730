//! Programs that change something, so that a refusal can say what.

use super::{Row, writes};

pub(super) const ROWS: &[Row] = &[
    writes("rm grm unlink rmdir shred trash trash-put", "removes files", ""),
    writes("mv cp gmv gcp install ln link rename mmv ditto", "writes files", ""),
    writes("touch mkdir mkfifo mknod mktemp truncate fallocate split csplit", "makes or changes files", ""),
    writes("chmod chown chgrp chattr setfacl setfattr setcap", "changes attributes of files", "ls -l shows them"),
    writes("patch ed ex", "edits files", "sed without -i prints the result"),
    writes("dos2unix unix2dos", "rewrites files", ""),
    writes("sponge pee", "writes files", "leave it out; the output is shown to you"),
    writes("zip rar compress uncompress", "writes archives", ""),
    writes("kill pkill killall xkill skill", "ends processes", "ps and pgrep list them"),
    writes("reboot shutdown poweroff halt init telinit", "stops the machine", ""),
    writes(
        "umount swapon swapoff losetup mkswap fdisk parted wipefs",
        "changes mounts and disks",
        "mount and lsblk list them",
    ),
    writes("mkfs mkfs.ext4 mkfs.xfs mke2fs tune2fs resize2fs fsck", "changes a file system", ""),
    writes(
        "useradd userdel usermod groupadd groupdel groupmod adduser deluser passwd chsh chfn visudo vipw",
        "changes accounts",
        "",
    ),
    writes("apt-get yum dnf zypper pacman apk snap flatpak", "changes installed packages", "dpkg -l lists them"),
    writes("updatedb locale-gen ldconfig depmod update-alternatives ssh-keygen ssh-copy-id", "writes system files", ""),
    writes("modprobe insmod rmmod", "changes the kernel", "lsmod lists modules"),
    writes("iptables ip6tables nft ufw firewall-cmd brctl tc", "changes the network", ""),
    writes("at batch atrm", "schedules commands", ""),
    writes("wall write mesg", "sends messages", ""),
    writes("ctags etags cscope gtags", "writes an index", "grep -rn or rg"),
    writes("fusermount ipcrm renice", "changes the state of the machine", ""),
];
