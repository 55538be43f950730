//! What an attack knows of its aims. It is handed over in the environment.

use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Prey {
    /// Folders full of files, sockets and pipes. The first is the project.
    pub roots: Vec<PathBuf>,
    /// Unique to this run; the environment of every attack has it.
    pub mark: String,
    pub tcp: u16,
    pub udp: u16,
    /// A process, and where a word is in its memory.
    pub victim: i32,
    pub address: u64,
    /// The path of a terminal.
    pub terminal: String,
    /// The number of a shared memory segment.
    pub shm: i32,
}

impl Prey {
    pub fn environment(&self) -> Vec<(OsString, Option<OsString>)> {
        let roots = std::env::join_paths(&self.roots).unwrap();
        let set = |name: &str, value: String| (OsString::from(name), Some(OsString::from(value)));
        vec![
            ("PW_ROOTS".into(), Some(roots)),
            set("PW_ESCAPE", self.mark.clone()),
            set("PW_NUMBERS", format!("{} {} {} {} {}", self.tcp, self.udp, self.victim, self.address, self.shm)),
            set("PW_TERMINAL", self.terminal.clone()),
        ]
    }

    pub fn from_environment() -> Self {
        let text = |name: &str| std::env::var(name).unwrap();
        let numbers: Vec<u64> = text("PW_NUMBERS").split(' ').map(|number| number.parse().unwrap()).collect();
        Self {
            roots: std::env::split_paths(&std::env::var_os("PW_ROOTS").unwrap()).collect(),
            mark: text("PW_ESCAPE"),
            tcp: numbers[0].try_into().unwrap(),
            udp: numbers[1].try_into().unwrap(),
            victim: numbers[2].try_into().unwrap(),
            address: numbers[3],
            terminal: text("PW_TERMINAL"),
            shm: numbers[4].try_into().unwrap(),
        }
    }

    /// A file of the project.
    pub fn file(&self, name: &str) -> PathBuf {
        self.roots[0].join(name)
    }
}

/// A shared memory segment, by the old interface.
pub mod sysv {
    use super::Prey;

    pub fn key(mark: &str) -> i32 {
        mark.bytes().fold(0x5057, |sum: i32, byte| sum.wrapping_mul(31).wrapping_add(i32::from(byte))) | 1
    }

    pub fn make(mark: &str) -> i32 {
        // SAFETY: it takes no pointer; the segment is attached where the system chooses.
        unsafe {
            let id = libc::shmget(key(mark), 4096, libc::IPC_CREAT | 0o600);
            assert!(id >= 0);
            id
        }
    }

    pub fn contents(id: i32) -> String {
        // SAFETY: the segment has 4096 bytes and is detached after its first is copied.
        unsafe {
            let at = libc::shmat(id, std::ptr::null(), libc::SHM_RDONLY);
            if at as isize == -1 {
                return "gone".to_owned();
            }
            let first = at.cast::<u8>().read();
            libc::shmdt(at);
            first.to_string()
        }
    }

    pub fn count(prey: &Prey) -> String {
        // SAFETY: it takes no pointer.
        let other = unsafe { libc::shmget(key(&prey.mark) ^ 2, 0, 0) };
        if other >= 0 {
            remove(other);
        }
        (other >= 0).to_string()
    }

    pub fn remove(id: i32) {
        // SAFETY: this request takes no pointer.
        unsafe { libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()) };
    }
}
