#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1070-mpi-stats.t - PLINK_STATS: what a job calls is counted
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

counted=$builddir/tests/shim-mpi/counted
file=$tmp/stats
plan 2 '1 0' >"$tmp/plan"

# run N CALLS: counted with the preload, $slots ranks on a host, statistics to $file
slots=2
run() {
	run_n=$1
	shift
	shim "$run_n" -x PLINK_STATS="$file" "$as" $slots "$counted" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# rows FILE: all but the times
rows() {
	sed '/^#/d' "$1" | cut -d' ' -f1-8
}

# rows_in FILE: the same, and in which communicator
rows_in() {
	sed '/^#/d' "$1" | cut -d' ' -f1-8,12
}

# head FILE KEY: what the file says of the job
head_of() {
	sed -n "s/^# $2 //p" "$1"
}

run 4 all
is "the program ends well, and nothing is said" "$rc $(cat "$tmp/err")" "0 "
rows_in "$file" >"$tmp/rows"
cp "$srcdir/tests/shim-mpi/counted-rows" "$tmp/want"
is "exactly the calls that were made" "$(cat "$tmp/rows")" "$(cat "$tmp/want")"
is "the file says what it is" "$(head -n 1 "$file")" "# plink-stats 1"
for row in "mode:world" "ranks:4" "plan:$tmp/plan" \
	"order:allreduce ring openmpi"; do
	is "and of the job: ${row%%:*}" "$(head_of "$file" "${row%%:*}")" \
		"${row#*:}"
done
cp "$file" "$tmp/world"
PLINK_MPI_MODE=shadow run 4 all
is "the same in shadow mode" "$rc $(head_of "$file" mode) $(cat "$tmp/err")" \
	"0 shadow "
is "exactly those calls, and none of the library's own" "$(rows_in "$file")" \
	"$(cat "$tmp/want")"
cp "$tmp/world" "$file"

# a job of it
"$builddir/plink-job" import --steps=1 "$file" >"$tmp/job" 2>"$tmp/err"
is "plink-job has the communicators" \
	"$(sed -n '/allreduce 4$/,/^kind/{/^kind.*broadcast/d; p}' "$tmp/job")" \
	"$(printf 'kind communicator-1 allreduce 4\ngroup 0 1\ngroup 2 3')"

# the page's example, as one reads it
sed -n "/^awk '/,/sort/{s/\\\\-/-/g; s/\\\\e/\\\\/g; s|job.stats|$file|; p}" \
	"$builddir/man/plink-stats.5" >"$tmp/example"
sh "$tmp/example" >"$tmp/out" 2>&1
is "the page's example has all the rows" "$? $(wc -l <"$tmp/out")" \
	"0 $(($(wc -l <"$tmp/want") - 1))"
has "as it should" "$(cat "$tmp/out")" "% blocking allreduce 512-1023 x5"
ok "times are in order" awk '/^#/ || $1 == "collective" { next }
	!($10 <= $9 + 1e-9 && $9 <= $11 + 1e-9) || NF != 12 { exit 1 }' "$file"

# the same as JSON; a rank that comes late makes the others wait
if command -v python3 >/dev/null 2>&1; then
	file=$tmp/stats.json
	run 4 all
	cat >"$tmp/rows.py" <<'END'
import json, sys
job = json.load(open(sys.argv[1]))
keys = ["collective", "kind", "ranks", "size_min", "size_max", "calls",
        "bytes", "processes", "communicator"]
print(*keys)
for row in job["rows"]:
    assert list(row)[:8] + list(row)[11:] == keys and row["seconds_min"] <= row["seconds_max"]
    print(*[row[k] for k in keys])
assert job["plink_stats"] == 1 and job["mode"] == "world"
assert job["plan"] == sys.argv[2] and job["ranks"] == 4
END
	python3 "$tmp/rows.py" "$file" "$tmp/plan" >"$tmp/out"
	is "the same rows in JSON" "$? $(cat "$tmp/out")" \
		"0 $(cat "$tmp/want")"
	file=$tmp/stats
else
	skip "the same rows in JSON" "no python3 here"
fi
run 3 late
is "a late rank: the others wait at least so long, as seconds_max says" \
	"$(awk '$1 == "barrier" { print ($11 > 0.1) }' "$file")" 1
run 4 unequally
is "rows that only some ranks have" "$(rows "$file" | sed 1d)" \
	"allreduce blocking 1 8 15 10 80 1
allreduce blocking 1 16 31 20 320 1
allreduce blocking 1 32 63 30 960 1"
run 3 threads
is "from several threads, one after another and at once" \
	"$(rows "$file" | sed 1d)" "send blocking 1 1 1 24000 24000 3"
run 2 many
is "too many kinds of calls: the rest is in one row" \
	"$(rows "$file" | sed -n 's/ [0-9]* \([0-9]*\)$/ \1/; /^other/p')" \
	"other any 0 0 18446744073709551615 12 2"
is "and none is lost" "$(rows "$file" | awk '{ n += $6 } END { print n }')" 782
has "that is said" "$(cat "$tmp/err")" "more than 384 kinds of calls"

# the name of the file
slots=1
plan 1 '1 0' >"$tmp/plan"
rm -f "$file"
(cd "$tmp" && file=stats && run 2 elsewhere)
is "relative to where MPI_Init was called" "$(rows "$file" | sed 1d)" \
	"barrier blocking 2 0 0 2 0 2"
is "and nothing else is left there" "$(ls "$tmp" | grep -c stats)" 2
file=- run 2 elsewhere
has "standard output" "$(cat "$tmp/out")" "barrier blocking 2 0 0 2 0 2"
mkdir "$tmp/own"
(cd "$tmp/own" && file=- run 2 closed && echo "$rc" >rc)
is "nothing goes to files that have the numbers of closed streams" \
	"$(cat "$tmp/own/rc") $(ls "$tmp/own" | wc -l) $(cat "$tmp/own/own"-*)" "0 5 "
for bad in "$tmp/none/stats:No such file or directory" "$tmp:a directory" \
	"$tmp/pipe:a pipe" "/dev/..$tmp/pipe:a pipe, which is none of stdout" \
	"$tmp/plan:PLINK_PLAN itself"; do
	[ -p "$tmp/pipe" ] || mkfifo "$tmp/pipe"
	file=${bad%%:*} run 2 elsewhere 5
	is "$bad: the program's own status" "$rc" 5
	is "$bad: one line is said" "$(grep -c libplink-mpi "$tmp/err")" 1
	has "$bad: namely this" "$(cat "$tmp/err")" \
		"libplink-mpi: cannot write ${bad%%:*}"
done
is "the plan is still one" "$(plan 1 '1 0')" "$(cat "$tmp/plan")"
file=$(printf '%05000d' 0) run 2 elsewhere 5
is "too long a name: that is said, and the program's own status" \
	"$rc $(grep libplink "$tmp/err")" \
	"5 libplink-mpi: PLINK_STATS: the name is too long; no statistics"
rm -f "$file"
run 2 abort
is "a job that aborts has its status, and no statistics" \
	"$rc $(ls "$tmp" | grep -c 'stats$')" "7 0"

# counting, and nothing else
rm "$tmp/plan"
run 2 elsewhere
is "without a plan's file: counted, ranks stay" "$(head_of "$file" mode)" aside
has "and that is said" "$(cat "$tmp/err")" "cannot open $tmp/plan"
is "no plan is named then" "$(head_of "$file" plan)" ""
only() {
	mpi 2 -x LD_PRELOAD="$preload" -x PLINK_STATS="$file" "$@" \
		>"$tmp/out" 2>"$tmp/err"
}
only "$counted" elsewhere
is "without PLINK_PLAN: counted, and nothing is said" \
	"$(head_of "$file" mode) $(cat "$tmp/err")" "aside "
only -x PLINK_MPI_MODE=off "$counted" elsewhere
is "switched off: counted, and nothing is said" \
	"$(head_of "$file" mode) $(cat "$tmp/err")" "off "
plan 1 '1 0' >"$tmp/plan"
only -x PLINK_MPI_MODE=off -x PLINK_PLAN="$tmp/plan" "$as" 1 "$ranks"
is "and no rank changes" "$(sort "$tmp/out" | xargs)" "0:h0:0 1:h1:1"
only sh -c '[ $OMPI_COMM_WORLD_RANK = 0 ] || unset PLINK_STATS; exec "$@"' - \
	"$counted" elsewhere
is "only rank 0 names a file" "$(rows "$file" | sed 1d)" \
	"barrier blocking 2 0 0 2 0 2"
rm "$file"
only sh -c '[ $OMPI_COMM_WORLD_RANK != 0 ] || unset PLINK_STATS; exec "$@"' - \
	"$counted" elsewhere
ok "all but rank 0 do: not counted" test ! -e "$file"
only -x PLINK_MPI_TIMEOUT=2 -x PLINK_MPI_MODE=off sh -c \
	'[ $OMPI_COMM_WORLD_RANK != 1 ] || unset PLINK_STATS; exec "$@"' - \
	"$counted" elsewhere
has "switched off, and not all name a file: the job ends" "$(cat "$tmp/err")" \
	"ranks 1 have not answered"

# from Fortran
for how in mpif mpi-f08; do
	program=$builddir/tests/shim-mpi/counted-$how
	[ -x "$program" ] || {
		skip "$how" "built without MPI for Fortran"
		continue
	}
	mpi 4 -x LD_PRELOAD="$preload" -x PLINK_STATS="$file" "$program" >"$tmp/out" \
		2>"$tmp/err"
	is "$how: exactly the calls that were made" \
		"$? $(rows "$file" | sed 1d)" "0 allreduce blocking 4 32 63 4 160 4
broadcast blocking 4 16 31 4 64 4
allgather blocking 4 8 15 4 48 4
barrier nonblocking 4 0 0 4 0 4
send blocking 4 0 0 4 0 4"
done

# a program that looks for differences
rm -f "$tmp/f"
plan 2 '1 0' >"$tmp/plan"
shim 4 -x PLINK_STATS="$file" "$as" 2 "$builddir/tests/shim-mpi/same" \
	"$tmp/f" >"$tmp/out"
is "a program that looks for differences ends well" $? 0
relay "counted" "$tmp/out"

# processes that others start are not counted, and write no file
btl=tcp
plan 1 '1 0' >"$tmp/plan"
rm -f "$file"
shim 2 -x PLINK_STATS="$file" --mca btl_tcp_if_include lo "$as" 1 \
	"$builddir/tests/shim-mpi/spawn" "$as" 1 >"$tmp/out" 2>"$tmp/err"
is "processes that start others: those two are counted" \
	"$? $(head_of "$file" ranks)" "0 2"

done_testing
