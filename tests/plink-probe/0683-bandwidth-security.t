#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0683-bandwidth-security.t - who is let in where TCP is measured, and for how long
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python3 -c '' 2>/dev/null || skip_all "no python3 here"
cp "$builddir/plink-agent" "$tmp/agent"
printf 'a\nb\n' >"$tmp/hosts"

# Comes to the listener before the sender does: from another address, and from the
# right one with noise, half a word and another run's word. Says what it hears.
cat >"$tmp/stranger" <<'END'
import os, socket, sys
port = int(sys.argv[1])
far = socket.socket()
far.bind(("127.0.0.2", 0))
far.setblocking(False)
far.connect_ex(("127.0.0.1", port))
near = []
for word in (os.urandom(32), b"\2\3" + os.urandom(30), b"GET / HTTP/1.0\r\n\r\n",
             b"\2\3", os.urandom(100000)):
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(20)
    try:
        s.sendall(word)
    except OSError:
        pass
    if len(word) >= 32:
        try:
            print("near", len(s.recv(1)))
        except ConnectionError:
            print("near 0")
    near.append(s)
try:
    print("far", len(far.recv(1)))
except BlockingIOError:
    print("far nothing")
except OSError as e:
    print("far", e)
END
cat >"$tmp/launch" <<END
#!/bin/sh
while read -r line; do
	case \$line in
	send*)
		set -- "\$1" "\$2" \$line
		python3 "$tmp/stranger" "\${12}" >>"$tmp/heard"
		echo "\${12}" >>"$tmp/ports"
		;;
	esac
	echo "\$line"
done | sh -c "\$2"
END
chmod +x "$tmp/launch"

"$builddir/plink-probe" --launch="$tmp/launch %h" --agent="$tmp/agent" \
	--iface=127.0.0.0/8 --probes=4 --bandwidth=alone,together \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "strangers come before the sender does: exit 0" "$?" 0
has "every way is measured" "$(cat "$tmp/err")" \
	"4 ways measured by TCP, 0 missing"
is "flows came by ports" "$(wc -l <"$tmp/ports")" 4
is "three strangers at each are sent away without a byte" \
	"$(grep -c '^near 0$' "$tmp/heard") $(grep -c '^near' "$tmp/heard")" \
	"12 12"
is "one from another address is sent away unread" \
	"$(grep -c '^far .*reset' "$tmp/heard") $(grep -c '^far' "$tmp/heard")" \
	"4 4"
refused=$(sed -n 's/.*; \([0-9]*\) packets refused.*/\1/p' "$tmp/err")
ok "they are counted ($refused)" test "$refused" -ge 16
while read -r port; do
	hex=$(printf ':%04X' "$port")
	is "nothing listens at port $port any more" "$(awk -v at="$hex" \
		'index($2, at) && $4 == "0A"' /proc/net/tcp)" ""
done <"$tmp/ports"

done_testing
