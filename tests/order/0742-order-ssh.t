#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0742-order-ssh.t - README's two lines, typed by an ordinary user: machines with a real
# sshd, in all states in which a newcomer finds them, and Open MPI by the same ssh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/ssh.sh"
mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip_all "mpirun is not Open MPI's"

# h5 is not in the list
put_up --racks=2x3 --intra-us=500 --inter-us=3000 --shuffle --seed=4
is "six machines come up" $? 0
listed='h0 h1 h2 h3 h4'
printf '%s\n' $listed | write_home hosts.txt
write_home app <<'END'
#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(uname -n) $OMPI_MCA_btl_tcp_if_include"
END
chmod +x "$home/app"

# line FROM [OPTION...]: README's first line there; its status in $rc, what it said in
# $err
line() {
	from=$1
	shift
	as_user "$from" sh -c "plink-order $* hosts.txt > hostfile" 2>"$tmp/err"
	rc=$?
	err=$(cat "$tmp/err")
}

# ordered WHAT: it is done, and the printed line starts the ranks on the hosts in the
# order of the file; $job is what they print
ordered() {
	is "$1: exit 0" "$rc" 0
	has "$1: every pair" "$err" "pairs: 20 measured, 0 missing"
	runs "$1" "$(echo $listed)"
}

# runs WHAT HOSTS: the second half of that, for these hosts
runs() {
	is "$1: every host once" "$(awk 'NR == FNR { name["10.88.0." NR] = $1; next }
		{ sub(/^a-/, ""); print $1 in name ? name[$1] : $1 }' \
		"$tmp/names" "$home/hostfile" | tee "$tmp/places" | sort | xargs)" "$2"
	mpirun=$(sed -n 's/^plink-order: for Open MPI [0-9.a-z]*: //p' "$tmp/err")
	job=$(as_user "$from" timeout 100 sh -c "$mpirun" 2>"$tmp/mpi" |
		grep -o '[0-9][0-9]* h[0-9] .*$' | sort -n)
	is "$1: the printed line starts each rank on its host" \
		"$(echo "$job" | awk '{ print $1, $2 }')" \
		"$(awk '{ print NR - 1, $1 }' "$tmp/places")"
}
printf '%s\n' $machines >"$tmp/names"

# said WHAT TEXT: on one line of its own
said() {
	ok "$1" grep -qxF "plink-order: $2" "$tmp/err"
}

# 1. no host key is known; then the remedy, as printed
line h0
is "unknown host keys: exit 4, no file" "$rc $(cat "$home/hostfile")" "4 "
said "unknown host keys: what to do" "no known host key for h0, h1, h2, h3, h4: \
ssh h0 once, or ssh-keyscan h0 h1 h2 h3 h4 >> ~/.ssh/known_hosts"
has "unknown host keys: and ssh's words" "$err" \
	"h0: its agent ended with status 255: Host key verification failed."
has "plink-doctor says the same" "$(as_user h0 plink-doctor hosts.txt 2>&1)" \
	"h3: reach: the launcher ended with status 255: Host key verification failed.: \
ssh h3 once, or ssh-keyscan h3 >> ~/.ssh/known_hosts"
as_user h0 sh -c "$(echo "$err" | sed -n 's/.*, or \(ssh-keyscan .*\)/\1/p')" 2>/dev/null
line h0
ordered "host keys are known"
as_user h5 sh -c 'ssh-keyscan h5 >> ~/.ssh/known_hosts' 2>/dev/null
line h5
ordered "from a machine outside the list"
is "one network: no option for it" "$(echo "$mpirun" | grep -c if_include)" 0
cp "$home/.ssh/known_hosts" "$tmp/known_hosts"

# 2. another key, since that machine was set up anew
sed "s,^h3 .*,h3 $(cut -d' ' -f1,2 "$tmp/etc/key.h5.pub")," "$tmp/known_hosts" \
	>"$home/.ssh/known_hosts"
line h0
said "a host key has changed: what to do" "another host key than the known one on h3: \
if the machine was set up anew, ssh-keygen -R h3, then ssh h3 once"
cp "$tmp/known_hosts" "$home/.ssh/known_hosts"

# 3. a key with a passphrase, first without an agent; then the remedy
ssh-keygen -q -p -P '' -N 'a secret' -f "$home/.ssh/id_ed25519" >/dev/null
line h0
is "a passphrase: exit 4" "$rc" 4
has "a passphrase: what to do" "$err" \
	"the login is refused on h0, h1, h2, h3, h4: ssh-add, if the key has a passphrase"
has "a passphrase: and ssh's words" "$err" "someone@h0: Permission denied (publickey)."
printf '#!/bin/sh\necho a secret\n' | write_home .ssh/ask
chmod +x "$home/.ssh/ask"
as_user h0 sh -c 'eval "$(ssh-agent)" >/dev/null
	SSH_ASKPASS=~/.ssh/ask SSH_ASKPASS_REQUIRE=force ssh-add 2>/dev/null
	plink-order hosts.txt > hostfile
	echo $? > rc
	eval "$(sed -n "s/^plink-order: for Open MPI [^:]*: //p" err)" > job
	ssh-agent -k >/dev/null' 2>"$home/err"
is "a passphrase, ssh-add: exit 0" "$(cat "$home/rc")" 0
ssh-keygen -q -p -P 'a secret' -N '' -f "$home/.ssh/id_ed25519" >/dev/null
chown $uid "$home/.ssh/id_ed25519"

# 4. another user: in ssh's configuration, in --launch, in the list
printf 'Host h1 h4\nUser nobody\n' | write_home .ssh/config
line h0
is "a wrong user: exit 1" "$rc" 1
has "a wrong user: which" "$err" "nobody@h4: Permission denied (publickey)."
has "a wrong user: what to do" "$err" "the login is refused on h1, h4: ssh-add, if the \
key has a passphrase; User in ~/.ssh/config, or -l USER in --launch"
line h0 "--launch='ssh -oBatchMode=yes -l someone %h'"
ordered "-l USER in --launch"
mv "$home/hosts.txt" "$home/without-users"
sed 's/^/someone@/' "$home/without-users" | write_home hosts.txt
line h0
ordered "user@host in the list"
mv "$home/without-users" "$home/hosts.txt"
line h0 "--launch='ssh -oBatchMode=yes someone@%h'"
has "USER@ in --launch: mpirun has another ssh" "$rc $(tail -n 1 "$tmp/err")" \
	'0 plink-order: this mpirun does not log in by "ssh -oBatchMode=yes someone@%h"'

# 5. names that only ssh knows
printf 'Host a-%s\nHostName %s\n' h0 h0 h1 h1 h2 h2 h3 h3 h4 h4 | write_home .ssh/config
printf 'a-%s\n' $listed | write_home hosts.txt
line h0
ordered "aliases"
line h5
ordered "aliases, from outside"
printf '%s\n' $listed | write_home hosts.txt

# 6. a jump host that takes two logins at a time
ok "h2 takes two logins at a time" start_sshd h2 'MaxStartups 2'
printf 'Host h2\nProxyJump none\nHost h*\nProxyJump h2\n' | write_home .ssh/config
line h5
ordered "a jump host that drops logins"
has "a jump host that drops logins: told" "$err" "an ssh server dropped logins"
has "a jump host that drops logins: mpirun is to be as careful" "$mpirun" \
	" --mca plm_rsh_no_tree_spawn 1 --mca plm_rsh_num_concurrent "
is "plink-doctor: all is well by it, too" \
	"$(as_user h5 plink-doctor hosts.txt 2>/dev/null | tail -n 1)" \
	"all is well on 5 hosts"
ok "h2 takes all again" start_sshd h2
rm "$home/.ssh/config"

# 7. refused without a word of ssh's: hidden, or on standard output
printf 'Host h1\nUser nobody\nLogLevel QUIET\n' | write_home .ssh/config
start_sshd h3 'ForceCommand echo closed until Monday; exit 1'
line h0
said "LogLevel QUIET: what to do" "the login failed without a message on h1: ssh -v h1 \
shows why; LogLevel in ~/.ssh/config may hide it"
has "another command than the agent: its last words" "$err" \
	"h3: 8 of 8 cells missing: its agent ended with status 1: closed until Monday"
has "plink-doctor shows them, too" "$(as_user h0 plink-doctor hosts.txt 2>&1)" \
	"h3: reach: the launcher ended with status 1: closed until Monday"
start_sshd h3
rm "$home/.ssh/config"

# 8. a shell that prints wherever it starts, with and without an end of line
write_home .bashrc <<'END'
echo "Welcome to $(uname -n)"
printf "no end of line"
echo "for members only" >&2
END
line h0
ordered "a shell that prints"
line h0 --push
is "a shell that prints, --push: exit 0" "$rc" 0
rm "$home/.bashrc"

write_home .bashrc <<'END'
[ -n "$PS1" ] || exit 0
END
line h0
said "a shell that ends: what to do" "the shell ends before it starts plink-agent on h0, h1, \
h2, h3, h4: look for exit in ~/.bashrc there, and for ForceCommand in its sshd_config"
rm "$home/.bashrc"

# 9. no plink-agent on two of them; then the command that is printed
for h in h1 h3; do
	in_machine $h mount --bind /dev/null "$tmp/bin/plink-agent"
done
line h0
is "no agent on two: exit 1, no file" "$rc $(cat "$home/hostfile")" "1 "
said "no agent on two: what to do" \
	"plink-agent is missing on h1, h3: add --push, or install plink there"
said "no agent on two: and how to go on" "to measure what is missing: plink-order \
--resume=plink-order.part --push hosts.txt"
rest=$(sed -n 's/^plink-order: to measure what is missing: //p' "$tmp/err")
as_user h0 sh -c "$rest > hostfile" 2>"$tmp/err"
rc=$?
err=$(cat "$tmp/err")
ordered "that command"
has "plink-probe says the same" "$(as_user h0 plink-probe -o m hosts.txt 2>&1)" \
	"plink-probe: to measure what is missing: plink-probe -o m --resume=m --push hosts.txt"
for h in h1 h3; do
	in_machine $h umount "$tmp/bin/plink-agent"
done

# 10. one that is down, and one that is slow; on a terminal, which shows what is awaited
in_machine h4 ip link set plink0 down
in_machine h3 sh -c "kill \$(cat '$tmp/etc/pid.h3')"
in_machine h3 python3 -c 'import os, socket, sys, time
s = socket.create_server(("", 22), reuse_port=True)
if os.fork():
    os._exit(0)
os.setsid()
open(sys.argv[1], "w").write(str(os.getpid()))
while True:
    c, _ = s.accept()
    if os.fork() == 0:
        time.sleep(8)
        os.dup2(c.fileno(), 0)
        os.dup2(c.fileno(), 1)
        os.execv(sys.argv[2], sys.argv[2:])' \
	"$tmp/etc/pid.h3" $sshd -i -f "$tmp/etc/sshd.h3" </dev/null >/dev/null 2>&1
write_home typed <<'END'
plink-order hosts.txt > hostfile
END
as_user h0 script -qec 'sh typed' shown >/dev/null 2>&1
is "one is down: exit 1" "$?" 1
tr -d '\r' <"$home/shown" >"$tmp/err"
has "while they start: who is awaited" "$(cat "$tmp/err")" \
	"plink-order: starting: 3 of 5 hosts, waiting for h3"
has "while they start: and then" "$(cat "$tmp/err")" \
	"plink-order: starting: 4 of 5 hosts, waiting for h4"
has "one is down: what to do" "$(cat "$tmp/err")" \
	"no answer from h4: is it up, and is that its address? ssh h4 shows more"
rest=$(sed -n 's/.*plink-order: to order by what there is: //p' "$tmp/err")
as_user h0 sh -c "$rest > hostfile" 2>"$tmp/err"
from=h0
runs "the command that goes on without it" "h0 h1 h2 h3"
in_machine h4 ip link set plink0 up
rm "$home/plink-order.part"
ok "h3 answers at once again" start_sshd h3

# 11. addresses: of the network that ssh goes by, and of another one
second_network
as_user h0 sh -c 'for i in 1 2 3 4 5; do ssh-keyscan 10.88.0.$i; done \
	>> ~/.ssh/known_hosts 2>/dev/null'
printf '10.88.0.%s\n' 1 2 3 4 5 | write_home hosts.txt
line h0
ordered "addresses of a second network"
has "addresses of a second network: it is measured, which is told" "$err" \
	"measured: network 10.88.0.0/24 (eth1); the hosts share another one, \
10.77.0.0/16 (see --iface)"
is "addresses of a second network: and the job is kept on it" \
	"$(echo "$job" | cut -d' ' -f3 | sort -u)" 10.88.0.0/24
{
	i=0
	for h in $listed; do
		i=$((i + 1))
		printf 'Host 10.88.0.%s\nHostName %s\n' $i $h
	done
} | write_home .ssh/config
line h0
ordered "ssh goes by the first"
has "ssh goes by the first: told" "$err" \
	"measured: network 10.88.0.0/24 (eth1); ssh goes by 10.77.0.0/16"
is "ssh goes by the first: the job is kept on the second" \
	"$(echo "$job" | cut -d' ' -f3 | sort -u)" 10.88.0.0/24

done_testing
