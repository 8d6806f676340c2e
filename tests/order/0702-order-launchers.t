#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0702-order-launchers.t - plink-order: files and commands for other launchers
# Hydra and pdsh are the real ones. DeepSpeed, Horovod, torchrun and LightGBM are
# not installed: for them there are stand-ins here that read as they do.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
cd "$tmp" || exit 99
path=$PATH
mkdir bin
printf '#!/bin/sh\nprintf "HYDRA build details:\\n  Version:   4.0.2\\n"\n' \
	>bin/mpirun
chmod +x bin/mpirun
# the cheapest ring from hA on is hA hD hC hB
cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
# host hA addr=10.0.0.11
# host hB addr=10.0.0.12
# host hC node=node-c addr=10.0.0.13
# host hD addr=10.0.0.14
hA 0 20 90 10
hB 20 0 10 90
hC 90 10 0 20
hD 10 90 20 0
END
printf 'hA\nhC slots=2\nhB\nhD slots=3\n' >uneven
printf 'hA slots=2\nhC slots=2\nhB slots=2\nhD slots=2\n' >even
printf 'hA\nhC\nhB\nhD\n' >ones

# write FORMAT HOSTS OPTION...: the file to "out file", status in $rc
write() {
	format=$1
	hosts=$2
	shift 2
	PATH=$tmp/bin:$path "$order" --matrix=matrix --format="$format" \
		-o "out file" "$@" "$hosts" 2>err
	rc=$?
	sed -i "s/^plink-order: //" err
}
# gives FORMAT HOSTS LINES COMMAND OPTION...: these lines, this command
gives() {
	what="$1 of $2"
	lines=$3
	command=$4
	shift_by=$1:$2
	shift 4
	write "${shift_by%%:*}" "${shift_by#*:}" "$@"
	is "$what: the file" "$rc $(tr '\n' ';' <'out file')" "0 $lines"
	has "$what: the command" "$(cat err)" "$command"
}
# refuses FORMAT HOSTS MESSAGE: status 3, and no file
refuses() {
	rm -f "out file"
	write "$1" "$2"
	is "$1 of $2: refused" "$rc $(ls 'out file' 2>/dev/null)" "3 "
	has "$1 of $2: why" "$(cat err)" "$3"
}

# lacks FILE: the formats, each on a line, that it does not name
lacks() {
	sed 's/\\//g' "$1" | tr -c 'a-z-' '\n' | sort -u >words
	sed -n 's/^\t\.name = "\(.*\)",/\1/p' "$srcdir"/src/order/format/*.c |
		sort | comm -23 - words
}
"$order" --help >help
is "--help names all formats" "$(lacks help)" ""
is "the page does" "$(lacks "$srcdir/man/plink-order.1.in")" ""

gives mpich uneven "hA:1;hD:3;hC:2;hB:1;" \
	"for MPICH's Hydra 4.0.2: mpirun -f 'out file' -n 7 ./app"
gives intelmpi uneven "hA:1;hD:3;hC:2;hB:1;" "for Intel MPI, which may take other \
algorithms than MPICH: env I_MPI_JOB_RESPECT_PROCESS_PLACEMENT=0 mpirun -machinefile \
'out file' -n 7 ./app"
gives slurm uneven "hA;hD;hD;hD;hC;hC;hB;" "for srun, within the job: \
env 'SLURM_HOSTFILE=out file' srun -m arbitrary -n 7 ./app"
has "slurm: what it does not number is said" "$(cat err)" "rank 0 is on hA"
gives deepspeed uneven "hA slots=1;hD slots=3;hC slots=2;hB slots=1;" \
	"deepspeed '--hostfile=out file' train.py"
gives horovod uneven "hA slots=1;hD slots=3;hC slots=2;hB slots=1;" \
	"horovodrun --gloo -np 7 --hostfile 'out file' python3 train.py"
gives torchrun even "hA 0;hD 1;hC 2;hB 3;" "torchrun --nnodes=4 \
--nproc_per_node=2 --master_addr=10.0.0.11 --master_port=29500"
gives pdsh even "hA;hD;hC;hB;" "pdsh -R ssh -f 4 -w '^out file' env \
NODE_RANK=%n NNODES=4 MASTER_ADDR=10.0.0.11 MASTER_PORT=29500 ./app"
gives pdsh ones "hA;hD;hC;hB;" "env RANK=%n WORLD_SIZE=4 \
MASTER_ADDR=10.0.0.11 MASTER_PORT=7 ./app" --job-port=7
gives lightgbm ones "10.0.0.11 12400;10.0.0.14 12400;10.0.0.13 12400;\
10.0.0.12 12400;" "for LightGBM, on every host: lightgbm config=train.conf \
num_machines=4 'machine_list_filename=out file' local_listen_port=12400"
gives lightgbm even "10.0.0.11 90;10.0.0.11 91;10.0.0.14 90;10.0.0.14 91;\
10.0.0.13 90;10.0.0.13 91;10.0.0.12 90;10.0.0.12 91;" "on every host for each \
PORT behind its address: lightgbm config=train.conf num_machines=8 \
'machine_list_filename=out file' local_listen_port=PORT" --job-port=90
printf 'hA 7\nhC 9\nhB\nhD 8\n' >ports
gives lightgbm ports "10.0.0.11 7;10.0.0.14 8;10.0.0.13 9;10.0.0.12 12400;" \
	"local_listen_port=PORT"
gives mpich ports "hA:1;hD:1;hC:1;hB:1;" "the ports of 3 hosts are not in the"
write lightgbm ports
is "lightgbm: ports are in the output" "$(grep -c 'are not in' err)" 0

# the page of a report has the command that is said
for f in hostfile mpich intelmpi slurm deepspeed horovod torchrun pdsh lightgbm; do
	write $f even --report=page.html
	sed -n 's:^<pre><code>\(.*\)</code></pre>$:\1:p' page.html |
		sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&amp;/\&/g" >shown
	is "$f: the report has the command" "$(cat shown)" \
		"$(sed -n 's/^for [^:]*: //p' err)"
	ok "$f: there is one" test -s shown
done
write names even --report=page.html
has "names: the report says why there is none" "$(cat page.html)" \
	"No launcher reads what was written (names): with --plan=FILE plink-exec"
write plan even --report=page.html
has "plan: the command of the plan that was written" "$(cat page.html)" \
	"plink-exec --plan='out file' -- ./app"

# what a launcher cannot be told
refuses torchrun uneven "hA has 1 slots, hC 2: torchrun wants as many on every"
printf 'hA\nhC\nhA\n' >again
for f in deepspeed horovod torchrun; do
	PATH=$tmp/bin:$path "$order" --matrix=matrix --hosts-format=seq \
		--format=$f again >out 2>err
	is "$f: a host twice is refused" "$? $(cat out)" "3 "
	has "$f: a host twice: why" "$(cat err)" 'host "hA" appears again'
done
for f in mpich intelmpi slurm pdsh; do
	PATH=$tmp/bin:$path "$order" --matrix=matrix --hosts-format=seq \
		--format=$f again >out 2>err
	is "$f: a host twice is two ranks" "$? $(grep -c hA out)" "0 2"
done
printf '# plink-matrix 1\n# unit us\n# quantity rtt\n::1 0 1\n::2 1 0\n' \
	>matrix6
printf '[::1]\n[::2]\n' >six
mkdir ompi
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >ompi/mpirun
chmod +x ompi/mpirun
PATH=$tmp/ompi:$path "$order" --matrix=matrix6 six >out 2>err
has "Open MPI 4 and IPv6 addresses: no command that crashes" "$? $(tail -n 1 err)" \
	"0 plink-order: Open MPI 4.1.4 knows no hosts by IPv6 addresses: list names"
for f in mpich intelmpi slurm deepspeed horovod pdsh; do
	"$order" --matrix=matrix6 --format=$f six >out 2>err
	is "$f: an IPv6 address is refused" "$? $(cat out)" "3 "
	has "$f: why" "$(cat err)" "reads no IPv6 address"
	"$order" --launch=false --format=$f six >out 2>err
	is "$f: before anything is measured" "$? $(grep -c reads err)" "3 1"
done
"$order" --matrix=matrix6 --format=lightgbm six >out 2>err
is "lightgbm: no IPv4 address: refused" "$? $(cat out)" "3 "
has "lightgbm: no IPv4 address: why" "$(cat err)" "needs its IPv4 address"
printf '# plink-matrix 1\n# unit us\n# quantity rtt\n# host hC addr=10.0.0.1\n' \
	>matrix2
printf '10.0.0.1 0 1\nhC 1 0\n' >>matrix2
printf '10.0.0.1 7 slots=2\nhC 8\n' >same
"$order" --matrix=matrix2 --format=lightgbm same >out 2>err
is "lightgbm: two ranks at one port: refused" "$? $(cat out)" "3 "
has "lightgbm: two ranks at one port: why" "$(cat err)" "two ranks at port 8"
printf '10.0.0.1 65535 slots=2\nhC 8\n' >same
"$order" --matrix=matrix2 --format=lightgbm same >out 2>err
is "lightgbm: ports run out: refused" "$? $(cat out)" "3 "

# options
for o in --job-port=9 "--format=torchrun --verify" "--format=torchrun --rules=r" \
	"--format=torchrun --job-port=0"; do
	"$order" --matrix=matrix $o >out 2>err
	is "$o: refused" "$? $(cat out)" "2 "
done

# HOSTS=slurm
SLURM_JOB_NODELIST='h[C,A-B],hD' SLURM_TASKS_PER_NODE='2,1(x2),3'
export SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE
sed 's/hA/h1/; s/hB/h2/; s/hC/h3/; s/hD/h4/' matrix >matrix4
SLURM_JOB_NODELIST='h[3,1-2],h4'
"$order" --matrix=matrix4 --format=mpich slurm >out 2>err
is "the hosts of a job, with its tasks" "$(tr '\n' ' ' <out)" \
	"h3:2 h4:3 h1:1 h2:1 "
# job NODES TASKS MESSAGE
job() {
	SLURM_JOB_NODELIST=$1 SLURM_TASKS_PER_NODE=$2 "$order" \
		--matrix=matrix4 slurm >out 2>err
	is "nodes $1, tasks $2: refused" "$? $(cat out)" "3 "
	has "nodes $1, tasks $2: why" "$(cat err)" "$3"
}
job '' 1 "SLURM_JOB_NODELIST is not set"
job h1 '' "SLURM_TASKS_PER_NODE is not set"
job 'h[1-4]' 1 "has 1 nodes, but SLURM_JOB_NODELIST has 4"
job 'h[1-4]' '1(x3),1,1' "has 5 nodes"
job 'h[1-4' '1(x4)' "SLURM_JOB_NODELIST:1:"
for t in '1(x4' '1(4)' '1x4' '(x4)' '0(x4)' '1(x0)' '1(x4),' '1(x4)2' '-1(x4)'; do
	job 'h[1-4]' "$t" "not a list such as 2(x3),1"
done
"$order" --matrix=matrix4 --hosts-format=seq slurm >out 2>err
is "a job has no ranks of its own order" $? 2
printf 'h1\nh2\n' >slurm
"$order" --matrix=matrix4 ./slurm >out 2>err
is "a file of that name" "$? $(tr '\n' ' ' <out)" "0 h1 h2 "
unset SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE

# torchrun's command, as a shell runs it: ssh and torchrun only tell their words
printf '#!/bin/sh\n[ "$1" = -n ] && shift\nhost=$1\nshift\necho "$host $*"\n' \
	>bin/ssh
chmod +x bin/ssh
write torchrun even
sed -n 's/^for torchrun: //p' err >command
PATH=$tmp/bin:$path sh ./command | sort >said
is "torchrun: every host is told its number" "$(cut -d' ' -f1,7 said |
	tr '\n' ' ')" \
	"hA --node_rank=0 hB --node_rank=3 hC --node_rank=2 hD --node_rank=1 "

# DeepSpeed takes a line that begins so and refuses others, Horovod what stands
# behind the first = and then names of these characters only
write deepspeed uneven
is "deepspeed: it can read every line" \
	"$(grep -cE '^[^[:space:]]+[[:space:]]+slots=[0-9]+' 'out file')" 4
write horovod uneven
is "horovod: it can read every line" "$(sed 's/ .*=/:/' 'out file' |
	grep -cE '^[[:alnum:]_.-]+:[0-9]+$')" 4

# pdsh
if [ -n "$(command -v pdsh)" ]; then
	write pdsh even
	mv "out file" list
	is "pdsh numbers hosts as they stand in the file" "$(pdsh -R exec -f 4 \
		-w ^list echo %n %h 2>&1 | sed 's/^[^:]*: //' | sort -n |
		tr '\n' ' ')" "0 hA 1 hD 2 hC 3 hB "
	is "and as they stand on the command line, as DeepSpeed needs it" \
		"$(pdsh -R exec -f 1024 -w hA,hD,hC,hB echo %n %h 2>&1 |
			sed 's/^[^:]*: //' | sort -n | tr '\n' ' ')" \
		"0 hA 1 hD 2 hC 3 hB "
else
	skip "pdsh keeps the order" "no pdsh here"
fi

# Hydra on made-up hosts: its remote shell only changes the name.
why=
[ -n "$(command -v mpiexec.hydra)" ] || why="no Hydra here"
[ -n "$why" ] || unshare -u hostname plink-test 2>/dev/null ||
	why="no UTS namespaces: $(unshare -u true 2>&1 | head -n 1)"
if [ -n "$why" ]; then
	skip "Hydra keeps the order of hosts" "$why"
	done_testing
	exit
fi
cat >rsh <<'END'
#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
h=$1
shift
exec unshare -u sh -c "hostname $h; $*"
END
chmod +x rsh

# how the hosts were reached: Open MPI 4 is told by options, others by their user
sed "s/^# unit us$/&\n# logins 2\n# network 10.0.0.0\/24 eth1 ssh=10.1.0.0\/16/" \
	matrix >reached
sed "s/^# host hD/& node=$(uname -n)/" reached >renamed
# by VERSION MATRIX: the options in the command for this mpirun, with what is warned of
by() {
	printf '#!/bin/sh\n[ "$1" != --version ] || echo "%s"\n' "$1" >bin/mpirun
	PATH=$tmp/bin:$path "$order" --matrix="$2" --format=seq -o seq ones 2>err
	sed -n 's/.*: mpirun .*-np\{0,1\} 4 \(.*\)/\1/p; s/.*\(this mpirun .* once\):.*/\1/p' \
		err | xargs
}
net="--mca btl_tcp_if_include 10.0.0.0/24"
few="--mca plm_rsh_no_tree_spawn 1 --mca plm_rsh_num_concurrent 2"
all="this mpirun logs in to all 4 hosts at once"
v4="mpirun (Open MPI) 4.1.4"
is "one network, all logins" "$(by "$v4" matrix)" "./app"
is "Open MPI 4" "$(by "$v4" reached)" "$few $net ./app"
is "and this machine by another name" "$(by "$v4" renamed)" \
	"--mca if_base_do_not_resolve 1 $few $net ./app"
sed 's/^h\([AB]\)/h.\1/; s/# host h\([AB]\)/# host h.\1/' matrix >dots
cp ones undotted
sed -i 's/^h\([AB]\)/h.\1/' ones
is "names with domains: Open MPI 4 keeps them whole" "$(by "$v4" dots)" \
	"--mca orte_keep_fqdn_hostnames 1 ./app"
is "and PRRTE, if two would be one" "$(by "mpirun (Open MPI) 5.0.7" dots)" \
	"--prtemca prte_keep_fqdn_hostnames 1 ./app"
mv undotted ones
is "Open MPI 5" "$(by "mpirun (Open MPI) 5.0.7" renamed)" "$net ./app $all"
is "as anything but mpirun, version 4 calls itself OpenRTE" \
	"$(by "mpiexec (OpenRTE) 4.1.4" renamed)" "--mca if_base_do_not_resolve 1 $few $net ./app"
is "PRRTE itself" "$(by "prterun (PRRTE) 3.0.8" renamed)" "$net ./app $all"
is "MPICH" "$(by "HYDRA build details: Version: 4.0.2" renamed)" "./app $all"
sed 's/ ssh=.*/ also=10.1.0.0\/16/' reached >shared
is "a second network that is as good" "$(by "$v4" shared)" "$few ./app"
sed 's/ also=/ named also=/' shared >named
is "unless the hosts are listed by addresses" "$(by "$v4" named)" "$few $net ./app"
sed 's,10.0.0.0/24,fd00::/64,' reached >six
is "IPv6, which has no such setting" "$(by "$v4" six)" "$few ./app"

# users of the list: for the logins, and kept for DeepSpeed
sed 's/^/me@/' ones >users
gives deepspeed users 'me@hA slots=1;me@hD slots=1;me@hC slots=1;me@hB slots=1;' "deepspeed "
PATH=$tmp/only "$order" --matrix=matrix --format=seq users >seq 2>err
is "not for mpirun" "$(xargs <seq)" "hA hD hC hB"
has "which is told how to log in" "$(cat err)" \
	"--mca plm_rsh_agent 'ssh -l me -oBatchMode=yes' "
"$order" --launch='false %h' users >out 2>err
has "only ssh logs in as a user" "$(cat err)" "the user me, and only ssh logs in as one"

mkdir only
printf '#!/bin/sh\necho "mpiexec (OpenRTE) 4.1.4"\n' >only/mpiexec
chmod +x only/mpiexec
PATH=$tmp/only "$order" --matrix=matrix --format=seq -o seq ones 2>err
has "mpiexec where there is no mpirun" "$(cat err)" "for Open MPI 4.1.4: mpiexec "

# what runs on this very machine goes without the remote shell
sed "s/^# host .*//; s/hD/$(hostname)/" matrix >here
sed "s/hD/$(hostname)/" uneven >hosts
HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$tmp/rsh HYDRA_IFACE=lo
export HYDRA_LAUNCHER HYDRA_LAUNCHER_EXEC HYDRA_IFACE
"$order" --matrix=here --format=mpich --verify hosts >out 2>err
is "Hydra keeps the order, wherever the launching host stands" $? 0
has "and that is seen" "$(cat err)" "verified: all 7 ranks are on their hosts"
# as if somebody had sorted the file
mkdir sorts
cat >sorts/mpirun <<END
#!/bin/sh
[ "\$1" = --version ] && exec mpiexec.hydra --version
sort -o "\$2" "\$2"
exec mpiexec.hydra "\$@"
END
chmod +x sorts/mpirun
PATH=$tmp/sorts:$path "$order" --matrix=here --format=mpich --verify hosts \
	>out 2>err
is "an order that is not kept is noticed" $? 1
has "and said" "$(cat err)" "the order was not kept"

done_testing
