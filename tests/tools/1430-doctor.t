#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1430-doctor.t - plink-doctor: hosts of all kinds, and what is said of them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
doctor=$builddir/plink-doctor
mkdir "$tmp/bin"

# The launcher is a script: a word for each kind of host, in its name. It writes its
# process down, and what hosts have of plink, MPI and clock are doubles in a folder
# that comes first in PATH there.
cat >"$tmp/launch" <<END
#!/bin/sh
case \$1 in
refused*) echo "ssh: connect to host \$1 port 22: Connection refused" >&2
	exit 255 ;;
hangs*) echo \$\$ >"$tmp/hangs"
	exec sleep 600 ;;
gone*) echo plink-doctor hello
	read -r line
	exit 7 ;;
deaf*) exec cat /dev/zero ;;
banner*) echo "Welcome to \$1"
	printf "no end of line"
	echo "only for members" >&2 ;;
esac
kind=\${1%%[0-9]*}
PATH=$tmp/\$kind:$tmp/bin:\$PATH
export PATH
exec sh -c "\$2"
END
chmod +x "$tmp/launch"

# double KIND NAME: what hosts of that kind have as NAME, from stdin
double() {
	mkdir -p "$tmp/$1"
	{ echo '#!/bin/sh' && cat; } >"$tmp/$1/$2"
	chmod +x "$tmp/$1/$2"
}
version=$("$doctor" --version | sed 's/.* //')

# all hosts have this agent and this mpirun
cp "$builddir/plink-agent" "$tmp/bin/agent"
double bin mpirun <<'END'
echo "mpirun (Open MPI) 4.1.4"
END
double othermpi mpirun <<'END'
echo "mpirun (Open MPI) 5.0.1"
END
double oldagent agent <<END
[ "\$1" != --version ] || { echo "plink-agent (plink) 0.0.1"; exit; }
exec "$tmp/bin/agent" "\$@"
END
double noagent agent <<'END'
echo "sh: 1: plink-agent: not found" >&2
exit 127
END
double badagent agent <<END
case \$* in *--version*) exec "$tmp/bin/agent" --version ;; esac
echo "cannot bind" >&2
exit 9
END
now=$(command -v date)
double late date <<END
echo "\$((\$($now +%s) - 3600)).%N"
END
double whole date <<END
echo "\$($now +%s).%N"
END
double steps date <<END
echo x >>"$tmp/stepped"
echo "\$((\$($now +%s) + 500 * \$(wc -l <"$tmp/stepped") - 500))"
END

# run HOST...: with these hosts; status in $rc, the table in $tmp/out
limit=60
run() {
	printf '%s\n' "$@" >"$tmp/hosts"
	again
}
again() {
	PATH=$tmp/bin:$PATH "$doctor" --launch="$tmp/launch %h" \
		--agent=agent --iface=lo --time=$limit "$tmp/hosts" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# found NAME WANT: whose and what findings there are
found() {
	is "$1" "$(grep -E '^[a-z0-9 ]+: [a-z]+: ' "$tmp/out" |
		sed -E 's/^([^:]*: [a-z]+): .*/\1/' | paste -sd';')" "$2"
}

# no library of ours is loaded by a double of an MPI: that line is of what is here
run well1 well2 banner3 whole4
is "all is well: exit 0" "$rc" 0
found "all is well: nothing found" ""
is "all is well: nothing on stderr" "$(cat "$tmp/err")" ""
is "all is well: the table" "$(awk '{ print $1, $2, $3, $4 }' "$tmp/out" |
	grep -vE '^(shim|nccl)')" \
	"reach 4 of 4
agent 4 of 4
plink 4 of 4
mpi 4 of 4
clock 4 of 4
udp 4 of 4
tcp 4 of 4
all is well on"
has "all is well: which MPI" "$(cat "$tmp/out")" "mpirun (Open MPI) 4.1.4"
has "all is well: which version" "$(cat "$tmp/out")" "plink-agent $version"

# all that can be wrong, at once
run well1 well2 refused3 gone4 othermpi5 oldagent6 noagent7 badagent8 late9 \
	steps10 well11
is "many faults: exit 1" "$rc" 1
found "many faults: each at its host" \
	"refused3: reach;gone4: reach;othermpi5: mpi;oldagent6: agent;\
noagent7: agent;badagent8: agent;late9: clock;steps10: clock"
out=$(cat "$tmp/out")
has "refused: why" "$out" "refused3: reach: the launcher ended with status 255: \
ssh: connect to host refused3 port 22: Connection refused: start sshd there, or name"
has "gone: why" "$out" "gone4: reach: the shell there ended with status 7"
has "gone: what to try" "$out" \
	"this must work without a question: $tmp/launch gone4 true"
has "another MPI" "$out" "othermpi5: mpi: it has \"mpirun (Open MPI) 5.0.1\", \
8 of 9 hosts have \"mpirun (Open MPI) 4.1.4\": install the same version"
has "an old agent" "$out" "oldagent6: agent: its plink-agent is 0.0.1, this is \
$version: install this version there, or send it with --push"
has "no agent" "$out" "noagent7: agent: no plink-agent answers there: sh: 1: \
plink-agent: not found: install plink there"
has "an agent that does not start" "$out" "badagent8: agent: its plink-agent \
does not take part: its agent ended with status 9: cannot bind"
has "a clock that was set" "$out" "steps10: clock: its clock was set by +"
ok "a clock an hour behind" grep -qE \
	'^late9: clock: its clock is 3[56][0-9]{2}\.[0-9]{3} s behind' "$tmp/out"
has "what it comes to" "$out" "8 of 11 hosts are not ready"

# hosts that hang cost the limit once, and nothing of them is left
limit=2
run hangs1 deaf2 hangs3 hangs4
is "hosts that hang: exit 1" "$rc" 1
found "hosts that hang: each is told" \
	"hangs1: reach;deaf2: reach;hangs3: reach;hangs4: reach"
has "hosts that hang: why" "$(cat "$tmp/out")" "no shell answered there within 2 s"
ok "hosts that hang: their launchers are ended" \
	sh -c "! kill -0 $(cat "$tmp/hangs") 2>/dev/null"
rm "$tmp/hangs"

# interrupted: said, and all is ended
echo hangs1 >"$tmp/hosts"
"$doctor" --launch="$tmp/launch %h" --agent=agent --time=500 \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err" &
pid=$!
while [ ! -s "$tmp/hangs" ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -s TERM $pid
wait $pid
is "SIGTERM: exit 1" $? 1
is "SIGTERM: said, and no table" "$(cat "$tmp/err" "$tmp/out")" \
	"plink-doctor: interrupted"
ok "SIGTERM: the launcher is ended" \
	sh -c "! kill -0 $(cat "$tmp/hangs") 2>/dev/null"

# sent agents need none there
limit=60
printf 'noagent1\nnoagent2\n' >"$tmp/hosts"
PATH=$tmp/bin:$PATH "$doctor" --launch="$tmp/launch %h" --iface=lo \
	--push="$builddir/plink-agent" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
rc=$?
if grep -q "needs shared libraries" "$tmp/err"; then
	is "--push of an agent that needs libraries: exit 3" "$rc" 3
else
	is "--push: exit 0" "$rc" 0
	has "--push: said" "$(cat "$tmp/out")" "plink-agent $version, sent there"
fi

# one host; another MPI here
run well1
is "one host: exit 0" "$rc" 0
has "one host: nobody to hear it" "$(cat "$tmp/out")" "no two hosts to try it with"
run othermpi1 othermpi2
is "another MPI here: exit 1" "$rc" 1
found "another MPI here" "this machine: mpi"
has "another MPI here: what it comes to" "$(cat "$tmp/out")" \
	"each host alone is well"

# as JSON, and to a file
printf 'well1\nlate2\nrefused3\n' >"$tmp/hosts"
PATH=$tmp/bin:$PATH "$doctor" --json --output="$tmp/json" --agent=agent \
	--launch="$tmp/launch %h" --iface=lo "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "--json: exit 1" $? 1
is "--json: nothing on stdout" "$(cat "$tmp/out")" ""
cat >"$tmp/read.py" <<'END'
import json
import sys

d = json.load(open(sys.argv[1]))
print(d["n"], d["well"], [h["reached"] for h in d["hosts"]],
      [h["ready"] for h in d["hosts"]],
      [(f["host"], f["subject"]) for f in d["findings"]],
      [(p["host"], p["next"], p["udp"], p["tcp"]) for p in d["pairs"]],
      round(d["hosts"][1]["skew_s"] / 3600), d["hosts"][2]["skew_s"])
END
is "--json: what programs read of it" "$(python3 "$tmp/read.py" "$tmp/json")" \
	"3 False [True, True, False] [True, False, False] \
[('late2', 'clock'), ('refused3', 'reach')] [('well1', 'late2', True, True)] -1 None"

# bad input
: >"$tmp/hosts"
again
is "no hosts: exit 3" "$rc" 3
has "no hosts: said" "$(cat "$tmp/err")" "$tmp/hosts: no host"
rm "$tmp/hosts"
again
is "no such file: exit 4" "$rc" 4
echo 'a/b' >"$tmp/hosts"
again
is "a name that is none: exit 3" "$rc" 3
has "a name that is none: where" "$(cat "$tmp/err")" "$tmp/hosts:1:2: "
echo hangs1 >"$tmp/hosts"
"$doctor" --launch="$tmp/launch %h" --time=500 -o "$tmp/none/out" \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "no folder for the output: exit 4, before anybody is asked" $? 4
has "no folder for the output: said" "$(cat "$tmp/err")" "$tmp/none/out"

# usage WHAT OPTION...: refused
usage() {
	what=$1
	shift
	echo well1 >"$tmp/hosts"
	"$doctor" "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	is "$what: exit 2" $? 2
	is "$what: no output" "$(cat "$tmp/out")" ""
}
usage "an option of others" --matrix="$tmp/m"
usage "--push and --agent" --push --agent=x
usage "a launcher's percent sign" --launch='ssh %q'
usage "a network that is none" --iface='a b'
usage "no number of seconds" --time=soon
usage "no time at all" --time=0
usage "an empty value" --agent=
usage "an option that there is not" --foo
is "an option that there is not: one line that names it" "$(cat "$tmp/err")" \
	"plink-doctor: unknown option --foo; see \
plink-doctor --help"
"$doctor" >"$tmp/out" 2>"$tmp/err"
is "no HOSTS: exit 2" $? 2

done_testing
