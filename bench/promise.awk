# SPDX-License-Identifier: BSD-3-Clause
# promise.awk - what bench/promise measured: what is still to be measured (want=more),
# or the table and the verdict (want=table; exit 1: an order found is slower)
#
# A file is a network. Lines:
#   network K RACKS ORDER
#   cell LIBRARY BYTES
#   order LIBRARY given|found HOST...
#   promised LIBRARY BYTES GIVEN-MS FOUND-MS [doubted]
#   time LIBRARY BLOCK given|found BYTES US,US,...
# -v width=PERCENT: an interval of more either way is not good enough. -v loss=PERCENT:
# as much slower, and half the interval, is no fault yet. -v same=yes: time the given order
# against itself; else it needs no more time where it is the order found.
# Arrays are by cell: network, library, bytes.

# 97.5 % of Student's t with df degrees of freedom
function student(df, t) {
	split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 " \
		"2.201 2.179 2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086", t, " ")
	return df in t ? t[df] : 1.96 + 2.5 / df
}

# of "a,b,c"
function least(list, v, k, m) {
	k = split(list, v, ",")
	for (m = v[k]; k > 0; k--)
		m = v[k] + 0 < m + 0 ? v[k] : m
	return m
}

# ratio, half its interval and the number of blocks of a cell: the mean of the
# logarithms over blocks in which both orders were launched
function judge(c, b, k, x, sum, squares, s) {
	k = sum = squares = 0
	for (b = 1; b <= blocks[c]; b++) {
		if (!((c, b, "given") in us) || !((c, b, "found") in us))
			continue
		x = log(us[c, b, "found"] / us[c, b, "given"])
		sum += x
		squares += x * x
		k++
	}
	n_blocks = k
	ratio = k ? exp(sum / k) : 1
	half = 1e9
	if (k > 1) {
		s = (squares - sum * sum / k) / (k - 1)
		half = ratio * (exp(student(k - 1) * sqrt(s > 0 ? s / k : 0)) - 1)
	}
}

function magnitude(x) {
	return x < 0 ? -x : x
}

# What a promise of that cell comes to; with @found, the measured time, in the statistics
# of those that plink vouches for, or of those it does not.
function weigh_promise(c, found, kind) {
	promise = error = "-"
	if (!(c in promised_found))
		return
	promise = promised_found[c] / promised_given[c]
	kind = doubted[c] ? "that plink says not to trust" : "that plink vouches for"
	if (found) {
		error = 100 * (ratio - promise)
		errors[kind] = errors[kind] " " magnitude(error)
		off[kind] = off[kind] " " \
			100 * magnitude(promised_found[c] / found - 1)
		error = sprintf("%+.1f", error)
	}
	promise = sprintf("%.3f", promise) (doubted[c] ? "?" : "")
}

# A promise of up to 2 % more counts as no loss with plink-order, either.
function untimed_row(c, verdict) {
	weigh_promise(c, 0)
	verdict = "not timed"
	if (promise + 0 > 1.02)
		verdict = "slower, it says"
	n_slower += verdict != "not timed"
	n_untimed += verdict == "not timed"
	print_row(c, "-", "-", "-", promise, error, verdict)
}

function row(c, given, found, verdict) {
	given = middle(times[c, "given"]) / 1000
	found = middle(times[c, "found"]) / 1000
	verdict = "ok"
	if (ratio - 1 > loss / 100 + half) {
		verdict = "slower"
		n_slower++
	} else if (half > width / 100) {
		verdict = "not measured well enough"
		n_wide++
	} else {
		n_ok++
	}
	if (!n_timed++ || ratio > worst) {
		worst = ratio
		worst_at = network[c] ", " library[c] ", " bytes[c] " bytes"
	}
	weigh_promise(c, found)
	print_row(c, sprintf("%.2f", given), sprintf("%.2f", found), \
		sprintf("%.3f +- %.3f", ratio, half), promise, error, verdict)
}

function max(a, b) {
	return a > b ? a : b
}

function print_row(c, given, found, measured, promise, error, verdict) {
	printf "%3s %-11s %-11s %-8s %8s %9s %9s %15s %8s %7s  %s\n", network[c], \
		racks[c], order[c], library[c], bytes[c], given, found, \
		measured, promise, error, verdict
}

function same_row(c) {
	n_same++
	print_row(c, "", "", "the same order", "", "", "same")
}

function is_kept(c) {
	return hosts[network[c], library[c], "given"] == \
	       hosts[network[c], library[c], "found"]
}

# of list " a b c"
function most(list, k, i, v, m) {
	k = split(list, v, " ")
	for (i = 1; i <= k; i++)
		m = max(m, v[i] + 0)
	return m
}

function tell_errors(kind) {
	if (kind in errors)
		printf "promises %s: found/given is wrong by %.1f %% of the given " \
			"order's time in the median, by %.1f at most, seconds by " \
			"%.1f %% and %.1f\n", kind, \
			middle(errors[kind]), most(errors[kind]), \
			middle(off[kind]), most(off[kind])
}

function table(i, c) {
	printf "%3s %-11s %-11s %-8s %8s %9s %9s %15s %8s %7s  %s\n", "net", \
		"racks", "given order", "library", "bytes", "given ms", \
		"found ms", "found/given", "promised", "error %", "verdict"
	for (i = 1; i <= n_cells; i++) {
		c = cell[i]
		judge(c)
		if (n_blocks)
			row(c)
		else if (is_kept(c))
			same_row(c)
		else
			untimed_row(c)
	}
	print ""
	printf "%d cells: %d slower, %d not slower, %d not measured well enough, " \
		"%d not timed, %d in the given order\n", n_cells, n_slower, n_ok, \
		n_wide, n_untimed, n_same
	if (n_timed)
		printf "worst: %.1f %% %s (network %s)\n", \
			100 * magnitude(worst - 1), \
			(worst > 1 ? "slower" : "faster"), worst_at
	tell_errors("that plink vouches for")
	tell_errors("that plink says not to trust")
	if (n_slower)
		print "THE PROMISE IS BROKEN: an order found is slower than the given one"
}

# libraries and sizes whose intervals are not good enough yet
function more(i, c, list, l) {
	for (i = 1; i <= n_cells; i++) {
		c = cell[i]
		if (is_kept(c) && same != "yes")
			continue
		judge(c)
		if (n_blocks < 2 || half > width / 100)
			list[library[c]] = list[library[c]] \
				(list[library[c]] == "" ? "" : ",") bytes[c]
	}
	for (l in list)
		print l, list[l]
}

function is_cell(lib, size) {
	c = k SUBSEP lib SUBSEP size
	return c in network
}

function is_good() {
	return $1 == "network" && NF == 4 || $1 == "cell" && NF == 3 || \
		$1 == "order" && NF > 3 || \
		$1 == "promised" && (NF == 5 || $6 == "doubted") && is_cell($2, $3) && $4 * $5 > 0 || \
		$1 == "time" && NF == 6 && is_cell($2, $5) && $3 > 0 && $6 > 0
}

!is_good() {
	print FILENAME ":" FNR ": what is \"" $0 "\"?" | "cat >&2"
	bad = 1
	exit 3
}
$1 == "network" { k = $2; racks_here = $3; order_here = $4 }
$1 == "order" {
	lib = $2
	which = $3
	$1 = $2 = $3 = ""
	hosts[k, lib, which] = $0
}
$1 == "cell" && !is_cell($2, $3) {
	cell[++n_cells] = c
	network[c] = k
	racks[c] = racks_here
	order[c] = order_here
	library[c] = $2
	bytes[c] = $3
}
$1 == "promised" {
	promised_given[c] = $4
	doubted[c] = NF == 6
	promised_found[c] = $5
}
$1 == "time" {
	blocks[c] = max(blocks[c], $3)
	us[c, $3, $4] = least($6)
	times[c, $4] = times[c, $4] " " us[c, $3, $4]
}
END {
	if (bad)
		exit 3
	if (want == "more")
		more()
	else
		table()
	exit n_slower > 0
}
