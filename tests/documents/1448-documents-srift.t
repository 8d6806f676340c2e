#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1448-documents-srift.t - what plink-srift-tutorial(7) has its readers type, typed on
# emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"
python=${PLINK_PYTHON:-/usr/bin/python3}
. "$srcdir/tests/python/warm.sh"

cd "$tmp" || exit 99
. "$srcdir/tests/documents/machines.sh"
"$python" "$srcdir/tests/documents/blocks.py" man \
	"$builddir/man/plink-srift-tutorial.7" blocks >list
is "plink-srift-tutorial(7): its examples have names" "$?" 0
for file in model.py hosts.txt prices.csv; do
	cp blocks/file.$file $file
done

# all-reduces are timed once, for a hundredth of the time; fewer iterations of the
# model, and a shorter search for what is learned: how well is not tested here
sed 's/^BLOCK_S = 0.2 /BLOCK_S = 0.002 /' \
	"$srcdir/planner/srift/learned/plink_allreduce.py" >all_reduce.py
is "a short program" "$(grep -c '^BLOCK_S = 0.002 ' all_reduce.py)" 1

# what stands for an installation: where plink's programs are, and Python with torch
cat >bin/plink-srift <<END
#!/bin/sh
case \$1 in
grid) set -- "\$@" --repeat=1 --program="$tmp/all_reduce.py" ;;
train) set -- "\$@" --folds=3 --trees=40 --depth=4 --rate=0.3 ;;
esac
exec "$builddir/plink-srift" "\$@"
END
printf '#!/bin/sh\nexec "%s" -B "%s" "$@" --warmup=1 --repeat=3\n' "$python" \
	"$srcdir/planner/srift/profile/plink_profile.py" >bin/plink_profile.py
printf '#!/bin/sh\nexec "%s" -B "$@"\n' "$python" >bin/python3
chmod +x bin/*
# the page's hour would depend on what else this machine does
sed -i 's/--time-limit=1h/--time-limit=10h/' blocks/run.recommend
is "more time for the job" "$(grep -c -e --time-limit=10h blocks/run.recommend)" 1

run profile
has "the profile has the largest batch" "$(cat err)" "plink_profile: 256 samples"
run grid
has "all is measured" "$(cat err)" "grid.csv: 80 of 80 measurements added"
has "and learned from" "$(cat out)" "cloud.model: written"
run sweep
is "each number of machines in both scalings" \
	"$(grep -c '^  small  *[1-4] .*#$' out)" 6
run recommend
has "there is a choice" "$(cat out)" "choice     "
has "proved to be the cheapest" "$(cat out)" "proof      no choice is cheaper"
run predict
has "its time" "$(cat out)" "model: 4 machines, 4 ranks, 256 samples"
"$testbed" down --prefix=$prefix >/dev/null

is "no other command is in the page" "$(grep -c ^run list)" 5
done_testing
