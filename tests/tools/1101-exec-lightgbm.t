#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1101-exec-lightgbm.t - plink-exec: LightGBM's list of machines by the plan
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cd "$tmp" || exit 99
tool=$builddir/plink-exec
unset PLINK_PLAN PLINK_MAX_AGE OMPI_COMM_WORLD_RANK PMI_RANK MASTER_ADDR \
	NCCL_COMM_ID
export PLINK_HOST=h1
cat >plan <<END
# plink-plan 1
host 0 h0 addr=10.0.0.1
host 1 h1 slots=2 addr=10.0.0.2
host 2 h2 addr=10.0.0.3
order allreduce ring thesis 0- : 2 1 0
END
# shows what it is given
cat >lightgbm <<'END'
#!/bin/sh
echo "$*"
END
chmod +x lightgbm

given=10.0.0.1:12400,10.0.0.2:12400,10.0.0.3:12400,10.0.0.2:12401
found=10.0.0.3:12400,10.0.0.2:12400,10.0.0.2:12401,10.0.0.1:12400
printf '%s\n' 'rank=1' '10.0.0.1 12400' '# a word' '' ' 10.0.0.2:12400 ' \
	'10.0.0.3   12400' '10.0.0.2 12401' >list

# gives WHAT WANT WORD...
gives() {
	gives_what=$1
	gives_want=$2
	shift 2
	out=$("$tool" -p plan "$@" 2>err)
	is "$gives_what" "$? $out $(cat err)" "0 $gives_want "
}

# refuses WHAT MESSAGE WORD...
refuses() {
	refuses_what=$1
	refuses_why=$2
	shift 2
	out=$("$tool" -p plan "$@" 2>err)
	is "$refuses_what: refused" "$? $out" "125 "
	has "$refuses_what: said" "$(cat err)" "$refuses_why"
}

gives "a list in an argument" "machines=$found task=train" \
	./lightgbm "machines=$given" task=train
gives "a list in a file" "task=train machine_list_filename=list machines=$found" \
	./lightgbm task=train machine_list_filename=list
for name in mlist machine_list machine_list_file; do
	gives "a file as $name" "$name=list machines=$found" ./lightgbm $name=list
done
for name in nodes workers; do
	gives "a list as $name" "$name=$given machines=$found" \
		./lightgbm "$name=$given"
done
printf 'task = train # machines = none\nmachine_list_file = "list" \n' >conf
gives "a file that the configuration names" "config=conf machines=$found" \
	./lightgbm config=conf
printf 'task = train\nmachines = %s\n' "$given" >conf2
gives "a list in the configuration" "config=conf2 machines=$found" \
	./lightgbm config=conf2
gives "a list counts more than a file" "mlist=missing machines=$found" \
	./lightgbm mlist=missing "machines=$given"
sed 's/10.0.0/10.0.9/g' conf2 >conf3
gives "an argument counts more than the configuration" \
	"machines=$found config=conf3" ./lightgbm "machines=$given" config=conf3
cp lightgbm gbdt
gives "by another name" "machines=$found" -s lightgbm ./gbdt "machines=$given"
gives "twice is once" "machines=$found" \
	./lightgbm "machines=$found"
is "--dry-run shows the command" "$("$tool" -p plan --dry-run ./lightgbm mlist=list)" \
	"./lightgbm mlist=list machines=$found"

sed 's/ addr=10.*/ addr=10.0.0.1/; s/slots=2//' plan >alike
refuses "one address for all" "several hosts of the plan could be the machine" \
	-p alike ./lightgbm "machines=10.0.0.1:1,10.0.0.1:2,10.0.0.1:3"
awk '/^host/ { print $0 " port=" ++n; next } 1' alike >ports
gives "told by their ports" "machines=10.0.0.1:3,10.0.0.1:2,10.0.0.1:1" \
	-p ports ./lightgbm "machines=10.0.0.1:1,10.0.0.1:2,10.0.0.1:3"
refuses "no list" "neither machines= nor machine_list_filename=" \
	./lightgbm task=train
refuses "a list that is not there" "No such file" ./lightgbm mlist=missing
refuses "a configuration that is not there" "missing: " \
	./lightgbm config=missing "machines=$given"
refuses "a machine of another job" "10.0.0.9, which is no host of the plan" \
	./lightgbm "machines=$given,10.0.0.9:12400"
refuses "a machine by name" "the machine h1, but LightGBM knows only IPv4" \
	./lightgbm "machines=$given,h1:12400"
refuses "a port that is none" 'the port "1x" of 10.0.0.3' \
	./lightgbm "machines=$given,10.0.0.3:1x"
refuses "a machine too few" \
	"the list has h1 1 times, and the plan runs 2 processes there" \
	./lightgbm "machines=${given%,*}"
refuses "a machine too many" "the list has h2 2 times" \
	./lightgbm "machines=$given,10.0.0.3:1"
# LightGBM takes the first num_machines of the list and drops the others
refuses "fewer machines than the list has" \
	'num_machines is "3", and the plan has 4 processes' \
	./lightgbm num_machines=3 "machines=$given"
printf 'num_machine = 1\n' >few
refuses "fewer in the configuration" 'num_machines is "1"' \
	./lightgbm config=few "machines=$given"
refuses "a number of machines that is none" 'num_machines is "4x"' \
	./lightgbm num_machines=4x "machines=$given"
gives "as many as there are" "num_machines=4 config=few machines=$found" \
	./lightgbm num_machines=4 config=few "machines=$given"
gives "more: the list counts" "num_machines=9 machines=$found" \
	./lightgbm num_machines=9 "machines=$given"
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_LOCAL_RANK=0
export OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_LOCAL_RANK
gives "what mpirun has started has no list" "mlist=missing" \
	./lightgbm mlist=missing

done_testing
