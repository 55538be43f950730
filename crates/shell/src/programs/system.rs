//! Programs that describe the machine.

use super::{Row, Rule, Sub, at_most, checked, options, row, sub};
use crate::check;

const SYSTEMCTL: &str = "--no-pager -l --full --user --system -a --all -t: --type: --state: --no-legend --plain -n: --lines: -o: --output: -p: --property: --value -q --quiet --failed --reverse --after --before";

const SYSTEMD: &[Sub] = &[
    sub("status", "shows units", &[SYSTEMCTL]),
    sub("show", "shows properties", &[SYSTEMCTL]),
    sub("cat", "shows unit files", &[SYSTEMCTL]),
    sub("list-units", "lists units", &[SYSTEMCTL]),
    sub("list-unit-files", "lists unit files", &[SYSTEMCTL]),
    sub("list-timers", "lists timers", &[SYSTEMCTL]),
    sub("list-sockets", "lists sockets", &[SYSTEMCTL]),
    sub("list-dependencies", "lists dependencies", &[SYSTEMCTL]),
    sub("is-active", "tells the state of units", &[SYSTEMCTL]),
    sub("is-enabled", "tells the state of units", &[SYSTEMCTL]),
    sub("is-failed", "tells the state of units", &[SYSTEMCTL]),
    sub("is-system-running", "tells the state of the system", &[SYSTEMCTL]),
    sub("get-default", "shows the default target", &[SYSTEMCTL]),
    sub("--version", "shows the version", &[""]),
    sub("--failed", "lists failed units", &[SYSTEMCTL]),
];

pub(super) const ROWS: &[Row] = &[
    row(
        "uname nproc whoami logname id groups users who w last uptime tty lscpu lsmem",
        "describes the machine and its users",
        Rule::Names,
    ),
    checked("date gdate", "shows the time", check::date, "-d -u -I -R -r and a format"),
    row("cal ncal", "shows a calendar", Rule::Names),
    row(
        "hostname",
        "shows the name of the machine",
        at_most(
            0,
            &["-s --short -I --all-ip-addresses -V --version"],
            "-b --boot -F: --file:",
            "-f --fqdn --long -d --domain -i --ip-address -A --all-fqdns -a --alias -y --yp --nis",
        ),
    ),
    row(
        "hostnamectl timedatectl localectl loginctl",
        "shows settings of the machine",
        Rule::Exact(&["", "status", "--no-pager", "list-sessions", "list-users", "show"]),
    ),
    row("lspci", "lists devices", options(&["-v -n -k -t -m -D -x -b -s: -d:"], "", "-q -Q")),
    row("lsusb", "lists devices", options(&["-v -t -s: -d: --verbose --tree"], "", "")),
    row("sensors", "shows temperatures", options(&["-A -f -j -u"], "-s --set", "-c: --config-file:")),
    row("arch", "shows the kind of machine", Rule::Exact(&[""])),
    row("getconf printenv locale", "shows settings", Rule::Names),
    row(
        "getent",
        "looks up local tables",
        Rule::Exact(&["passwd", "passwd …", "group", "group …", "services", "services …", "protocols", "shells"]),
    ),
    row(
        "free vmstat iostat mpstat",
        "shows usage of memory and processors",
        options(
            &[
                "-b -k -m -g -h -s: -c: -t -l -w -a -d -D -p: -S: -n -x -z -P: -u --human --bytes --kibi --mebi --gibi --kilo --mega --giga --si --wide --total --lohi --seconds: --count: --stats --disk --slabs --active --unit: --timestamp -V --version --help",
            ],
            "",
            "",
        ),
    ),
    row("ps pgrep pidof pstree lsns lsipc lsmod", "lists processes and devices", Rule::Names),
    row(
        "top htop btop",
        "lists processes",
        Rule::Unprovable { clause: "keeps settings of its own", instead: "ps aux, free and uptime" },
    ),
    row(
        "lsof",
        "lists open files",
        options(
            &["-i? -n -P -p: -u: -c: -t -a -l -U -s? -d: -b -V -R -w -g? -F? -T?"],
            "",
            "-D: -k: -m: -A: -o? -r? -x? -z?",
        ),
    ),
    row(
        "ss",
        "lists sockets",
        options(
            &[
                "-t -u -l -n -p -a -r -o -e -m -i -s -x -w -4 -6 -0 -H -O -S -d -z -Z -f: --tcp --udp --listening --numeric --processes --all --summary --extended --memory --info --unix --raw --ipv4 --ipv6 --no-header --oneline --family: --sctp",
            ],
            "-K --kill",
            "-D: --diag: -E --events -F: --filter: -A: --query: -N: --net: -b --bpf --socket:",
        ),
    ),
    row(
        "netstat",
        "lists sockets",
        options(
            &[
                "-t -u -l -n -p -a -r -i -s -e -o -c -x -w -4 -6 -g -v -W --tcp --udp --listening --numeric --programs --all --route --interfaces --statistics --wide",
            ],
            "",
            "",
        ),
    ),
    row("ifconfig", "shows interfaces", Rule::Exact(&["", "-a", "-s", "…"])),
    row("route arp", "shows tables of the network", Rule::Exact(&["", "-n", "-a", "-an", "-e", "-en"])),
    row(
        "ip",
        "shows interfaces and routes",
        Rule::Exact(&[
            "a",
            "addr",
            "address",
            "addr show",
            "a show",
            "address show",
            "addr show …",
            "addr show dev …",
            "a s",
            "-br a",
            "-br addr",
            "-brief addr",
            "-4 a",
            "-4 addr",
            "-6 addr",
            "-4 addr show",
            "-j addr",
            "-j addr show",
            "-br link",
            "-brief link",
            "l",
            "link",
            "link show",
            "link show …",
            "link show dev …",
            "-br link show",
            "-s link",
            "-s link show",
            "r",
            "route",
            "route show",
            "route list",
            "-4 route",
            "-6 route",
            "-6 route show",
            "n",
            "neigh",
            "neigh show",
            "rule",
            "rule show",
            "rule list",
            "netns list",
            "-V",
        ]),
    ),
    row(
        "dmesg",
        "shows messages of the kernel",
        options(
            &[
                "-H --human -k --kernel -l: --level: -f: --facility: -r --raw -T --ctime -t --notime -u --userspace -x --decode -L? --color? -P --nopager -S --syslog -J --json --since: --until: --time-format: --reltime -e -d --show-delta -V --version -h --help --noescape",
            ],
            "-C --clear -c --read-clear -D --console-off -E --console-on -n: --console-level:",
            "-w --follow -W --follow-new -F: --file: -s: --buffer-size: -i --init -K: --kmsg-file:",
        ),
    ),
    row(
        "journalctl",
        "shows logs",
        options(
            &[
                "-u: --unit: --user-unit: -n? --lines? -o: --output: -r --reverse -b? --boot? -k --dmesg -p: --priority: -S: --since: -U: --until: -g: --grep: --case-sensitive? -t: --identifier: -f --follow --no-pager -q --quiet --no-hostname -x --catalog -a --all -e --pager-end --list-boots --disk-usage --utc --no-full --full -l --system --user -m --merge -F: --field: -N --fields --no-tail --header --output-fields: --facility:",
            ],
            "--rotate --flush --sync --relinquish-var --smart-relinquish-var --vacuum-size? --vacuum-time? --vacuum-files? --setup-keys --update-catalog",
            "-D: --directory: -i: --file: --root: --image: -M: --machine: --namespace: --cursor-file: -c: --cursor:",
        ),
    ),
    row(
        "systemctl",
        "shows units",
        Rule::Subs {
            subs: SYSTEMD,
            writes: "start, stop, restart, reload, enable, disable, mask, unmask, daemon-reload, kill, edit, set-property, isolate, reboot, poweroff, halt, suspend, hibernate, set-default, reset-failed, import-environment, set-environment, link, revert, try-restart, daemon-reexec",
        },
    ),
    row(
        "dpkg",
        "lists packages",
        options(
            &[
                "-l --list -L --listfiles -s --status -S --search -p --print-avail -W --show -C --audit --get-selections --print-architecture --print-foreign-architectures -V --verify --version --help -I --info -c --contents",
            ],
            "-i --install -r --remove -P --purge --configure --unpack --set-selections --clear-selections --add-architecture --remove-architecture --update-avail --merge-avail --clear-avail -A --record-avail",
            "--root: --admindir: --instdir: -D: --pre-invoke: --post-invoke: --status-logger: --path-exclude: --path-include: -a -B -O -E -R",
        ),
    ),
    row(
        "dpkg-query",
        "lists packages",
        options(
            &[
                "-l --list -L --listfiles -s --status -S --search -p --print-avail -W --show -f: --showformat: --control-list --version",
            ],
            "",
            "--admindir: --root: --load-avail -c --control-path --control-show",
        ),
    ),
    row("sw_vers vm_stat ", "describes the machine", Rule::Names),
    row("sysctl", "shows settings of the kernel", Rule::Exact(&["-a", "-n …", "…"])),
    row("tput", "asks what the terminal can do", Rule::Exact(&["cols", "lines", "colors"])),
    row("lsb_release", "describes the distribution", Rule::Names),
    row(
        "ldd",
        "starts the program it describes in some cases",
        Rule::Unprovable { clause: "can start the program it is given", instead: "objdump -p <file> | grep NEEDED" },
    ),
    row("crontab", "lists jobs", Rule::Exact(&["-l"])),
];
