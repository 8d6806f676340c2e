#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1310-srift-plan.t - plink-srift predict on a measured network: what an order saves
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

# one layer of a size that is predicted itself: nothing lies between
cat >one.json <<'END'
{"plink-profile": 1, "model": "one", "layers": [{"name": "a", "bytes": 1048576}],
 "instances": [
  {"name": "i", "batches": [1, 2], "forward_s": [0.5, 1], "backward_s": [1e-9, 1],
   "finish": [0]},
  {"name": "duo", "ranks": 2, "batches": [2, 4], "forward_s": [0.5, 1],
   "backward_s": [1e-9, 1], "finish": [0]}]}
END
"$builddir/plink-testbed" matrix --racks=2x4 --intra-us=50 --inter-us=800 \
	--shuffle --seed=3 >net 2>/dev/null
order() {
	"$builddir/plink-order" --matrix=net --impl=openmpi --algorithm=ring \
		"$@" 2>/dev/null
}
predict() {
	"$builddir/plink-srift" predict --profile=one.json --matrix=net "$@"
}
order --format=plan >plan
order --predict --nic=1Gbit --size=1M >forecast

predict --plan=plan --nic=1Gbit --machines=8xi@1 --price=i=3600 \
	--iterations=1000 --json >json
# forecast prints ms with three digits
is "given and found take what plink-order --predict says" "$(python3 -c '
import json
j = json.load(open("json"))
row = [l.split() for l in open("forecast") if l.startswith("1M ")][0]
given, found = float(row[2]) / 1e3, float(row[3]) / 1e3
assert given > 1.05 * found
assert abs(j["exchange_s"] - found) < 1e-6, (j["exchange_s"], found)
assert abs(j["given"]["exchange_s"] - given) < 1e-6, (j["given"], given)
for it in j, j["given"]:
    assert abs(it["iteration_s"] - 0.5 - it["exchange_s"]) < 1e-9
    assert abs(it["cost"]["job"] - 8000 * it["iteration_s"]) < 1e-6
print("yes")')" yes

predict --plan=plan --nic=1Gbit --machines=8xi@1 --price=i=3600 \
	--iterations=1000 >out
is "the report says it, too, and what is saved" "$(python3 -c '
import json
j = json.load(open("json"))
line = [l for l in open("out") if l.startswith("the order saves ")][0].split()
gain = j["given"]["iteration_s"] - j["iteration_s"]
assert line[4] == "ms" and abs(float(line[3]) / 1000 / gain - 1) < 0.005, (line, gain)
assert abs(float(line[8].rstrip("%,;")) - 100 * gain / j["given"]["iteration_s"]) < 0.05
assert line[-1].startswith("$") and abs(float(line[-1][1:]) / 8000 - gain) < 1e-4
print("yes")')" yes
python3 - >worse <<'END'
# the order found is given, and the one given is found
lines = open("plan").read().splitlines()
found = [int(i) for i in [l for l in lines if " : " in l][0].split(" : ")[1].split()]
hosts = [l.split()[2] for l in lines if l.startswith("host ")]
for l in lines:
    if l.startswith("host "):
        n = int(l.split()[1])
        l = "host %d %s slots=1" % (n, hosts[found[n]])
    if " : " in l:
        l = l.split(" : ")[0] + " : " + " ".join(
            str(found.index(i)) for i in range(len(found)))
    print(l)
END
has "an order that loses says so" "$(predict --plan=worse --nic=1Gbit \
	--machines=8xi@1 2>&1)" "the order loses $(sed -n \
	's/^the order saves \([^ ]* ms\).*/\1/p' out) of each iteration, "
is "both orders are told" \
	"$(grep -E '^(given|found|iteration)' out | cut -c 1-11 | tr '\n' ' ')" \
	"given order iteration   found order iteration   "

# hosts with two ranks each: those of a host stay together
sed 's/^host.*/& slots=2/' plan | sed 's/slots=1 //; s/slots=\([0-9]\).*slots=2/slots=2/' \
	>plan2
predict --plan=plan2 --nic=1Gbit --machines=8xduo@2 >out 2>err
is "machines of two ranks" "$? $(head -n 1 out) $(cat err)" \
	"0 one: 8 machines, 16 ranks, 16 samples "

# the plan of a part of the matrix
"$builddir/plink-order" --matrix=net --choose=4 --format=plan >plan4 2>/dev/null
predict --plan=plan4 --nic=1Gbit --machines=4xi@1 >out
is "four of the eight hosts" "$? $(head -n 1 out)" \
	"0 one: 4 machines, 4 ranks, 4 samples"

# plans of several sizes
for k in 2 6; do
	"$builddir/plink-order" --matrix=net --choose=$k --format=plan >plan$k 2>/dev/null
done
predict --plan=plan2 --plan=plan4 --plan=plan6 --nic=1Gbit --machines=4xi@1 >several
is "with plans of other sizes: the same" "$(cat several)" "$(cat out)"
predict --plan=plan4 --plan=plan6 --nic=1Gbit --machines=5xi@1 >out
has "a size between two: by both" "$(cat out)" "interpolated between 4 and 6 ranks"
predict --plan=plan4 --plan=plan --nic=1Gbit --machines=2xi@1 >out 2>err
has "a size below: refused" "$? $(cat err)" "2 plink-srift: bandwidths are known for 4 to 8 ranks"
predict --plan=plan2 --plan=plan --nic=1Gbit --machines=4xduo@2 >out 2>err
has "as many ranks on other machines: refused" "$? $(cat err)" \
	"2 plink-srift: no plan is of 4 machines of this type with 8 ranks"

# hosts with types of machines: another plan for each
cat >two.json <<'END'
{"plink-profile": 1, "model": "two", "layers": [{"name": "a", "bytes": 1048576}],
 "instances": [
  {"name": "i.x", "batches": [1, 2, 4], "forward_s": [0.5, 1, 2],
   "backward_s": [1e-9, 1e-9, 1e-9], "finish": [0]},
  {"name": "k.x", "batches": [1, 2, 4], "forward_s": [0.5, 1, 2],
   "backward_s": [1e-9, 1e-9, 1e-9], "finish": [0]}]}
END
printf 'h%s type=i.x\n' 0 1 2 3 >hosts
printf 'h%s type=k.x\n' 4 5 6 7 >>hosts
for type in i k; do
	for k in 2 4; do
		grep "type=$type" hosts | "$builddir/plink-order" --matrix=net --choose=$k \
			--format=plan - >$type$k 2>/dev/null
	done
done
"$builddir/plink-order" --matrix=net --format=plan hosts >mixed 2>/dev/null
is "a plan keeps types" "$(grep -c '^host .* type=[ik].x$' mixed)" 8
typed() {
	"$builddir/plink-srift" predict --profile=two.json --matrix=net --nic=1Gbit \
		--json "$@" | sed -n 's/.*"exchange_s": \([0-9.e-]*\).*/\1/p'
}
for type in i k; do
	is "$type: the plan of its type" "$(typed --plan=i4 --plan=k4 --machines=4x$type.x@1)" \
		"$(typed --plan=${type}4 --machines=4x$type.x@1)"
done
ok "which are not alike" test "$(typed --plan=i4 --machines=4xi.x@1 | sed 1q)" != \
	"$(typed --plan=k4 --machines=4xk.x@1 | sed 1q)"
ok "types mixed as in the plan" test -n \
	"$(typed --plan=mixed --machines=4xi.x@1,4xk.x@1)"
is "types mixed otherwise: refused" "$(typed --plan=mixed --machines=2xi.x@1,6xk.x@1 2>&1)" \
	"plink-srift: the hosts of the plan are of other types than the machines that are chosen"
is "only plans of the other type: refused" \
	"$(typed --plan=i2 --plan=i4 --machines=4xk.x@1 2>&1)" \
	"plink-srift: no plan is of 4 machines of this type with 4 ranks"
is "two plans of as many machines: refused" \
	"$(typed --plan=i4 --plan=i4 --machines=3xi.x@1 2>&1)" \
	"plink-srift: i4 and i4 are plans of as many machines: give one"
has "a size between two of its type" "$("$builddir/plink-srift" predict --profile=two.json \
	--matrix=net --nic=1Gbit --plan=i2 --plan=i4 --plan=k4 --machines=3xi.x@1)" \
	"interpolated between 2 and 4 ranks"
cat >prices <<'END'
instance,price
i.x,1
k.x,2
END
"$builddir/plink-srift" recommend --profile=two.json --catalogue=prices --batch=4 \
	--iterations=1000 --objective=time --matrix=net --nic=1Gbit --plan=i2 --plan=i4 \
	--plan=k2 --plan=k4 --json >json 2>err
is "recommend takes each type's plans" "$? $(cat err)" "0 "
"$builddir/plink-srift" recommend --profile=two.json --catalogue=prices --batch=4 \
	--iterations=1000 --matrix=net --nic=1Gbit --plan=i2 --plan=i4 >out 2>err
has "a type without a plan: refused" "$? $(cat err)" \
	"2 plink-srift: no plan has only hosts of the type k.x with slots=1; recommend --exclude=k.x"
sed '/^host 0/s/ type=.*//' i4 >i4-less
"$builddir/plink-srift" predict --profile=two.json --matrix=net --nic=1Gbit --plan=i4-less \
	--machines=4xi.x@1 >out 2>err
has "types of some hosts: refused" "$? $(cat err)" "3 plink-srift: i4-less: host "

# refuses STATUS TEXT ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	predict "$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
refuses 2 "go together" --machines=8xi@1
refuses 2 "only one of --busbw, --model, --plan and --rated" --machines=8xi@1 --plan=plan --busbw=net
refuses 2 "plan has 8 hosts and 8 ranks, the choice 4 machines" \
	--machines=4xi@1 --plan=plan --nic=1Gbit
refuses 2 "the choice 8 machines and 16 ranks" --machines=8xduo@2 \
	--plan=plan --nic=1Gbit
refuses 3 "no layer of bandwidths" --machines=8xi@1 --plan=plan
refuses 2 "wants bits per second" --machines=8xi@1 --plan=plan --nic=fast
sed 's/ h3 / h9 /' plan >strange
refuses 3 "host h9 of the plan is not in the matrix" --machines=8xi@1 \
	--plan=strange --nic=1Gbit
sed 's/ openmpi 0- / openmpi 4096- /' plan >late
refuses 3 "no order for an all-reduce of 1024 bytes" --machines=8xi@1 \
	--plan=late --nic=1Gbit
sed 's/ ring openmpi / rung openmpi /' plan >wrong
refuses 2 'rung' --machines=8xi@1 --plan=wrong --nic=1Gbit
refuses 4 "none" --machines=8xi@1 --plan=none --nic=1Gbit
"$builddir/plink-srift" predict --profile=one.json --machines=8xi@1 \
	--nic=1Gbit >out 2>err
is "--nic without a plan: exit 2" "$? $(cat out)" "2 "

done_testing
