# SPDX-License-Identifier: BSD-3-Clause
# probe.sh - one measurement of an emulated network, and what is to say of it;
# sourced by probe, which sets its variables.

hosts() {
	awk '/^[^#]/ { print $1 }' "$1"
}

two_tiers() {
	"$testbed" matrix --racks="$racks" --intra-us="$intra_us" \
		--inter-us="$inter_us" --shuffle --seed="$seed" 2>/dev/null
}

# Two racks and two are a row; between rows it is 900 us.
three_tiers() {
	"$testbed" matrix --racks="$racks" --intra-us=500 --inter-us=900 \
		--noise="$noise" --shuffle --seed="$seed" 2>/dev/null |
		awk -v mid="$mid_us" '
		$2 == "rack" { rack[$3] = $4 }
		/^#/ { print; next }
		{ name[++n] = $1; line[n] = $0 }
		END { for (i = 1; i <= n; i++) {
			split(line[i], c, " ")
			printf "%s", name[i]
			a = rack[name[i]]
			for (j = 1; j <= n; j++) {
				b = rack[name[j]]
				near = a != b && int(a / 2) == int(b / 2)
				printf " %.1f", c[j + 1] * (near ? mid / 900 : 1)
			}
			print ""
		} }'
}

# What runs an agent: it notes what the agent has used.
agent() {
	echo "$bin/bench/usage $tmp/used $bin/plink-agent"
}

# The same, of a user who may not ask for priority.
plain_agent() {
	echo "setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice $(agent)"
}

now() {
	date +%s.%N
}

# begin MATRIX RUN [HOSTS]: a fresh testbed; measured are the first so many
begin() {
	truth=$1 run=$2
	hosts "$truth" | head -n "${3:-1000000}" >"$tmp/hosts"
	n=$(wc -l <"$tmp/hosts")
	rows=0
	[ "$truth" != "$tmp/three" ] || rows=2
	awk -v rows="$rows" '$2 == "rack" {
		print $3, (rows ? int($4 / rows) "/" : "") $4 }' \
		"$truth" >"$tmp/places"
	: >"$tmp/used"
	"$testbed" up --matrix="$truth" --loss="$loss" --prefix="$prefix" \
		--trace=2000000 --seed="$((seed + run))" 2>"$tmp/err" || {
		cat "$tmp/err" >&2
		exit 4
	}
}

# finish NAME: ends the testbed; a row of $tmp/cells, $tmp/took and $tmp/truth
finish() {
	"$testbed" trips --prefix="$prefix" >"$tmp/trips"
	"$testbed" status --prefix="$prefix" >"$tmp/status"
	"$testbed" down --prefix="$prefix"
	grouped
	row "$1"
	[ -z "$keep" ] || for f in trips status cells; do
		cp "$tmp/$f" "$keep/$1-$run-$f"
	done
}

# cells of a matrix file's first layer, ns, as lines "from to us"
matrix_cells() {
	awk '/^# layer/ { exit } /^#/ { next }
		{ name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++) if (i != j)
				print name[i], name[j], \
					c[j + 1] == "nan" ? "-" : c[j + 1] / 1000
		} }' "$tmp/matrix"
}

# run_probe NAME AGENT OPTION...
run_probe() {
	what=$1 agent=$2
	shift 2
	rc=0
	"$bin/bench/usage" "$tmp/head-used" "$bin/plink-probe" --bandwidth=no --agent="$agent" \
		--launch="$testbed rsh --prefix=$prefix %h" "$@" "$tmp/hosts" \
		>"$tmp/matrix" 2>"$tmp/err" || rc=$?
	[ $rc -le 1 ] || {
		cat "$tmp/err" >&2
		exit 4
	}
	matrix_cells >"$tmp/cells"
	[ -z "$keep" ] || cp "$tmp/matrix" "$keep/$what-$run-matrix"
	[ -z "$keep" ] || cp "$tmp/err" "$keep/$what-$run-err"
	probe_took >"$tmp/took"
}

# "packets seconds bound": probes and answers; from the first pair on; and rounds one
# after another, each as long as its slowest round trip times a pair's probes and one
# for warm-up, as it would take with one probe at a time. A second look is one round
# at least.
probe_took() {
	second=$(grep -c '^plink-probe: drift \|measured again' "$tmp/err") || :
	[ "$second" -le 1 ] || second=1
	{
		sed -n 's/^plink-probe: \([0-9]*\) probes in \([0-9]*\) rounds.*/\1 \2/p
			s/^plink-probe: \([0-9.]*\) s, of them \([0-9.]*\) .*/\1 \2/p' \
			"$tmp/err"
		cat "$tmp/matrix"
	} | awk -v second="$second" '
		NR == 1 { probes = $1; rounds = $2; next }
		NR == 2 { took = $1 - $2; next }
		/^# layer/ { layer = $3; next }
		/^#/ { next }
		layer == "" { for (i = 2; i <= NF; i++)
			if ($i != "nan" && $i > slowest) slowest = $i }
		layer == "sent" { for (i = 2; i <= NF; i++)
			if ($i > 0) { n++; sent += $i } }
		END {
			print 2 * probes, took, \
				(rounds + second) * slowest / 1e9 * (sent / n + 1), \
				sent / n
		}'
	# an agent ends when it is told to: all of them have, soon
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(wc -l <"$tmp/used")" -lt "$n" ] || break
		sleep 0.1
	done
}

# Every host pings all others, as many packets as plink-probe has used for a pair,
# over as many seconds, or longer by its own pace.
run_fping() {
	count=$(awk '{ print int($4 + 0.5) }' "$tmp/took")
	period=$(awk '{ p = $2 * 1000 / $4; print p < 10 ? 10 : p }' "$tmp/took")
	begun=$(now)
	fping_pids=
	while read -r h; do
		others=$(grep -vx "$h" "$tmp/hosts")
		# shellcheck disable=SC2086
		{ "$testbed" exec --prefix="$prefix" "$h" -- \
			"$bin/bench/usage" "$tmp/used" fping -q -p "$period" \
			-C "$count" $others 2>"$tmp/fping.$h" || :; } </dev/null &
		fping_pids="$fping_pids $!"
	done <"$tmp/hosts"
	# shellcheck disable=SC2086
	wait $fping_pids
	echo "$begun $(now) $count" | awk -v n="$n" \
		'{ print 2 * $3 * n * (n - 1), $2 - $1, "-", $3 }' >"$tmp/took"
	fping_cells >"$tmp/cells"
}

# p10 by nearest rank of what fping printed, ms, as lines "from to us"
fping_cells() {
	while read -r h; do
		awk -v from="$h" '$2 == ":" {
			n = 0
			for (i = 3; i <= NF; i++) {
				if ($i == "-")
					continue
				for (k = ++n; k > 1 && v[k - 1] > $i + 0; k--)
					v[k] = v[k - 1]
				v[k] = $i + 0
			}
			k = n / 10
			k = k > int(k) ? int(k) + 1 : k
			print from, $1, n ? v[k] * 1000 : "-"
		}' "$tmp/fping.$h"
	done <"$tmp/hosts"
}

# $tmp/grouped: pairs of hosts that plink-groups has in one rack and are not, or the
# other way round, and the PAIA before the embedding and after; not for a few hosts
grouped() {
	[ "$n" -eq "$(hosts "$truth" | wc -l)" ] || {
		echo - - - >"$tmp/grouped"
		return
	}
	awk -v n="$n" '
		FILENAME == ARGV[1] { name[++m] = $1; next }
		{ v[$1, $2] = $3 == "-" ? "nan" : $3 }
		END {
			print "# plink-matrix 1\n# quantity rtt\n# unit us"
			print "# statistic p10"
			for (i = 1; i <= m; i++) {
				printf "%s", name[i]
				for (j = 1; j <= m; j++)
					printf " %s", i == j ? 0 : v[name[i], name[j]]
				print ""
			}
		}' "$tmp/hosts" "$tmp/cells" >"$tmp/measured"
	"$bin/plink-groups" --truth="$tmp/places" "$tmp/measured" \
		>"$tmp/groups" 2>"$tmp/paia" || {
		cat "$tmp/paia" >&2
		exit 4
	}
	cat "$tmp/groups" "$tmp/paia" | awk '
		FILENAME == ARGV[1] { sub(/.*\//, "", $2); rack[$1] = $2; next }
		/^rack / {
			sub(/.*: /, "")
			for (i = split($0, h, " "); i > 0; i--)
				in_group[h[i]] = NR
		}
		/^PAIA measured/ { raw = $3 }
		/^PAIA embedded/ { embedded = $3 }
		END {
			for (a in in_group)
				for (b in in_group)
					bad += a < b && (rack[a] == rack[b]) != \
						(in_group[a] == in_group[b])
			print bad + 0, raw ~ /^[0-9]/ ? raw : "-", \
				embedded ~ /^[0-9]/ ? embedded : "-"
		}' "$tmp/places" - >"$tmp/grouped"
}

head_line() {
	echo "err: us above what was applied to the same packets. load: processor" \
		"time of all agents per second."
	echo "bound: times what one probe at a time takes at least: rounds (a second" \
		"look is one) x slowest round trip x probes. racks: pairs of" \
		"hosts taken for one rack wrongly, or not."
	printf '%-6s %3s %5s %6s  %5s %5s %5s %5s %9s %7s %5s %6s %6s %5s %6s %6s\n' \
		what run pairs right min p50 p99 max packets seconds bound \
		load us/pkt racks PAIA embed.
}

# The row of a measurement, printed and put to $tmp/rows.
row() {
	awk '{ s += $1 + $2 } END { print s + 0 }' "$tmp/used" >"$tmp/cpu"
	awk 'FILENAME == ARGV[1] { true[$1, $2] = $5; next }
		$3 == "-" || !(($1, $2) in true) { print "missing", 0; next }
		{ e = $3 - true[$1, $2]; t = 0.05 * true[$1, $2]
		print e, (e < 0 ? -e : e) <= (t > 40 ? t : 40) }' \
		"$tmp/trips" "$tmp/cells" | sort -n >"$tmp/errors"
	awk -v what="$1" -v run="$run" -v n="$n" \
		-v took="$(cat "$tmp/took")" -v grouped="$(cat "$tmp/grouped")" \
		-v cpu="$(cat "$tmp/cpu")" '
	function at(p, k) { k = p * m; return v[k > int(k) ? int(k) + 1 : k] }
	$1 != "missing" { v[++m] = $1; right += $2 }
	END {
		split(took, t, " ")
		split(grouped, g, " ")
		printf "%-6s %3d %5d %6.2f  %5.0f %5.0f %5.0f %5.0f %9d %7.2f " \
			"%5s %6.2f %6.1f %5s %6s %6s\n", what, run, NR, \
			100 * right / NR, v[1], at(0.5), at(0.99), v[m], t[1], \
			t[2], t[3] == "-" ? "-" : sprintf("%.2f", t[2] / t[3]), \
			cpu / t[2], 1e6 * cpu / (2 * t[1]), g[1], g[2], g[3]
	}' "$tmp/errors" | tee -a "$tmp/rows"
}

# Packets of a pair, and errors, against those of the fixed number.
ratios() {
	awk '
	{ pairs[$1] += $3; packets[$1] += $9; right[$1] += $3 * $4; n[$1]++ }
	$3 > 0 { if ($4 < worst[$1] || !($1 in worst)) worst[$1] = $4 }
	END {
		base = "plink"
		a = packets[base] / pairs[base]
		for (other in n)
			if (other == "many" || other == "fping" || other == "plain")
				printf "%s: %.2f %% of pairs right in all runs, " \
					"%.4g times as many packets of a pair " \
					"as plink (%.2f %%)\n", other, \
					right[other] / pairs[other], \
					packets[other] / pairs[other] / a, \
					right[base] / pairs[base]
	}' "$tmp/rows" | sort
}
