# SPDX-License-Identifier: BSD-3-Clause
# warm.sh - $python with PyTorch imported already: source it after tap.sh, with $python
# and the variables that PyTorch reads as it is loaded, and it is another one, that does
# what $python does in less time. With LD_PRELOAD or PYTHONPATH it is the real one.
[ -x "$(command -v "$python")" ] && [ "$("$python" -c '
from importlib.util import find_spec
print(bool(find_spec("torch")))')" = True ] ||
	skip_all "$python has no torch: install python3-torch"
warm_python=$python
python=$tmp/.warm/python3
mkdir "$tmp/.warm"
chmod a+x "$tmp" # for the users of emulated machines
cat >"$python" <<END
#!/bin/sh
exec "$warm_python" -IS "$srcdir/tests/python/asked.py" "$tmp/.warm/socket" "\$@"
END
chmod +x "$python"
OMP_NUM_THREADS=${OMP_NUM_THREADS-1} "$warm_python" "$srcdir/tests/python/warm.py" \
	"$tmp/.warm/socket" "$python" </dev/null >/dev/null 2>"$tmp/.warm/err" &
"$python" -c '' || {
	sed 's/^/# /' "$tmp/.warm/err"
	exit 99
}
