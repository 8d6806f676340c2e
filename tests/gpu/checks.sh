# SPDX-License-Identifier: BSD-3-Clause
# checks.sh - what tests/gpu/run holds against NCCL and against the plan

# Every collective, as it is and with the library.
check_collectives() {
	job "$tmp/matrix" $types
	worked "every collective, without the library" $?
	shim "$tmp/matrix" $types
	worked "every collective, with it" $?
}

# Communicators of all kinds, but those that only the double survives.
check_lives() {
	for subject in plain config scalable two group-init group-nested \
		nonblocking nonblocking-group nonblocking-split split \
		split-group split-none shrink operators buffers simulate \
		group-fails no-finalize; do
		shim "$tmp/life" $subject
		worked "communicators: $subject" $?
	done
}

check_small() {
	PLINK_VERBOSE=1 shim "$tmp/linked"
	worked "PLINK_VERBOSE=1" $?
	is "and all ranks are told" \
		"$(cat "$tmp"/err.* | grep -c '^libplink-nccl: [0-9]* -> [0-9]* h')" \
		"$ranks"
}

# The same in two levels, which needs three ranks.
check_two_levels() {
	[ "$ranks" -gt 2 ] || {
		skip "two levels" "too few ranks"
		return
	}
	kept=$plan
	plan=$tmp/schedule
	own_schedule >"$plan"
	shim "$tmp/matrix" $types
	worked "two levels: every collective" $?
	for subject in sizes groups two; do
		shim "$tmp/levels" $subject
		worked "two levels: $subject" $?
	done
	for subject in plain two group-init nonblocking split shrink \
		no-finalize; do
		PLINK_TEST_COUNT=64 shim "$tmp/life" $subject
		worked "two levels: communicators: $subject" $?
	done
	PLINK_VERBOSE=1 shim "$tmp/linked"
	worked "two levels: PLINK_VERBOSE=1" $?
	is "two levels: and all ranks are told" "$(cat "$tmp"/err.* |
		grep -c '^libplink-nccl: [0-9]* -> [01] [0-9]*/[0-9]* h')" \
		"$ranks"
	plan=$kept
}

# rings FILE...: of NCCL's own log the ring through channel 0 of each communicator,
# as ranks; rank 0 of it logs it. "Channel 00/0 : 3[0] -> 1[0] ..." is something
# else.
rings() {
	sed -n 's/.*Channel 00\/[0-9]* :\([0-9 ]*\)$/\1/p' "$@" | xargs -n "$ranks"
}

# NCCL numbers the nodes of a communicator by their ranks there: the hidden one's
# rank p is on the host at position p, and its ring runs 0 1 2 ...
check_log() {
	algorithm=$1
	[ "$1" = Ring ] && kind=ring || kind=double-binary-tree
	own_plan $kind >"$tmp/$kind"
	kept=$plan
	plan=$tmp/$kind
	NCCL_ALGO=allreduce:$algorithm NCCL_DEBUG=INFO \
		NCCL_DEBUG_SUBSYS=INIT,GRAPH NCCL_DEBUG_FILE="$tmp/nccl.%p" \
		shim "$tmp/linked"
	worked "$algorithm" $?
	plan=$kept
	cat "$tmp"/nccl.* >"$tmp/nccl-log" 2>/dev/null
	rm -f "$tmp"/nccl.[0-9]*
	is "$algorithm: two communicators, one ring each" \
		"$(rings "$tmp/nccl-log" | sort | uniq -c | xargs)" \
		"2 $(seq 0 $((ranks - 1)) | xargs)"
	is "$algorithm: who has which rank in the hidden one" \
		"$(hidden_ranks)" "$(planned_order "$tmp/$kind")"
	is "$algorithm: the neighbours are the plan's" "$(neighbours)" \
		"$(wanted_neighbours "$(planned_order "$tmp/$kind")")"
}

# Lines of NCCL's log begin "HOST:PID:TID [DEV] NCCL INFO"; a process' rank in
# the program's communicator comes first, that in the hidden one second:
# "ncclCommInitRank ... rank R nranks N", "ncclCommSplit ... rank P nranks N".
hidden_ranks() {
	awk -v n="$ranks" '
		/ rank [0-9]+ nranks / && /Init COMPLETE/ {
			split($1, w, ":")
			match($0, / rank [0-9]+/)
			r = substr($0, RSTART + 6, RLENGTH - 6)
			if (/ncclCommSplit/)
				hidden[w[2]] = r
			else
				given[w[2]] = r
		}
		END {
			for (p in hidden)
				at[hidden[p]] = given[p]
			for (i = 0; i < n; i++)
				printf "%s%s", i ? " " : "", at[i]
			print ""
		}' "$tmp/nccl-log"
}

# "HOST>HOST" for each edge of the ring on channel 0 of the hidden communicator, or
# of its tree 0, sorted, as the log has them: "Ring 00 : prev -> me -> next", "Trees
# [0] down/down/down->me->up". Each process logs the program's communicator, then
# the hidden one.
neighbours() {
	awk -v algorithm="$algorithm" -v order="$(hidden_ranks)" '
		BEGIN { split(order, host, " ") }
		{ split($1, w, ":"); pid = w[2] }
		algorithm == "Ring" && match($0, /Ring 00 : -?[0-9]+ -> [0-9]+ -> -?[0-9]+/) {
			split(substr($0, RSTART + 10, RLENGTH - 10), e, / -> /)
			edge[pid] = host[e[2] + 1] ">" host[e[3] + 1]
		}
		algorithm == "Tree" && match($0, /Trees \[0\] [-0-9\/]+->[0-9]+->-?[0-9]+/) {
			split(substr($0, RSTART + 10, RLENGTH - 10), e, /->/)
			edge[pid] = e[3] < 0 ? host[e[2] + 1] ">" : \
				host[e[2] + 1] ">" host[e[3] + 1]
		}
		END { for (p in edge) print edge[p] }' "$tmp/nccl-log" |
		sort | xargs
}

# The same from the plan alone: the next one, or the parent in NCCL's first tree,
# where a position p > 0 with lowest bit b hangs below (p ^ b) | 2b, or, where there
# is none such, p ^ b.
wanted_neighbours() {
	echo "$1" | awk -v algorithm="$algorithm" '
		{
			for (p = 0; p < NF; p++) {
				to = (p + 1) % NF
				if (algorithm == "Tree") {
					for (b = 1; p && p % (2 * b) == 0;)
						b *= 2
					to = p - b
					if (int(to / (2 * b)) % 2 == 0)
						to += 2 * b
					if (p && to >= NF)
						to = p - b
					if (!p)
						to = -1
				}
				print $(p + 1) ">" (to < 0 ? "" : $(to + 1))
			}
		}' | sort | xargs
}

# A job that trains with torch: losses with and without the library, and shards.
check_torch() {
	if [ -n "$double" ] || ! python3 -c 'import sys, torch
sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
		skip "torch: the same losses" "no torch with CUDA here"
		skip "torch: shards" "no torch with CUDA here"
		return
	fi
	for how in ddp shards; do
		job python3 "$srcdir/tests/gpu/train.py" $how
		worked "torch: $how, without the library" $?
		cat "$tmp"/out.0 | grep '^loss' >"$tmp/bare"
		PLINK_VERBOSE=1 shim python3 "$srcdir/tests/gpu/train.py" $how
		worked "torch: $how, with it" $?
		grep '^loss' "$tmp/out.0" >"$tmp/with"
		ok "torch: $how, the library was there" \
			grep -q '^libplink-nccl: .* -> ' "$tmp"/err.0
		ok "torch: $how, the same losses" same_losses
	done
}

# To the last bits, which the order of a sum may change.
same_losses() {
	paste "$tmp/bare" "$tmp/with" | awk '
		{
			d = $3 - $6
			if (d < 0)
				d = -d
			if ($2 != $5 || d > 1e-5 * ($3 < 0 ? -$3 : $3))
				bad = 1
		}
		END { exit bad || NR < 5 }'
}

# A job whose tensors on the GPU are reduced by the backend plink, in whichever
# folder of PYTHONPATH it is, and by Gloo.
check_c10d() {
	if [ -n "$double" ] || ! python3 -c 'import plink_c10d, sys, torch
sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
		skip "torch: the backend plink" "no plink_c10d with CUDA here"
		return
	fi
	own_schedule >"$tmp/schedule"
	for backend in gloo plink; do
		PLINK_PLAN=$tmp/schedule PLINK_VERBOSE=1 job python3 \
			"$srcdir/tests/python/ddp.py" train $backend cuda
		is "torch: training by $backend" $? 0
		grep '^loss' "$tmp/out.0" | while read -r word loss; do
			python3 -c "print('$word 0', float.fromhex('$loss'))"
		done >"$tmp/$backend"
	done
	cp "$tmp/gloo" "$tmp/bare"
	cp "$tmp/plink" "$tmp/with"
	ok "torch: the same losses by plink as by Gloo" same_losses
	is "torch: and parameters on all ranks" \
		"$(awk '$1 == "params" { print NF }' "$tmp/out.0")" 2
	PLINK_PLAN=$tmp/schedule job python3 "$srcdir/tests/python/ddp.py" calls plink \
		cuda
	is "torch: all types and operations by plink" "$? $(cat "$tmp"/out.*)" \
		"0 done by plink"
	PLINK_PLAN=$tmp/schedule job python3 "$srcdir/tests/python/ddp.py" dies plink \
		cuda
	is "torch: a rank dies: an error on all others, at once" \
		"$(cut -d: -f1 "$tmp"/out.* | sort | uniq -c | xargs)" \
		"$((ranks - 1)) soon plink"
}

# sums FILE...: of statistics, the collectives that both ways of counting see
sums() {
	awk '/^#/ || $4 == 0 { next }
		/^(allreduce|broadcast|reduce|allgather|reduce-scatter) / {
			row = $1 " " $3 " " $4
			calls[row] += $6
			bytes[row] += $7
		}
		END {
			for (row in calls)
				printf "%s %d %.0f\n", row, calls[row], bytes[row]
		}' "$@" | sort
}

# profiled COMMAND...: without the preload, with the plugin
profiled() {
	rm -rf "$tmp/stats"
	mkdir "$tmp/stats"
	job env NCCL_PROFILER_PLUGIN="$tmp/lib/libnccl-profiler-plink.so" \
		PLINK_STATS="$tmp/stats/job" "$@"
}

# timed FILE...: has each all-reduce of each file a time, and all less than it ran?
timed() {
	awk '/^# time / { n += $3 == "gpu" }
		/^# seconds / { all = $3; sum = 0 }
		/^allreduce / {
			sum += $9
			n_rows++
			bad += !($9 > 0) || sum > all
		}
		END { exit bad || !n_rows || n != ARGC - 1 }' "$@"
}

# The profiler plugin counts what the preload library does, and the job of torch.
check_profiler() {
	[ -z "$double" ] || {
		skip "profiler plugin" "no NCCL that loads it"
		return
	}
	limit_s=120
	mkdir -p "$tmp/preloaded"
	job env LD_PRELOAD="$tmp/lib/libplink-nccl.so" PLINK_NCCL_LIBRARY="$nccl" \
		PLINK_STATS="$tmp/preloaded/job" "$tmp/matrix" half
	worked "profiler plugin: every collective, counted by the library" $?
	profiled env NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT \
		NCCL_DEBUG_FILE="$tmp/nccl.%p" "$tmp/matrix" half
	worked "profiler plugin: every collective, counted by it" $?
	grep -h 'PROFILER/Plugin' "$tmp"/nccl.* | sed 's/^[^]]*\]/#/' |
		sort -u | head -n 3
	ok "profiler plugin: NCCL has loaded it" \
		grep -q 'PROFILER/Plugin: Loaded plink' "$tmp"/nccl.*
	rm -f "$tmp"/nccl.*
	is "profiler plugin: a file from each rank" \
		"$(cat "$tmp"/stats/job.* | grep '^# rank ' | sort | xargs)" \
		"$(seq 0 $((ranks - 1)) | sed 's/^/# rank /' | xargs)"
	sums "$tmp"/preloaded/job.* >"$tmp/by-library"
	sums "$tmp"/stats/job.* >"$tmp/by-plugin"
	ok "profiler plugin: there are calls" test -s "$tmp/by-library"
	is "profiler plugin: the same calls and bytes" \
		"$(diff "$tmp/by-library" "$tmp/by-plugin" | head -n 20)" ""
	check_profiled_torch
	unset limit_s
}

check_profiled_torch() {
	python3 -c 'import sys, torch
sys.exit(not torch.cuda.is_available())' 2>/dev/null || {
		skip "profiler plugin: torch" "no torch with CUDA here"
		return
	}
	profiled python3 "$srcdir/tests/gpu/train.py" shards
	worked "profiler plugin: torch: shards" $?
	sed 's/^/# /' "$tmp"/stats/job.h0.*
	is "profiler plugin: torch: one communicator of all, known to each" \
		"$(grep -h '^# member' "$tmp"/stats/job.* | awk '
			{ print $6, $4 == id || NR == 1, $5; id = $4 }' | sort)" \
		"$(seq 0 $((ranks - 1)) | sed "s/^/$ranks 1 /")"
	# 10384 parameters of 4 bytes, 8 steps
	is "profiler plugin: torch: its calls" \
		"$(for file in "$tmp"/stats/job.*; do
			awk '/^allgather|^reduce-scatter|^allreduce [^ ]* [0-9]* 4 / {
				print $1, $3, $6, $7, ($12 != "-") }' "$file" |
				sort | xargs
		done | sort -u)" \
		"allgather $ranks 8 $((8 * 4 * ((10384 + ranks - 1) / ranks))) 1 \
allreduce $ranks 8 32 1 \
reduce-scatter $ranks 8 $((8 * 4 * ranks * ((10384 + ranks - 1) / ranks))) 1"
	PLINK_NCCL_TIMES=1 profiled python3 "$srcdir/tests/gpu/train.py" ddp
	worked "profiler plugin: torch: ddp, with times" $?
	sed 's/^/# /' "$tmp"/stats/job.h0.*
	ok "profiler plugin: torch: they are there, and less than it ran" \
		timed "$tmp"/stats/job.*
	rm -rf "$tmp/stats"
	job env NCCL_PROFILER_PLUGIN="$tmp/lib/libnccl-profiler-plink.so" \
		python3 "$srcdir/tests/gpu/train.py" ddp
	worked "profiler plugin: torch, without PLINK_STATS" $?
	is "profiler plugin: and no word of it" \
		"$(cat "$tmp"/err.* | grep -c '^libnccl-profiler')" 0
}

# The tuner plugin has all-reduces run by the plan's algorithm, whatever NCCL would
# take: the profiler plugin tells which one it was. The largest size counts: for a few
# bytes a ring may take more than twice as long.
check_tuner() {
	[ -z "$double" ] || {
		skip "tuner plugin" "no NCCL that loads it"
		return
	}
	for kind in ring double-binary-tree; do
		own_plan $kind >"$tmp/$kind"
		profiled env NCCL_TUNER_PLUGIN="$tmp/lib/libnccl-tuner-plink.so" \
			PLINK_PLAN="$tmp/$kind" "$tmp/matrix" half
		worked "tuner plugin: every collective, a plan for a $kind" $?
		is "tuner plugin: all-reduces by it" "$(cat "$tmp"/stats/job.* |
			awk -v n="$ranks" '$1 == "allreduce" && $3 == n {
				print $4, $12 }' | sort -rn | uniq | awk '
				NR == 1 { most = $1 }
				$1 == most { print $2 }' | xargs)" \
			"$([ $kind = ring ] && echo ring || echo tree)"
	done
}

# plink-nccl-bw, where it is built or installed.
check_bw() {
	bw=$(first "$srcdir/build/plink-nccl-bw" \
		"$(command -v plink-nccl-bw 2>/dev/null)")
	[ -z "$double" ] && [ -n "$bw" ] || {
		skip "plink-nccl-bw" "no plink-nccl-bw, or no GPU"
		return
	}
	job "$bw" --address=127.0.0.1:29557 --nccl="$nccl" --size=1M
	is "plink-nccl-bw: exit 0" $? 0
	sed 's/^/# /' "$tmp"/err.0
	is "plink-nccl-bw: hosts, and layers" "$(awk '
		/^# layer/ { n++ }
		!/^#/ { rows++; bad += NF != '$((ranks + 1))' || /nan/ }
		END { print rows, n + 1, bad + 0 }' "$tmp"/out.0)" \
		"$((3 * ranks)) 3 0"
}
