#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0650-probe-push.t - the agent is sent to hosts where nothing is installed
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
printf 'a\nb\nc\n' >"$tmp/hosts"
mkdir "$tmp/run" "$tmp/bin" "$tmp/there"
cp "$builddir/plink-agent" "$tmp/agent"

# Where the hosts of these tests put what they are sent.
XDG_RUNTIME_DIR=$tmp/run
TMPDIR=$tmp/there
size=$(wc -c <"$tmp/agent")
export XDG_RUNTIME_DIR TMPDIR size

# push ARG...: status in $rc, matrix in $tmp/out, the rest in $tmp/err
push() {
	"$probe" --bandwidth=no --launch="$launch" --push="$tmp/agent" --iface=lo \
		--probes=5 --start-time=20 "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# Agents whose program had its only name in the folder of these tests.
agents() {
	find /proc/[0-9]*/exe -prune -lname "$tmp/run/.plink-agent.* (deleted)" \
		-printf '%h\n' 2>/dev/null
}
files() {
	find "$tmp/run" "$tmp/there" -type f | wc -l
}

# what needs shared libraries, or is no program, is not sent
launch="sh -c"
push --push="$probe"
is "a program with shared libraries: exit 3" "$rc" 3
has "a program with shared libraries: why" "$(cat "$tmp/err")" \
	"needs shared libraries"
push --push="$tmp/hosts"
is "no program: exit 3" "$rc" 3
push --push="$tmp/none"
is "no file: exit 4" "$rc" 4
push --agent=true
is "--push and --agent: exit 2" "$rc" 2

push
if grep -q "needs shared libraries" "$tmp/err"; then
	is "no static agent here (sanitizers): exit 3" "$rc" 3
	done_testing
	exit
fi
is "three hosts: exit 0" "$rc" 0
has "three hosts: every pair" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
has "no %h in the template is said" "$(cat "$tmp/err")" \
	"no %h: the same command for each of 3 hosts"
is "no file is left" "$(files)" 0
"$probe" --bandwidth=no --launch='sh -c' --push --iface=lo --probes=5 -v "$tmp/hosts" \
	>"$tmp/out" 2>"$tmp/err"
is "no file named: exit 0" "$?" 0
has "no file named: the agent beside plink-probe" "$(cat "$tmp/err")" \
	"agent: sent, $(cd "$builddir" && pwd -P)/plink-agent"
"$builddir/plink-order" --launch='sh -c' --push="$tmp/agent" --iface=lo --moves=1000 \
	--save-matrix="$tmp/out" "$tmp/hosts" >/dev/null 2>"$tmp/err"
is "plink-order --push: exit 0" "$?" 0

# login shells of other kinds read the command first
for shell in bash dash 'busybox sh' mksh tcsh fish zsh; do
	if [ -n "$(command -v "${shell%% *}")" ]; then
		launch="$shell -c"
		push
		is "through $shell: exit 0" "$rc" 0
	fi
done

# a banner without an end, an extra blank line, chatter
cat >"$tmp/launch" <<'END'
#!/bin/sh
printf 'plink-agent is welcome\n\n** maintenance at noon **'
echo chatter >&2
exec sh -c "$1"
END
chmod +x "$tmp/launch"
launch=$tmp/launch
push
is "a banner: exit 0" "$rc" 0

# killed outright: neither agents nor files stay
launch="sh -c"
"$probe" --bandwidth=no --launch='sh -c' --push="$tmp/agent" --iface=lo --probes=100000 \
	"$tmp/hosts" >/dev/null 2>"$tmp/err" &
pid=$!
while [ "$(agents | wc -l)" -lt 3 ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
is "three agents run, whose file has no name" "$(agents | wc -l)" 3
is "there is no file while they do" "$(files)" 0
is "they are called what they are" "$(for a in $(agents); do
	cat "$a/comm"
done | sort -u)" plink-agent
kill -s KILL $pid
wait $pid
k=0
while [ -n "$(agents)" ] && [ $((k += 1)) -lt 600 ]; do
	sleep 0.05
done
is "SIGKILL: no agent outlives it" "$(agents)" ""
is "SIGKILL: no file" "$(files)" 0

# fault WHAT REASON: no host can take it, for that reason, and no file is left
fault() {
	push
	is "$1: exit 4" "$rc" 4
	has "$1: why" "$(cat "$tmp/err")" "$2"
	is "$1: no file" "$(files)" 0
}

# spoil COMMAND: the hosts' command is another, which stdin says
spoil() {
	rm -f "$tmp"/bin/*
	{ echo '#!/bin/sh' && cat; } >"$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
	launch="env PATH=$tmp/bin:$PATH sh -c"
}

cat >"$tmp/launch" <<'END'
#!/bin/sh
head -c 1000 | sh -c "$1"
END
launch=$tmp/launch
fault "a launcher that ends the input" "it did not arrive as it was sent"
cat >"$tmp/launch" <<'END'
#!/bin/sh
head -c "$size" | tr '\n' '\r' | sh -c "$1"
END
fault "a launcher that alters it" "it did not arrive as it was sent"
spoil uname <<'END'
echo vax
END
fault "another machine" "this machine is vax, the program for $(uname -m)"
spoil mktemp <<'END'
exit 1
END
fault "nowhere to write" "no place for it: $tmp/run cannot be written"
has "nowhere to write: all places" "$(cat "$tmp/err")" \
	"$tmp/there cannot be written"
chmod 777 "$tmp/run"
push
is "where others may change it: exit 4" "$rc" 4
has "where others may change it: why" "$(cat "$tmp/err")" \
	"no place for it: others may change what is in $tmp/run, /dev/shm"
chmod 770 "$tmp/run"
push
has "nor where a group may" "$(cat "$tmp/err")" \
	"no place for it: others may change what is in $tmp/run, /dev/shm"
chmod 1777 "$tmp/run"
push
has "but where only their own" "$(cat "$tmp/err")" \
	"no place for it: $tmp/run cannot be written"
chmod 755 "$tmp/run"
spoil chmod <<'END'
exit 1
END
fault "nothing may be run" "no place for it: $tmp/run lets no program run"
spoil head <<'END'
exit 1
END
fault "no room" "no place for it: $tmp/run has no room"
launch="env PATH=$tmp/none $(command -v sh) -c"
push
is "nothing there: exit 4" "$rc" 4

# a file system that lets no program run: the next one is taken
cat >"$tmp/launch" <<'END'
#!/bin/sh
mount -t tmpfs -o noexec none "$XDG_RUNTIME_DIR" || exit 9
exec sh -c "$1"
END
if unshare -rm mount -t tmpfs -o noexec none "$tmp/run" 2>/dev/null; then
	launch="unshare -rm $tmp/launch"
	push
	is "mounted noexec: exit 0" "$rc" 0
else
	skip "mounted noexec: exit 0" "no mounts in a namespace here"
fi

done_testing
