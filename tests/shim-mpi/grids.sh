# SPDX-License-Identifier: BSD-3-Clause
# grids.sh - the tests of grids and graphs, for either library; source it after
# mpi.sh

# h0 and h2 in one rack, h1 and h3 in the other
costs() {
	plan 2 "$1"
	cat <<-END
		costs 0 0 10 1 10
		costs 1 10 0 10 1
		costs 2 1 10 0 10
		costs 3 10 1 10 0
	END
}

# hosts KIND FILE: of its ranks, in their order
hosts() {
	awk -v kind="$1" '$1 == kind { print $2, $3 }' "$2" | sort -n |
		awk '{ print $2 }' | xargs
}

given="h0 h0 h1 h1 h2 h2 h3 h3"

# racks HOSTS: does each rack stand together, and each host?
racks() {
	case $1 in
	"h0 h0 h2 h2 h1 h1 h3 h3" | "h0 h0 h2 h2 h3 h3 h1 h1" | \
		"h2 h2 h0 h0 h1 h1 h3 h3" | "h2 h2 h0 h0 h3 h3 h1 h1" | \
		"h1 h1 h3 h3 h0 h0 h2 h2" | "h1 h1 h3 h3 h2 h2 h0 h0" | \
		"h3 h3 h1 h1 h0 h0 h2 h2" | "h3 h3 h1 h1 h2 h2 h0 h0") echo together ;;
	*) echo "$1" ;;
	esac
}

mpi 8 "$as" 2 "$programs/grids" 1 >"$tmp/bare"
is "without: the program ends well" $? 0
is "without: all is right" "$(grep '^not ok' "$tmp/bare")" ""

costs '0 1 2 3' >"$tmp/plan"
for mode in world shadow; do
	PLINK_MPI_MODE=$mode PLINK_VERBOSE=1 shim 8 "$as" 2 "$programs/grids" 1 \
		>"$tmp/out" 2>"$tmp/err"
	is "$mode: the program ends well" $? 0
	is "$mode: all is as without" "$(grep 'ok ' "$tmp/out")" \
		"$(grep 'ok ' "$tmp/bare")"
	is "$mode: a grid follows the racks" \
		"$(racks "$(hosts grid "$tmp/out")")" together
	has "$mode: that is told" "$(cat "$tmp/err")" \
		"MPI_Cart_create: 8 ranks, reordered"
	ring=$(hosts graph "$tmp/out")
	is "$mode: a graph, too" "$(racks "$ring")" together
	# what exchanges much is on one host: v and v + 4
	for kind in adjacent distributed; do
		halves=$(hosts $kind "$tmp/out")
		is "$mode: weights of a distributed graph count ($kind)" \
			"${halves% h? h? h? h?}" "${halves#h? h? h? h? }"
	done
done
costs '3 2 1 0' >"$tmp/plan"
shim 8 "$as" 2 "$programs/grids" 1 >"$tmp/out" 2>"$tmp/err"
is "ranks of the plan's own order, too: the program ends well" $? 0
is "all is as without" "$(grep 'ok ' "$tmp/out")" "$(grep 'ok ' "$tmp/bare")"
is "the grid follows the racks" "$(racks "$(hosts grid "$tmp/out")")" together
is "nothing is said" "$(cat "$tmp/err")" ""

costs '0 1 2 3' >"$tmp/plan"
shim 8 "$as" 2 "$programs/grids" 0 >"$tmp/out"
is "reorder=0: the program ends well" $? 0
is "all is right" "$(grep '^not ok' "$tmp/out")" ""
for kind in grid graph adjacent unweighted distributed; do
	is "the ranks stay ($kind)" "$(hosts $kind "$tmp/out")" "$given"
done
plan 2 '0 1 2 3' >"$tmp/plan"
shim 8 "$as" 2 "$programs/grids" 1 >"$tmp/out"
is "without costs: the program ends well" $? 0
for kind in grid graph adjacent unweighted distributed; do
	is "it is as without ($kind)" "$(hosts $kind "$tmp/out")" \
		"$(hosts $kind "$tmp/bare")"
done
costs '0 1 2 3' >"$tmp/plan"
for how in grid-mpif grid-f08; do
	[ -x "$programs/$how" ] || {
		skip "$how" "built without Fortran"
		continue
	}
	shim 8 "$as" 2 "$programs/$how" >"$tmp/out"
	is "$how: the grid follows the racks" \
		"$? $(racks "$(hosts grid "$tmp/out")")" "0 together"
done
# h0 and h3 in one rack: in 2 x 2, the given order has no neighbours in one
plan 1 '0 1 2 3' >"$tmp/plan"
cat >>"$tmp/plan" <<'END'
costs 0 0 10 10 1
costs 1 10 0 1 10
costs 2 10 1 0 10
costs 3 1 10 10 0
END
# MPICH has 2048 communicators, Open MPI far more
many=2100
[ $library = mpich ] || many=300
shim 4 "$as" 1 "$programs/grids" 1 $many >"$tmp/out"
is "$many grids, one after the other" "$? $(cat "$tmp/out")" \
	"0 ok any number of grids can be made and freed"
