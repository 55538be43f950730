//! Archives and compressed files: listing and unpacking to the output only.

use crate::finding::Finding;
use crate::judge::Judge;
use crate::options::{Operands, Options, Style};
use crate::value::Arg;

const TAR: Options = Options {
    reads: &[
        "-t --list -x --extract --get -O --to-stdout -f: --file: -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --zstd --lzma --lzip -a --auto-compress",
        "-v --verbose -C: --directory: --strip-components: --wildcards --no-wildcards --exclude: -X: --exclude-from: -T: --files-from: --null",
        "-p --same-permissions --preserve-permissions -P --absolute-names --full-time --numeric-owner -R --block-number --utc --occurrence? --no-recursion",
        "--anchored --no-anchored --ignore-case --wildcards-match-slash --force-local --show-transformed-names --quoting-style: -b: --blocking-factor: -i --ignore-zeros -k -m -o",
    ],
    writes: "-c --create -r --append -u --update -A --catenate --concatenate --delete --index-file: --remove-files",
    runs: "-I: --use-compress-program: --to-command: --checkpoint? --checkpoint-action: -F: --info-script: --new-volume-script: --rsh-command: --rmt-command: -M --multi-volume -d --diff --compare -g: --listed-incremental: -G --incremental --volno-file: --unlink-first -U -S -W",
    operands: Operands::Any,
    style: Style::Gnu,
};

/// `tar`: listing, and extraction to the output.
pub(crate) fn tar(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let mut words = args[1..].to_vec();
    // `tar tzf x`: the letters of the first word are options whose values follow in order.
    if let Some(first) = words.first()
        && let Some(text) = first.known()
        && !text.starts_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        let valued: Vec<char> = text.chars().filter(|c| "fCTXbIFgKLNV".contains(*c)).collect();
        if valued.len() > 1 {
            return Finding::unproved(&first.span, "tar with several values in its first word");
        }
        let flags: String = text.chars().filter(|c| !valued.contains(c)).collect();
        let span = first.span.clone();
        words[0] = Arg::exact(format!("-{flags}{}", valued.iter().collect::<String>()), span);
    }
    let scanned = match TAR.judge("tar", &words) {
        Ok(scanned) => scanned,
        Err(finding) => {
            return finding.instead("tar -tf lists an archive, tar -xOf prints its files");
        }
    };
    let lists = scanned.has(&["-t", "--list"]);
    let prints = scanned.has(&["-x", "--extract", "--get"]) && scanned.has(&["-O", "--to-stdout"]);
    for seen in scanned.options.iter().filter(|seen| matches!(seen.name, "-f" | "--file")) {
        // `host:file` is fetched by a remote shell.
        let local = seen.value.as_ref().and_then(|value| value.known()).is_some_and(|file| !file.contains(':'));
        if !local {
            return Finding::unproved(&args[0].span, "the archive could be on another machine");
        }
    }
    if lists && scanned.has(&["-x", "--extract", "--get"]) {
        return Finding::unproved(&args[0].span, "tar both lists and extracts here");
    }
    if !lists && !prints && scanned.has(&["-x", "--extract", "--get"]) {
        return Finding::changes(&args[0].span, "tar extracts files")
            .instead("tar -tf lists an archive, tar -xOf prints its files");
    }
    if !lists && !prints {
        return Finding::unproved(&args[0].span, "tar neither lists nor prints here");
    }
    if !scanned.has(&["-f", "--file"]) {
        return Finding::unproved(&args[0].span, "tar without -f reads the tape of this machine");
    }
    super::opened("tar", &words)
}

const UNZIP: Options = Options {
    reads: &["-l -v -t -Z -p -c -q -a -b -C -n -1 -2 -h -s -m -T -z -j -L -x"],
    writes: "",
    runs: "-o -d: -u -f -P: -B -X -K -D -M -W",
    operands: Operands::Any,
    style: Style::Gnu,
};

/// `unzip`: listing, testing, and printing.
pub(crate) fn unzip(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    match UNZIP.judge("unzip", &args[1..]) {
        Ok(scanned) if scanned.has(&["-l", "-v", "-t", "-Z", "-p", "-c"]) => super::opened("unzip", &args[1..]),
        Ok(_) => Finding::changes(&args[0].span, "unzip extracts files")
            .instead("unzip -l lists an archive, unzip -p prints its files"),
        Err(finding) => finding,
    }
}

const COMPRESSOR: Options = Options {
    reads: &[
        "-c --stdout --to-stdout -d --decompress --uncompress -l --list -t --test -v --verbose -q --quiet -# --fast --best -n -N --no-name --name -h --help -V --version -L",
        "-T: --threads: -k --keep --robot -z --compress --ultra",
    ],
    writes: "",
    runs: "-r --recursive -S: --suffix: -f --force -o: -D: --train --rm -b -e",
    operands: Operands::Any,
    style: Style::Gnu,
};

/// `gzip`, `xz` and their like: to the output, or in a pipe.
pub(crate) fn compressor(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = &args[0].text;
    let scanned = match COMPRESSOR.judge(name, &args[1..]) {
        Ok(scanned) => scanned,
        Err(finding) => return finding,
    };
    let prints = scanned.has(&[
        "-c",
        "--stdout",
        "--to-stdout",
        "-l",
        "--list",
        "-t",
        "--test",
        "--help",
        "-h",
        "--version",
        "-V",
    ]);
    let piped = scanned.operands.iter().all(|arg| arg.known() == Some("-"));
    if prints || piped {
        return super::opened(name, &args[1..]);
    }
    Finding::changes(&args[0].span, format!("{name} replaces the files it is given"))
        .instead("with -c it prints instead")
}
