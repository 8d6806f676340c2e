#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1330-srift-recommend.t - plink-srift recommend: the paper's cases, limits, catalogues
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
data=$srcdir/tests/data/srift
for f in table4.csv shufflenet.json vgg19.json three-layers.json; do
	cp "$data/$f" "$tmp/$f"
done
cp "$data/all-reduce-8.txt" "$tmp/t8"
cd "$tmp" || exit 99
printf 'DP:\nallreduce,: 1000\n' >busbw.yaml

# recommend ARG...
recommend() {
	"$builddir/plink-srift" recommend "$@"
}
# shuffle ARG...: case 3 of the paper
shuffle() {
	recommend --profile=shufflenet.json --catalogue=table4.csv \
		--busbw=busbw.yaml --batch=6144 --iterations=1000 "$@"
}

# Case 3: ten minutes, $3. Costs to a cent of those printed: 2.72, 3.88, 4.22
for objective in cost time; do
	shuffle --time-limit=600 --budget=3 --objective=$objective >out 2>err
	is "case 3 by $objective: exit 0, nothing on stderr" "$? $(cat err)" "0 "
	has "case 3 by $objective: Srift's choice" "$(cat out)" \
		"choice     4xp3.8xlarge@1024,8xg4dn.8xlarge@128,8xg3.8xlarge@128"
	has "case 3 by $objective: 378 s" "$(cat out)" "job        378 s, \$2.73 for"
	has "case 3 by $objective: proved" "$(cat out)" "proof      no choice is"
done
has "case 3: CAP" "$(cat out)" \
	"CAP        2xp3.8xlarge@1024,8xg4dn.8xlarge@256,8xg3.8xlarge@256: 751 s, \$3.89"
has "case 3: TAP" "$(cat out)" \
	"TAP        4xp3.8xlarge@1024,8xg4dn.8xlarge@256: 742 s, \$4.22"
has "case 3: what rules of thumb break" "$(cat out)" \
	"142 s too long, \$1.22 too dear"

# Case 2: 16 of each, whose cents are 0.321 and 0.393 of an iteration
recommend --profile=vgg19.json --catalogue=table4.csv --busbw=busbw.yaml \
	--batch=1024 --iterations=1 --available=g3.8xlarge=16,g4dn.8xlarge=16 \
	--json --pareto >json
is "case 2: Srift's choice and TAP's, CAP's, and their costs" "$(python3 -c '
import json
def told(q):
    return " ".join("%dx%s@%d" % (m["count"], m["instance"], m["batch"])
                    for m in q["machines"]) + " %.3f" % (100 * q["job_cost"])
j = json.load(open("json"))
assert j["exact"] and j["bound"] == j["choice"]["job_cost"]
print(told(j["choice"]), told(j["tap"]), told(j["cap"]))')" \
	"8xg4dn.8xlarge@128 0.321 8xg4dn.8xlarge@128 0.321 16xg3.8xlarge@64 0.393"
is "the Pareto front: ever slower, ever cheaper, to the choice" "$(python3 -c '
import json
j = json.load(open("json"))
p = [(q["job_s"], q["job_cost"]) for q in j["pareto"]]
assert len(p) > 1 and p == sorted(p)
assert [c for s, c in p] == sorted((c for s, c in p), reverse=True)
assert p[-1][1] == j["choice"]["job_cost"]
print("right")')" right
recommend --profile=vgg19.json --catalogue=table4.csv --busbw=busbw.yaml \
	--batch=1024 --iterations=1 --available=16 --objective=time --eager >out
has "eager: 16 of each type are enough" "$(cat out)" "choice     16x"
sed 's/,[0-9]*$//; s/,spot_available//' table4.csv >many.csv
recommend --profile=vgg19.json --catalogue=many.csv --busbw=busbw.yaml --batch=512 \
	--iterations=100 --eager >out
has "eager, 1024 of each: as good as any" "$(cat out)" "proof      no choice is cheaper"
is "but no more are tried than batches can use" \
	"$(sed -n 's/.*simulated, \([0-9]*\) units.*/\1/p' out | awk '{ print($1 < 2000) }')" 1
sed 's/0.69/0.6/' many.csv >near.csv # the first choice tried, 32xg4dn, is dearer
few="--profile=vgg19.json --catalogue=near.csv --busbw=busbw.yaml --batch=512
	--iterations=100 --eager --work=200"
is "--eager begins with the type that is preferred" "$(recommend $few |
	sed -n 's/^choice *//p') $(recommend $few --prefer=g3.8xlarge,g4dn.8xlarge |
	sed -n 's/^choice *//p')" "4xg4dn.8xlarge@128 8xg3.8xlarge@64"
python3 - <<'EOF'
import json
p = json.load(open("vgg19.json"))
twins = [dict(p["instances"][0], name=n) for n in "ab"]
json.dump(dict(p, instances=twins), open("twins.json", "w"))
EOF
printf 'instance,price,spot\na,1,1\nb,1,1\n' >twins.csv
for list in a b,a; do
	recommend --profile=twins.json --catalogue=twins.csv --busbw=busbw.yaml \
		--batch=64 --iterations=1 --prefer=$list >out
	has "of equal choices that of $list" "$(cat out)" "x${list%,*}@"
	has "for the same price: on demand" "$(cat out)" "x ${list%,*}: on demand, "
done

# what is recommended takes as long as is predicted of it
cat >prices.csv <<'EOF'
instance,price,spot,spot_available,region,zone,note
"g3.8xlarge",2.28,0.69,2,here,a,"a, b"
g3.8xlarge,2.28,0.8,,here,b,
p3.8xlarge,12.24,,,here,a,
other,1,,,there,a,
EOF
job="--profile=three-layers.json --busbw=t8 --catalogue=prices.csv --iterations=100"
recommend $job --batch=512 --straggler=0.05 --exclude=p3.8xlarge >out
machines=$(sed -n 's/^choice *//p' out)
is "eight ranks are known" "$machines" 8xg3.8xlarge@64
has "spot first, then on demand" "$(cat out)" "2 x g3.8xlarge in a: spot, \$0.69"
has "as many as there are" "$(cat out)" "6 x g3.8xlarge in a: on demand, \$2.28"
"$builddir/plink-srift" predict --profile=three-layers.json --busbw=t8 \
	--machines="$machines" --straggler=0.05 >predicted
is "predict says the same" "$(awk '$1 == "iteration" { print $2 }' out)" \
	"$(awk '$1 == "iteration" { print $2 }' predicted)"
recommend $job --batch=512 --zone=b --market=spot --exclude=p3.8xlarge >out
has "another zone" "$(cat out)" "8 x g3.8xlarge in b: spot, \$0.8"
recommend $job --batch=512 --available=g3.8xlarge=3+5 --exclude=p3.8xlarge >out
has "so many of spot" "$(cat out)" "3 x g3.8xlarge in a: spot"
has "and on demand" "$(cat out)" "5 x g3.8xlarge in a: on demand"
recommend $job --batch=512 --available=g3.8xlarge=7 --exclude=p3.8xlarge >out 2>err
is "seven of both kinds together are no eight" "$? $(cat out)" "1 "
printf 'instance,price\ng3.8xlarge,0\np3.8xlarge,0\n' >free.csv
recommend $job --batch=512 --catalogue=free.csv --straggler=0 >out
is "machines that cost nothing: the fastest choice" \
	"$(sed -nE 's/^(choice|job) +//p' out) $(recommend $job --batch=512 \
	--objective=time --straggler=0 | sed -n 's/^choice  *//p')" \
	"2xp3.8xlarge@256
18.7 s, \$0 for 100 iterations of 512 samples 2xp3.8xlarge@256"
recommend $job --batch=64 --market=on-demand >out
has "one machine needs no all-reduce" "$(cat out)" "choice     1xg3.8xlarge@64"
recommend --profile=vgg19.json --catalogue=table4.csv --busbw=busbw.yaml \
	--batch=1024 --iterations=1 --available=16 --work=45 >out
has "with little work: a bound" "$(cat out)" "proof      no choice is below 0.321 cents, "
shuffle --seed=7 --straggler=0.04 >a
shuffle --seed=7 --straggler=0.04 >b
ok "same input, same bytes" cmp a b

# a profile for each type of machine is as one for all
python3 - <<'EOF'
import json
p = json.load(open("shufflenet.json"))
for k, i in enumerate(p["instances"]):
    json.dump(dict(p, instances=[i]), open("one%d.json" % k, "w"))
EOF
shuffle >a
recommend --profile=one0.json --profile=one1.json --profile=one2.json \
	--catalogue=table4.csv --busbw=busbw.yaml --batch=6144 --iterations=1000 >b
ok "profiles are merged" cmp a b

# numbers of ranks between those of tables are interpolated, others left out
recommend $job --batch=512 --exclude=p3.8xlarge >out
has "the proof names the ranks that it did not consider" "$(cat out)" \
	"proof      no choice is cheaper, but for choices of 2 to 7, 9 to 512 ranks,"
sed '/Rank  [2-7]/d; s/0.57    1.00/0.57    0.57/g' t8 >t2
recommend $job --busbw=t2 --batch=512 --exclude=p3.8xlarge \
	--available=g3.8xlarge=4 >out
has "four are interpolated" "$(cat out)" "an hour, interpolated between 2 and 8 ranks"
has "and all considered" "$(cat out)" "proof      no choice is cheaper; "
"$builddir/plink-srift" predict --profile=three-layers.json --busbw=t8 --busbw=t2 \
	--machines=4xg3.8xlarge@64 >out
has "predict marks it, too" "$(cat out)" \
	"network    interpolated between 2 and 8 ranks"

# SkyPilot's and ec2instances' prices are read as our own
cat >sky.csv <<'EOF'
InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch
g3.8xlarge,M60,2,32,244,"{'Gpus': [{'Name': 'M60', 'Count': 2}]}",2.28,0.69,here,a,x86_64
,tpu,1,,,tpu,8,2.4,here,a,
g3.8xlarge,M60,2,32,244,,2.5,,there,c,x86_64
EOF
cat >ec2.json <<'EOF'
[{"instance_type": "g3.8xlarge", "memory": 244, "pricing": {
  "here": {"linux": {"ondemand": "2.28", "spot_avg": "0.690000"}},
  "there": {"linux": {"ondemand": "2.5", "spot_avg": "N/A"}},
  "nowhere": {"mswin": {"ondemand": "-1"}}}}]
EOF
one="--profile=three-layers.json --busbw=t8 --iterations=100 --batch=512"
recommend $one --catalogue=sky.csv --region=here >sky.out
recommend $one --catalogue=ec2.json --region=here >ec2.out
has "SkyPilot's catalogue" "$(cat sky.out)" "8 x g3.8xlarge in a: spot, \$0.69"
is "ec2instances' says the same" "$(sed 's/ in a:/:/' sky.out)" "$(cat ec2.out)"
sed 's/^\[/[{"instance_type": "mac1.metal", "pricing": {"here": {}}}, /' \
	ec2.json >mac.json
recommend $one --catalogue=mac.json --region=here >mac.out 2>err
is "an instance without a price of Linux changes nothing" "$(cat mac.out)" \
	"$(cat ec2.out)"
has "but is counted" "$(cat err)" \
	"mac.json: instances left out because they have no Linux price: 1, the first mac1.metal"
recommend $one --catalogue=ec2.json --region=there >out
has "no spot price" "$(cat out)" "8 x g3.8xlarge: on demand, \$2.5"

# no STATUS TEXT COMMAND...: nothing on stdout
no() {
	no_status=$1 no_text=$2
	shift 2
	"$@" >out 2>err
	is "$*: exit $no_status, nothing on stdout" "$? $(cat out)" "$no_status "
	has "$*: why" "$(cat err)" "$no_text"
}
no 1 "the time limit binds: the fastest choice takes 378 s, 78 s more than 300 s" \
	shuffle --time-limit=300 --budget=3
no 1 "the budget binds: the cheapest choice costs \$2.73, \$0.73 more than \$2" \
	shuffle --budget=2
no 1 "availability binds: all machines together hold 8192 of 16384 samples, 8192 too" \
	shuffle --batch=16384
no 1 "multiples of 16 samples, and 6145 is not one: the remainder is 1" shuffle --batch=6145
no 1 "time limit and budget bind together" \
	recommend --profile=vgg19.json --catalogue=table4.csv --busbw=busbw.yaml \
	--batch=1024 --iterations=1000 --available=16 --time-limit=800 --budget=3.25
no 1 "but for choices of 2 to 7, 9 to 512 ranks, for which the network is not known" \
	recommend $job --batch=512 --exclude=p3.8xlarge --time-limit=1ms
no 1 "adds up to 384 samples" recommend $job --batch=384 --exclude=p3.8xlarge \
	--available=g3.8xlarge=3+1
no 1 "nothing is known of the network without --busbw" recommend \
	--profile=three-layers.json --catalogue=table4.csv --batch=512 --iterations=1 \
	--exclude=p3.8xlarge
recommend --profile=three-layers.json --catalogue=table4.csv --batch=512 \
	--iterations=1 --exclude=p3.8xlarge --rated=8Gbit --json >out
is "a rated bandwidth is told" "$(python3 -c '
import json
print(json.load(open("out"))["rated_bytes_per_s"])')" 1000000000.0
no 1 "no choice was found in that much work" shuffle --work=1
sed 's/0.69,8/-0.69,8/' table4.csv >negative.csv
no 3 "negative.csv:4:12: a price of -0.69" shuffle --catalogue=negative.csv
sed 's/0.69,8/0.69,0/' table4.csv >none.csv
no 3 "none.csv:4:17: \"0\" is not a number of machines from 1" shuffle --catalogue=none.csv
sed 's/0.69,8/,8/' table4.csv >unpriced.csv
no 3 "unpriced.csv:4:1: g3.8xlarge has no price" shuffle --catalogue=unpriced.csv
sed 's/2.28,0.69/,/' sky.csv >unpriced.sky
no 3 "unpriced.sky:2:1: g3.8xlarge has no price" recommend $one \
	--catalogue=unpriced.sky --region=here
head -c 100 ec2.json >cut.json
no 3 "cut.json:2:" recommend $one --catalogue=cut.json
head -c 150 sky.csv >cut.csv
no 3 "cut.csv:2:" recommend $one --catalogue=cut.csv --region=here
printf 'instance,price,zone\ng3.8xlarge,1,a\nother,1,a\ng3.8xlarge,1,b\n' >mixed.csv
no 2 "several regions, such as here and there" recommend $one --catalogue=sky.csv
no 2 "the catalogue has no machine that the profile has there: prices of none, times of g3.8xlarge" \
	recommend $one --catalogue=sky.csv --region=moon
no 2 "the profile has: prices of g3.8xlarge, other, times of p3.8xlarge, g4dn.8xlarge" \
	recommend --profile=one0.json --profile=one2.json --catalogue=mixed.csv \
	--batch=4 --iterations=1
no 2 "times of none that is not excluded" shuffle --exclude=p3.8xlarge,g3.8xlarge,g4dn.8xlarge
no 2 'no instance "g5" in the profile' shuffle --exclude=g5
no 2 'no instance "g5" in the profile' shuffle --prefer=g3.8xlarge,g5
no 3 "shufflenet.json and vgg19.json: profiles of different models, " \
	shuffle --profile=vgg19.json
no 3 "shufflenet.json and one0.json: both profiles have the instance " \
	shuffle --profile=one0.json
sed 's/"bytes": [0-9]*/"bytes": 1/' one0.json >other.json
no 3 "one1.json and other.json: layer 1 is " recommend --profile=one1.json \
	--profile=other.json --catalogue=table4.csv --batch=4 --iterations=1
no 2 "--available wants NAME=16" shuffle --available=g3.8xlarge=0
no 2 "given twice" shuffle --available=g3.8xlarge=1,g3.8xlarge=2
no 2 "--objective wants" shuffle --objective=fame
no 2 "--market wants" shuffle --market=black
no 2 "--budget wants dollars above 0" shuffle --budget=-3
no 2 "--time-limit wants a time above 0" shuffle --time-limit=nan
no 2 "--catalogue is wanted" recommend --profile=vgg19.json
no 2 "--iterations is wanted" recommend --profile=vgg19.json \
	--catalogue=table4.csv --batch=4
no 2 "options only" shuffle x
no 4 "none.json" recommend $one --catalogue=none.json

# the batch as well: epochs = 80 (1 + B / 512), by the noise scale of the profile
noise='"numbers": [{"name": "noise_scale", "value": 512}],'
for model in vgg19 three-layers; do
	sed 's/"plink-profile": 1,/"plink-profile": 2,'"$noise/" $model.json >noisy-$model.json
done
auto() {
	recommend --profile=noisy-vgg19.json --catalogue=table4.csv --busbw=busbw.yaml \
		--batch=auto --samples=50000 "$@"
}
auto --epochs=90@64 --json >json 2>err
is "--batch=auto: each batch with its iterations, the cheapest is chosen" "$(python3 -c '
import json
j = json.load(open("json"))
print(j["batch"], j["iterations"])
for b in j["batches"]:
    print(b["batch"], b["epochs"], b["epochs_measured"], b["iterations"])
assert j["choice"]["job_cost"] == min(b["value"] for b in j["batches"])
print("%.2f" % j["batches"][1]["value"])' 2>&1)" "64 70313
64 90.0 True 70312.5
128 100.0 False 39062.5
256 120.0 False 23437.5
512 160.0 False 15625.0
15.67"
has "another one costs what it costs by itself" "$(recommend --profile=vgg19.json \
	--catalogue=table4.csv --busbw=busbw.yaml --batch=128 --iterations=39063)" ', $15.67 for'
has "all are told" "$(cat err)" "batch 512, 160 epochs: \$25.07"
auto --epochs=90@64 --objective=time --budget=20 >out 2>/dev/null
has "the fastest within the budget" "$(cat out)" \
	"batch      128, the best of 4: 100 epochs, by the law"
auto --epochs=90@64 --budget=1 >out 2>err
is "a budget that no batch keeps: exit 1" "$? $(cat out)" "1 "
printf '%s\n' '# plink-batch 1' 'samples 50000' 'point 2 64 1 epochs=80 noise=.6' \
	'point 2 1024 1 epochs=40 noise=.225' 'diverged 4 2048' >net.points
recommend --profile=vgg19.json --catalogue=table4.csv --busbw=busbw.yaml --batch=auto \
	--points=net.points --epoch-law=noise --batches=64,256,1024,2048 >out 2>err
has "points whose epochs fall: the largest that does not diverge" "$(cat out)" \
	"batch      1024, the best of 4: 40 epochs, measured"
has "and why" "$(cat err)" "batch 2048, 36.09 epochs: a job diverged"
printf 'instance,price,region\ng4dn.8xlarge,.72,east\ng3.8xlarge,.5,west\n' >two.csv
auto --epochs=90@64 --catalogue=two.csv --region=any >out 2>/dev/null
is "the best batch of the best region" "$(sed -nE 's/^(region|batch) +//p' out | cut -c1-4 |
	xargs)" "west 64,"
no 3 "vgg19.json has no noise_scale, and no points" recommend --profile=vgg19.json \
	--catalogue=table4.csv --batch=auto --epochs=90@64
printf '# plink-batch 1\npoint 2 64 1\n' >bare.points
no 3 "give --epochs=E@B" auto --points=bare.points
no 2 "--batch=auto or --iterations" auto --epochs=90@64 --iterations=4
no 2 "as 90@256, not" auto --epochs=90
no 2 "go with --batch=auto" shuffle --samples=9

# help, page and its example
"$builddir/plink-srift" recommend --help >help
is "recommend --help: exit 0" $? 0
sed 's/\\-/-/g' "$builddir/man/plink-srift.1" >page
is "plink-srift(1) has every option of it" \
	"$(grep -oE -- '--[a-z][a-z-]+' help | sort -u | while read -r o; do
		grep -qF -- "$o" page || echo "$o"
	done)" ""
sed 's/g3.8xlarge/g4dn.8xlarge/' noisy-three-layers.json >resnet18.json
sed 's/g3.8xlarge/g4dn.8xlarge/' prices.csv >p && mv p prices.csv
echo c5n.9xlarge,1.94,,,here,a, >>prices.csv
cp t8 all_reduce_perf.txt
sed -n '/^\.SH EXAMPLES/,/^\.SH BUGS/p' page |
	sed -n '/^plink-srift recommend/,/^\.fi/p' | sed '/^\.fi/d; s/\\e$/\\/' >example.sh
has "the example of the page" "$(PATH="$builddir:$PATH" sh -e example.sh 2>&1 | tee examples)" \
	"proof      no choice is cheaper"
has "that of a batch" "$(cat examples)" "batch      256, the best of 2"
has "that of hubs" "$(cat examples)" "hubs       "
"$builddir/plink-srift" --help | sed -n '/^  plink-srift recommend/,/^$/p' >example.sh
has "the example of --help" "$(PATH="$builddir:$PATH" sh -e example.sh 2>&1)" \
	"proof      no choice is cheaper"
sed -n '/^instance,price/,/^\.fi/p' "$builddir/man/plink-catalogue.5" |
	sed '/^\.fi/d' >example.csv
has "the example of plink-catalogue(5)" "$(shuffle --catalogue=example.csv)" \
	"choice     4xp3.8xlarge@1024"

done_testing
