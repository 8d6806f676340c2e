#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1409-hub-secrets.t - files of secrets: which are read, and which lines of a hub's are jobs
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/tools/hubs.sh"
cd "$tmp" || exit 99
unset PLINK_HOST PLINK_HUB_MEET PLINK_HUB_SECRET

# refused WHAT LINES MESSAGE: a file of jobs with these lines, \n between them
refused() {
	printf "$2" >faulty
	timeout 10 "$builddir/plink-hub" --listen=127.0.0.1:1 --jobs=faulty 2>err
	is "$1: exit 3" "$? $(cat err)" "3 plink-hub: faulty$3"
}
long=$(printf '%064d' 0)
refused "a job twice" '\nred one # its first\nblue two\nred three\n' \
	':4:1: job "red" stands here twice'
refused "no secret" 'red one\nblue\n' \
	":2:5: the secret of job \"blue\" must stand here, and does not begin with '#'"
refused "its secret is a comment" 'red #one\n' \
	":1:5: the secret of job \"red\" must stand here, and does not begin with '#'"
refused "a third word" 'red one two\n' \
	":1:9: only a comment (#) may follow the secret, which is one word"
refused "a long name" "$long one\n" ":1:1: the name of a job has at most 63 characters"
refused "a name with a control character" 'r\033ed one\n' ":1:1: the name of a job is \
made of ASCII letters, digits and signs but for '#', without blanks"
refused "a name with '#'" 'red#2 one\n' ":1:1: the name of a job is \
made of ASCII letters, digits and signs but for '#', without blanks"
echo red one >faulty
for mode in 640 604 620 602; do
	chmod $mode faulty
	timeout 10 "$builddir/plink-hub" --listen=127.0.0.1:1 --jobs=faulty 2>err
	echo "$? $(cat err)"
done >found
is "files that others may read or write: exit 3" "$(sed 's/.*owner may //' found | xargs)" \
	"read it: chmod 600 faulty read it: chmod 600 faulty write it: chmod 600 faulty \
write it: chmod 600 faulty"

# greets PORT NAME:SECRET...: which of these jobs the hub challenges, "-" for others
greets() {
	"${python:-python3}" - "$@" <<'END'
import hashlib, os, socket, struct, sys

for word in sys.argv[2:]:
    job, secret = (w.encode() for w in word.split(":"))
    said = struct.pack(">II", 0x706C6832, 100) + job.ljust(64, b"\0")
    nonce = os.urandom(16)
    proof = hashlib.blake2b(
        said + nonce + bytes(16) + secret, key=b"plink: a job asks for a hub", digest_size=32
    )
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as s:
        s.settimeout(20)
        try:
            s.sendall(said + nonce + proof.digest())
            print(job.decode() if len(s.recv(48, socket.MSG_WAITALL)) == 48 else "-")
        except ConnectionError:
            print("-")
END
}

: >jobs
port=$(free_ports 1)
"$builddir/plink-hub" --listen=127.0.0.1:"$port" --jobs=jobs 2>err </dev/null &
hub=$!
cleanup() {
	kill "$hub" 2>/dev/null
}
catches "$hub"
is "an empty file: no job as yet, and that is said" "$(cat err)" "plink-hub: jobs: no job \
stands here as yet; the file is read again whenever one comes"
printf '\357\273\277# name secret\r\nred one\r\n#old two\r\n # blue three\r\n\r\ngreen five #5' >jobs
is "comments are no jobs" "$(greets "$port" '#:name' '#old:two' 'old:two' blue:three \
	red:one green:five | xargs)" "- - - - red green"
chmod g+r jobs
is "others may read it now: none is served" "$(greets "$port" red:one)" "-"
has "and the hub says why" "$(cat err)" \
	"refused 127.0.0.1: jobs holds a secret, and others than its owner may read it"
chmod g-r jobs
printf '\nblue\n' >>jobs
is "a faulty line: none is served" "$(greets "$port" red:one)" "-"
has "and the hub says which" "$(cat err)" "refused 127.0.0.1: jobs:7:5: the secret of job"
echo "red one" >jobs
is "it is right again" "$(greets "$port" red:one)" "red"
kill "$hub"
wait "$hub"
hub=

# the other files: of a hub that goes to its job, and of rank 0
hub_schedule 1 1 "schedule hub 0- chunk=8192 window=4" >schedule
echo secret >key
printf '# the secret\nsecret\n' >comment
chmod g+r key
timeout 10 "$builddir/plink-hub" --meet=127.0.0.1:1 --secret=key --name=h8 schedule 2>err
is "--secret: a file that others may read" "$? $(cat err)" "3 plink-hub: key holds a \
secret, and others than its owner may read it: chmod 600 key"
timeout 10 "$builddir/plink-hub" --meet=127.0.0.1:1 --secret=comment --name=h8 schedule 2>err
is "or with a comment in the first line" "$? $(cat err)" \
	"3 plink-hub: comment: no secret in the first line, or a comment"
export SECRET=only-we-know-it PLINK_HOST=h0
at=$(free_ports 1)
PLINK_HUB_MEET=127.0.0.1:1 PLINK_HUB_SECRET=key timeout 60 "$builddir/lib/example-allreduce" \
	schedule 0 "127.0.0.1:$at" 10 >out 2>err
has "PLINK_HUB_SECRET: the same" "$? $(cat err)" "chmod 600 key"
PLINK_HUBS=127.0.0.1:1 PLINK_HUB_JOB='#red' PLINK_HUB_SECRET=comment timeout 60 \
	"$builddir/lib/example-allreduce" schedule 0 "127.0.0.1:$at" 10 >out 2>err
has "a comment's first line is no secret there, either" "$? $(cat err)" "or a comment"
echo secret >own
PLINK_HUBS=127.0.0.1:1 PLINK_HUB_JOB='#red' PLINK_HUB_SECRET=own timeout 60 \
	"$builddir/lib/example-allreduce" schedule 0 "127.0.0.1:$at" 10 >out 2>err
has "and a job has no such name" "$? $(cat err)" "PLINK_HUB_JOB=#red: the name of a job"

# the page's commands make files that are read
sed -n 's/\\-/-/g; /umask 077/,/>> jobs$/p; /^(umask/p' "$builddir/man/plink-hub.1" |
	grep -E 'urandom|umask|>> jobs' >commands
(umask 022 && mkdir page && cd page && sh -e ../commands)
is "the page's commands: secrets are their owner's alone" \
	"$(find page -type f -perm 600 | sort | xargs)" "page/jobs page/resnet.secret page/secret"

done_testing
