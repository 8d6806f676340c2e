#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1124-nccl-bw.t - plink-nccl-bw, within jobs of the double
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
unset OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID TORCHELASTIC_RUN_ID MASTER_ADDR \
	MASTER_PORT
cd "$tmp" || exit 99

# bw N OPTION...: N processes of it
bw() {
	bw_n=$1
	shift
	port=$(free_ports 1)
	job "$bw_n" env LD_LIBRARY_PATH="$programs/$version:$programs/cuda" $with \
		"$builddir/plink-nccl-bw" --address="127.0.0.1:$port" "$@"
}
with=
# ranks NAME=VALUE...: rank 1 alone has it
odd() {
	printf '#!/bin/sh\n[ "$RANK" = 0 ] || export %s\nexec "$@"\n' "$1" >odd
	chmod +x odd
	with=./odd
}
# cells FILE: those off the diagonal of each layer: how many, how many above 0
cells() {
	awk '/^# layer/ { row = 0 }
		!/^#/ {
			row++
			for (i = 2; i <= NF; i++)
				if (i != row + 1) {
					n++
					good += $i > 0 && $i != "nan"
				}
		}
		END { print n, good }' "$1"
}

slots=2
bw 8 -o m --size=64k --repeat=3
is "four hosts of two ranks: exit 0" "$? $(grep -v pairs err)" "0 "
has "what was measured" "$(cat err)" \
	"plink-nccl-bw: 6 pairs of 4 hosts, 2 rails, by NCCL 2.28.9 in 3 rounds, "
is "a line from rank 0 alone" "$(wc -l <err)" 1
is "a matrix of NCCL" "$(sed -n 's/^# \(method\|nccl\|bytes\) //p' m | xargs)" \
	"nccl 2.28.9 ping=1 transfer=65536"
is "its layers" "$(sed -n 's/^# layer //p' m | paste -sd ,)" "p50 rtt ns,\
p10-time bandwidth bytes-per-s,p10-rail0 rtt ns,p10-time-rail0 bandwidth bytes-per-s,\
p10-rail1 rtt ns,p10-time-rail1 bandwidth bytes-per-s"
is "round trips of all pairs" "$(sed '/p10-time/,$d' m >rtt; cells rtt)" "24 24"
is "hosts with their ranks" "$(grep -c '^# host h[0-3] node=.* slots=2$' m)" 4
# of the rates, some are missing where other processes delay a transfer or two
is "plink-order takes it" "$("$builddir/plink-order" --matrix=rtt --size=1M \
	--format=names 2>order.err | sort | xargs)" "h0 h1 h2 h3"
# 5 messages of warm-up, then 3, of two lengths: asked and answered
is "ranks send to those of their rail on other hosts" "$(awk '
	$1 == "call" && $4 == "Send" { sub(/root=/, "", $8); n[$3 " " $8]++ }
	END {
		for (a = 0; a < 8; a++)
			for (b = 0; b < 8; b++)
				bad += n[a " " b] != (a != b && a % 2 == b % 2 ? 32 : 0)
		print bad
	}' log)" 0
# 8 messages go between two barriers; three rounds, there and back, of two lengths
is "a barrier before each direction and length" "$(awk '
	$1 == "call" && $4 == "Send" { sent[$3]++ }
	$1 == "call" && $4 == "AllReduce" {
		bad += sent[$3] != 8 * barriers[$3]++
		n++
	}
	END { print n / 8, bad }' log)" "12 0"

slots=1
MASTER_ADDR=127.0.0.1 MASTER_PORT=$(free_ports 1)
export MASTER_ADDR MASTER_PORT
job 3 env LD_LIBRARY_PATH="$programs/$version:$programs/cuda" \
	NCCL_COMM_BLOCKING=0 "$builddir/plink-nccl-bw" --size=0 --repeat=2 >/dev/null
is "three hosts, MASTER_ADDR, standard output: exit 0" $? 0
unset MASTER_ADDR MASTER_PORT
is "only round trips" "$(sed -n 's/^# layer //p' out) $(cells out)" "p50 rtt ns 12 12"

# 127.257 is 127.0.1.1, too, as the machine's own name is in Debian's /etc/hosts
own=$(free_ports 1)
cat >own <<END
#!/bin/sh
[ \$RANK = 0 ] || exec "\$@" --address=127.0.0.1:$own
exec "\$@" --address=127.257:$own
END
chmod +x own
with=./own
bw 2 -o m --size=0 --repeat=1
is "its own name is at 127.0.1.1: others reach rank 0" $? 0
with=

# strangers at rank 0, more of them than the job has seconds
cat >late <<END
#!/bin/sh
if [ "\$RANK" != 0 ]; then
	while ! [ -e here ]; do
		sleep 0.05
	done
else
	timeout 300 ${python:-python3} "$srcdir/tests/strangers.py" \
		"\$(echo "\$*" | sed 's/.*--address=//; s/ .*//')" 40 here >strangers &
fi
exec "\$@"
END
chmod +x late
with=./late
bw 2 -o m --size=0 --repeat=1 --timeout=20
is "strangers keep no rank from the others" "$? $(grep -v '1 pair of 2 hosts' err)" "0 "
while ! [ -s strangers ]; do
	sleep 0.05
done
is "and none is answered" "$(cat strangers)" "0 answered"
with=

# what is wrong with a job is told once
refused() {
	is "$1: status" "$2" "$3"
	is "$1: a line" "$(grep -c . err)" 1
	has "$1" "$(cat err)" "$4"
	ok "$1: no file" test ! -e none
}
host=same bw 2 -o none
refused "one host" $? 2 "2 ranks, all on same: there is nothing to measure"
odd PLINK_HOST=b
host=a bw 3 -o none
refused "uneven hosts" $? 2 "2 ranks on b, 1 on a: each host must have as many"
odd PLINK_HOST=a/b
bw 2 -o none
refused "a name" $? 3 'rank 1 is on "a/b": '
with=
bw 2 -o none --size=1x
refused "a size" $? 2 '--size'
bw 2 -o none extra
refused "an argument" $? 2 'unexpected argument "extra"'
cat >differs <<END
#!/bin/sh
exec "\$@" --repeat=\$((RANK + 1))
END
chmod +x differs
with=./differs
bw 2 -o none
refused "other options" $? 2 "rank 1 has other options than rank 0"

if unshare -u sh -c 'echo h0 >/proc/sys/kernel/hostname' 2>/dev/null; then
	cat >blank <<-'END'
		#!/bin/sh
		exec unshare -u sh -c 'echo "a b" >/proc/sys/kernel/hostname && exec "$0" "$@"' "$@"
	END
	chmod +x blank
	with=./blank
	bw 2 -o none
	refused "a node name" $? 3 'rank 0 is on a machine with the node name "a b": '
else
	skip "a node name" "no UTS namespaces here"
fi
with=
PLINK_TEST_GPUS=0 bw 2 -o none
is "no GPU: exit 4" $? 4
has "no GPU" "$(cat err)" "0 GPUs are visible: none for rank 0 of this host"
PLINK_TEST_GPUS=1 bw 2 -o m --size=0 --repeat=1
is "each sees its own: exit 0" $? 0
bw 2 --nccl=./lib -o none
is "no NCCL: exit 4" $? 4
has "no NCCL" "$(cat err)" "plink-nccl-bw: ./lib: cannot open"
bw 2 -o /nonexistent/m --timeout=0.5
is "no such folder: exit 4" $? 4
has "no such folder" "$(cat err)" "/nonexistent"

# ranks that never come, die or stay away
LD_LIBRARY_PATH=$programs/$version:$programs/cuda
export LD_LIBRARY_PATH
RANK=1 WORLD_SIZE=2 "$builddir/plink-nccl-bw" --timeout=0.3 \
	--address="127.0.0.1:$(free_ports 1)" 2>err
is "rank 0 never comes: exit 4" $? 4
has "rank 0 never comes" "$(cat err)" "rank 0 has not come to 127.0.0.1:"
port=$(free_ports 1)
RANK=1 WORLD_SIZE=2 TORCHELASTIC_RUN_ID=x MASTER_ADDR=::1 MASTER_PORT=$port \
	"$builddir/plink-nccl-bw" --timeout=0.3 2>err
has "torchrun: the port above its own" "$(cat err)" \
	"rank 0 has not come to [::1]:$((port + 1)) within"
RANK=0 WORLD_SIZE=2 "$builddir/plink-nccl-bw" --timeout=0.3 -o none \
	--address="127.0.0.1:$(free_ports 1)" 2>err
is "rank 1 never comes: exit 4" $? 4
has "rank 1 never comes" "$(cat err)" "rank 1 has not come to 127.0.0.1:"
RANK=2 WORLD_SIZE=2 "$builddir/plink-nccl-bw" --address=127.0.0.1:1 2>err
has "a rank that there is not" "$? $(cat err)" \
	"2 plink-nccl-bw: RANK=2: a number from 0 to 1 must stand here"
"$builddir/plink-nccl-bw" --address=127.0.0.1:1 2>err
has "no launcher" "$? $(cat err)" "2 plink-nccl-bw: no launcher has said"
RANK=0 WORLD_SIZE=2 "$builddir/plink-nccl-bw" 2>err
has "no address" "$? $(cat err)" "2 plink-nccl-bw: where do the ranks meet?"
unset LD_LIBRARY_PATH
odd PLINK_TEST_CUDA_ENDS=4
bw 2 -o none --size=1k --repeat=3
is "a rank dies: the others fail" "$(grep -c '^plink-nccl-bw: nccl[A-Z]' err)" 1
ok "and nothing is written" test ! -e none
odd PLINK_TEST_CUDA_STAYS=3
bw 2 -o none --size=1k --repeat=3 --timeout=10
is "a rank stays away: exit 4" $? 4
has "and it is named" "$(cat err)" \
	"plink-nccl-bw: nothing from rank 1 on h1 within 10 s"
ok "and nothing is written, too" test ! -e none

done_testing
