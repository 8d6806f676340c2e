# SPDX-License-Identifier: BSD-3-Clause
# ssh.sh - machines with a real sshd each, and an ordinary account there; source it
# after tap.sh. It skips the test where there can be none, and takes down what the test
# has put up.
#
# The machines are those of a testbed: namespaces with files in common. The account
# exists only in them, by an /etc/passwd of their own, and its home is in $tmp.
testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
sshd=/usr/sbin/sshd
for program in $sshd ssh ssh-keygen ssh-keyscan ssh-add setpriv; do
	command -v $program >/dev/null || skip_all "no $program here"
done

prefix=t$$s
uid=$((20000 + $$ % 20000)) # so that two tests have different ones
home=$tmp/home
ssh_hub=
cleanup() {
	"$testbed" down --prefix=$prefix >/dev/null 2>&1
	[ -z "$ssh_hub" ] || kill $ssh_hub
}

# in_machine NAME COMMAND...: there, as root
in_machine() {
	ssh_machine=$1
	shift
	"$testbed" exec --prefix=$prefix "$ssh_machine" -- "$@"
}

# as_user NAME COMMAND...: there, in the home of the account, without any privilege
as_user() {
	ssh_machine=$1
	shift
	(cd "$home" && "$testbed" exec --prefix=$prefix "$ssh_machine" -- setpriv \
		--reuid=$uid --regid=$uid --clear-groups --inh-caps=-all \
		--bounding-set=-all --no-new-privs env -i HOME="$home" USER=someone \
		LOGNAME=someone SHELL=/bin/bash TERM=dumb \
		PATH="$tmp/bin:/usr/local/bin:/usr/bin:/bin" "$@")
}

# start_sshd NAME [LINE...]: with these lines in its configuration, in place of the one
# that is there
start_sshd() {
	ssh_machine=$1
	shift
	printf '%s\n' "HostKey $tmp/etc/key.$ssh_machine" \
		"PidFile $tmp/etc/pid.$ssh_machine" "UsePAM no" \
		"PasswordAuthentication no" "KbdInteractiveAuthentication no" \
		"AuthorizedKeysFile .ssh/authorized_keys" "$@" \
		>"$tmp/etc/sshd.$ssh_machine"
	in_machine "$ssh_machine" sh -c "
		if [ -f '$tmp/etc/pid.$ssh_machine' ]; then
			pid=\$(cat '$tmp/etc/pid.$ssh_machine')
			kill \$pid
			while kill -0 \$pid 2>/dev/null; do sleep 0.02; done
		fi
		$sshd -f '$tmp/etc/sshd.$ssh_machine' -E '$tmp/etc/log.$ssh_machine'"
}

# put_up ARG...: the machines of plink-testbed matrix ARG..., in $machines; the account
# has a key without a passphrase, knows no host key, and has plink's programs in its PATH
put_up() {
	"$testbed" matrix "$@" >"$tmp/truth" 2>/dev/null
	machines=$(awk '/^[^#]/ { print $1 }' "$tmp/truth")
	chmod 755 "$tmp"
	mkdir "$tmp/bin" "$tmp/etc" "$home" "$home/.ssh"
	for program in order probe doctor agent; do
		cp "$builddir/plink-$program" "$tmp/bin"
	done
	(cat /etc/passwd && echo "someone:*:$uid:$uid::$home:/bin/bash") \
		>"$tmp/etc/passwd"
	(cat /etc/group && echo "someone:x:$uid:") >"$tmp/etc/group"
	ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/.ssh/id_ed25519"
	cp "$home/.ssh/id_ed25519.pub" "$home/.ssh/authorized_keys"
	chmod 700 "$home/.ssh"
	chown -R $uid:$uid "$home"
	"$testbed" up --prefix=$prefix --matrix="$tmp/truth" 2>/dev/null || return
	for ssh_m in $machines; do
		ssh-keygen -q -t ed25519 -N '' -C '' -f "$tmp/etc/key.$ssh_m"
		in_machine "$ssh_m" sh -ec "
			mount --bind '$tmp/etc/passwd' /etc/passwd
			mount --bind '$tmp/etc/group' /etc/group
			mount -t tmpfs tmpfs /run
			mkdir /run/sshd"
		start_sshd "$ssh_m"
	done
}

# write_home NAME: a file of the account's, from stdin
write_home() {
	cat >"$home/$1"
	chown $uid:$uid "$home/$1"
}

# second_network: machine number i of $machines gets the address 10.88.0.i/24, on eth1.
# The switch is in a namespace of its own.
second_network() {
	unshare --net sleep 1000 >/dev/null 2>&1 &
	ssh_hub=$!
	while [ "$(readlink /proc/$ssh_hub/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do
		sleep 0.02
	done
	nsenter --target $ssh_hub --net sh -c \
		'ip link add switch type bridge && ip link set switch up'
	ssh_i=0
	for ssh_m in $machines; do
		ssh_i=$((ssh_i + 1))
		ssh_net=$(in_machine "$ssh_m" readlink /proc/self/ns/net |
			sed 's/[][]/\\&/g')
		ssh_net=$(find /proc/[0-9]*/ns/net -lname "$ssh_net" 2>/dev/null |
			head -n 1)
		nsenter --target $ssh_hub --net sh -ec "
			ip link add port$ssh_i type veth peer name eth1 \
				netns $ssh_net
			ip link set port$ssh_i master switch up"
		in_machine "$ssh_m" sh -ec "
			ip addr add 10.88.0.$ssh_i/24 dev eth1
			ip link set eth1 up"
	done
}
