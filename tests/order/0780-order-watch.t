#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0780-order-watch.t - plink-order --watch: what it tells of a network that changes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# measured NEAR FAR [RACK]: 8 hosts, which share a rack when they have the same RACK:
# awk, of i; the file appears whole
measured() {
	awk -v near="$1" -v far="$2" "function rack(i) { return ${3:-int(i / 4)} }"'
	BEGIN {
		print "# plink-matrix 1\n# quantity rtt\n# unit us"
		for (i = 0; i < 8; i++) {
			printf "h%d", i
			for (j = 0; j < 8; j++)
				printf " %g", i == j ? 0 : \
					rack(i) == rack(j) ? near : far
			print ""
		}
	}' >next
	mv next matrix
}

# watch ARGS: plink-order --watch every second, its events in out
watch() {
	"$order" --matrix=matrix --watch=1s --algorithm=ring --size=2k "$@" hosts >out 2>err &
	pid=$!
}

# seen N: waits until out has N lines
seen() {
	for _ in $(seq 100); do
		[ "$(wc -l <out)" -ge "$1" ] && return
		kill -0 "$pid" 2>/dev/null || return
		sleep 0.1
	done
}

finish() {
	kill "$pid"
	wait "$pid"
	rc=$?
}

# events: their names
events() {
	awk '{ printf "%s ", $2 }' out
}

seq -f 'h%g' 0 7 >hosts
measured 100 500
watch -o better --plan=plan --restart-cost=1m
seen 1
has "begins with what it finds" "$(cat out)" " begin     8 hosts; "
sleep 2.5
is "a network that stays is not told of" "$(events)" "begin "
measured 1000 5000
seen 2
is "all delays tenfold: told" "$(events)" "begin slower "
ok "and by how much" grep -Eq 'slower .*take [3-9][.0-9]* times as long' out
ok "no order is better then" test ! -e better
measured 100 500
seen 3
is "as before: told" "$(events)" "begin slower back "
measured 100 500 'i % 2'
seen 5
is "another order is better: told" "$(events)" \
	"begin slower back slower restart "
ok "with the time after which it pays" grep -Eq \
	'less time; a restart of 60 s pays for itself after [0-9.]+ s; the order is in better$' out
is "the order has each rack together" \
	"$(tr -d h <better | awk '{ printf "%d", $1 % 2 }' | tr -s 01)" \
	"$(tr -d h <better | awk 'NR == 1 { print ($1 % 2) ? "10" : "01" }')"
is "the plan has the same" \
	"$("$order" --matrix=matrix --algorithm=ring --size=2k --cost-of=plan 2>/dev/null)" \
	"$("$order" --matrix=matrix --algorithm=ring --size=2k --cost-of=better 2>/dev/null)"
measured 100 500
seen 7
is "that passes: told" "$(events)" \
	"begin slower back slower restart back stay "
rm matrix
seen 8
has "what cannot be read is told" "$(tail -n 1 out)" " failed    could not measure: "
sleep 2.5
is "once" "$(wc -l <out)" 8
measured 100 500
seen 9
cat better >hosts
seen 10
finish
is "again; another list begins anew; the end" "$(events | cut -d' ' -f8-)" \
	"failed measured begin end "
is "an interrupt ends it as wished" $rc 0

# an hour of measurements every 5 s, as fast as may be: each round trip off by up to 10 %
for seed in $(seq 72); do
	"$builddir/plink-testbed" matrix --racks=2x4 --intra-us=50 --inter-us=250 \
		--noise=0.1 --seed="$seed" >"noisy.$seed" 2>err
done
cp noisy.1 matrix
seq -f 'h%g' 0 7 >hosts
watch --watch=10ms
seen 1
python3 -c '
import os, time
for i in range(720):
    os.link("noisy.%d" % (i % 72 + 1), "next")
    os.replace("next", "matrix")
    time.sleep(0.01)'
is "noise of 10 % is not told of" "$(events)" "begin "
measured 1000 5000
seen 2
finish
is "but what comes after it" "$(events)" "begin slower end "

# a job that ends before a restart pays
seq -f 'h%g' 0 7 >hosts
measured 100 500 'i % 2'
watch --left=20m --share=50 --restart-cost=5m
seen 1
sleep 1.5
finish
is "a restart that does not pay is not told" "$(events)" "begin end "
watch --left=10h --share=50 --restart-cost=5m --json
seen 2
finish
is "one that does is, in JSON too" "$(python3 -c '
import json
event = [json.loads(line) for line in open("out")]
print(*(e["tool"] + ":" + e["event"] for e in event))
saved = 36000 * 0.5 * event[1]["gain_percent"] / 100 - 300
print(abs(event[1]["saves_s"] - saved) < 100)')" \
	"plink-order:begin plink-order:restart plink-order:end
True"

# faults
for args in --share=3 --left=5m '--watch=0' '--watch=1m -o hosts' '--watch=1m --predict' \
	'--watch=1m --json -o better' '--watch=1m --format=names' \
	'--watch=1m --missing=drop-host'; do
	"$order" --matrix=matrix $args hosts >out 2>err
	is "$args: refused" "$? $(cat out)" "2 "
done
"$order" --watch=1m --matrix=- hosts <matrix >out 2>err
is "standard input cannot be read again" $? 2
rm matrix
"$order" --watch=1m --matrix=matrix hosts >out 2>err
is "a first measurement that fails ends it" $? 4

done_testing
