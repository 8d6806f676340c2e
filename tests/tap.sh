# SPDX-License-Identifier: BSD-3-Clause
# tap.sh - the Test Anything Protocol for shell tests; source it.
#
# $srcdir and $builddir come from make check; outside of it the source is two
# folders up and the build in its build/.
srcdir=${srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
builddir=${builddir:-$srcdir/build}
tap_run=0
tap_failed=0
# Without this, each process of an MPI library reads the PCI devices as it starts, which
# takes a third of the start in a virtual machine.
: "${HWLOC_COMPONENTS=-pci,-linuxio}"
export HWLOC_COMPONENTS

# pass WHAT, fail WHAT: report one check
pass() {
	tap_run=$((tap_run + 1))
	echo "ok $tap_run - $*"
}

fail() {
	tap_run=$((tap_run + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_run - $*"
}

# ok WHAT COMMAND...: passes when the command does; its output is shown if not
ok() {
	tap_what=$1
	shift
	if tap_out=$("$@" 2>&1); then
		pass "$tap_what"
	else
		fail "$tap_what"
		[ -z "$tap_out" ] || echo "$tap_out" | head -n 40 | sed 's/^/# /'
	fi
}

# is WHAT GOT WANT: passes when the two strings are the same
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		echo "got:  $2" | sed 's/^/# /'
		echo "want: $3" | sed 's/^/# /'
	fi
}

# has WHAT TEXT PART: passes when the text contains the part
has() {
	case $2 in
	*"$3"*) pass "$1" ;;
	*)
		fail "$1"
		echo "\"$2\" lacks \"$3\"" | sed 's/^/# /'
		;;
	esac
}

# catches PID: waits until the process catches SIGTERM (bit 14), which would have been
# its end before; for a minute at most
catches() {
	tap_n=0
	while ! grep -q '^SigCgt:.*[4-7c-f]...$' "/proc/$1/status" 2>/dev/null; do
		[ $((tap_n += 1)) -le 1200 ] || break
		sleep 0.05
	done
}

# running PATH: how many processes have a program whose path begins with it
running() {
	find /proc/[0-9]*/exe -prune -lname "$1*" 2>/dev/null | wc -l
}

# free_ports N: as many TCP ports that nobody has; none of those that the system gives to
# connections, one of which could take it before the test does
free_ports() {
	"${python:-python3}" -c 'import os, socket, sys
found, port = [], os.getpid() * 61
while len(found) < int(sys.argv[1]):
    port = (port + 1) % 12000
    with socket.socket() as s:
        try:
            s.bind(("", 20000 + port))
            found.append(20000 + port)
        except OSError:
            pass
print(*found)' "$1"
}

# skip_all WHY: ends the test file, nothing run
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# skip WHAT WHY: one check that cannot be made here
skip() {
	tap_run=$((tap_run + 1))
	echo "ok $tap_run - $1 # SKIP $2"
}

# the last line of every test file
done_testing() {
	echo "1..$tap_run"
	[ "$tap_failed" = 0 ]
}

# A private directory, removed at the end; a test that needs more cleaning
# defines cleanup().
tmp=$(mktemp -d)
tap_exit() {
	tap_rc=$?
	if command -v cleanup >/dev/null 2>&1; then
		cleanup
	fi
	rm -rf "$tmp"
	exit $tap_rc
}
trap tap_exit EXIT
trap 'exit 130' INT TERM

# LD_PRELOAD, Open MPI's agents and whatever else takes a list of words cannot
# quote a blank: tests see such a tree by a name without one.
case $builddir$srcdir in
*[[:space:]:]*)
	ln -s "$builddir" "$tmp/.build"
	ln -s "$srcdir" "$tmp/.src"
	builddir=$tmp/.build
	srcdir=$tmp/.src
	;;
esac
