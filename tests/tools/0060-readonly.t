#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0060-readonly.t - no file can be written but the outputs: in memory instead
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# The test's folder "out" is writable; /tmp, /dev/shm, /var/tmp and the rest of the
# test's folder are not, there is no HOME, and TMPDIR is one of those.
cat >"$tmp/alone" <<'END'
set -e
cd "$1"
mount --bind out out
for d in /tmp /var/tmp /dev/shm; do
	mount --rbind $d $d
	mount -o remount,bind,ro $d
done
case $1 in
/tmp/* | /var/tmp/*) ;;
*)
	mount --rbind . .
	mount -o remount,bind,ro .
	cd "$1"
	;;
esac
shift
cd out
unset HOME XDG_RUNTIME_DIR XDG_CACHE_HOME
TMPDIR=/tmp exec "$@"
END
mkdir "$tmp/out"
# alone COMMAND...: where nothing else can be written; its status in $rc
alone() {
	unshare -m sh "$tmp/alone" "$tmp" "$@" >"$tmp/said" 2>"$tmp/err" </dev/null
	rc=$?
}
alone sh -c '! touch /tmp/x && ! touch /dev/shm/x && ! touch ../x && touch x'
[ $rc = 0 ] || skip_all "no mounts of one's own: $(tail -n 1 "$tmp/err")"
rm "$tmp/out/x"

cd "$tmp" || exit 99
awk 'BEGIN { print "# plink-matrix 1\n# unit us\n# quantity rtt"
	for (i = 0; i < 6; i++) { printf "h%d", i
		for (j = 0; j < 6; j++) printf " %d", i == j ? 0 : \
			i % 2 == j % 2 ? 10 : 90
		print "" } }' >m
seq -f 'h%g' 0 3 >hosts
cp "$builddir/plink-agent" agent
mkdir bin
cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4" && exit; }
while [ "$1" != --hostfile ]; do shift; done
echo "$2" >list
i=0
while read -r host rest; do
	echo "plink-rank $i $host"
	i=$((i + 1))
done <"$2"
END
chmod +x bin/mpirun

# works WHAT TOOL OPTION...
works() {
	what=$1 tool=$builddir/$2
	shift 2
	alone env PATH="$tmp/bin:$PATH" "$tool" "$@"
	is "$what: exit 0" $rc 0
	[ $rc = 0 ] || sed 's/^/# /' err
}
works "plink-order" plink-order --matrix=../m -o order --plan=plan --report=x.html
works "plink-order --verify" plink-order --matrix=../m --verify
has "it has verified" "$(cat err)" "verified: all 6 ranks are on their hosts"
has "by a file in memory" "$(cat out/list)" /proc/
rm out/list
works "plink-order, which measures" plink-order --launch='sh -c' \
	--agent="$tmp/agent" --iface=lo ../hosts
is "every host once" "$(sort said | xargs)" "$(xargs <hosts)"
works "plink-probe" plink-probe --launch='sh -c' --agent="$tmp/agent" \
	--iface=lo -o matrix ../hosts
works "plink-probe to standard output" plink-probe --launch='sh -c' \
	--agent="$tmp/agent" --iface=lo ../hosts
works "plink-groups" plink-groups -o groups ../m
works "plink-report, text" plink-report ../m plan
works "plink-report, a page" plink-report -o page.html ../m plan
works "plink-report, SVG" plink-report -o page.svg ../m plan
works "plink-audit" plink-audit --pattern --ranks=4 --size=4k -o pattern
works "plink-doctor --help" plink-doctor --help
is "outputs, and nothing else" "$(ls out | xargs)" \
	"groups matrix order page.html page.svg pattern plan x.html"

# a hook's list of machines
cat >cloud <<'END'
#!/bin/sh
case $1 in
search) printf 'iteration 0.38\nmachines 2 p3.8xlarge spot 512 3.68\n' ;;
launch) echo one; echo two ;;
start)
	cut -d ' ' -f 1 "$SRIFT_HOSTS" | xargs >started
	echo "iteration 400" >>progress
	echo done >>progress
	;;
esac
END
chmod +x cloud
: >out/progress
works "plink-srift watch" plink-srift watch --iterations=400 --batch=1024 \
	--progress=progress --search='../cloud search' \
	--launch='../cloud launch' --start='../cloud start'
is "its hook reads the machines" "$(cat out/started)" "one two"

done_testing
