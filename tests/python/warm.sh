# SPDX-License-Identifier: BSD-3-Clause
# warm.sh - $python with PyTorch imported already: source it after tap.sh, with $python
# and the variables that PyTorch reads as it is loaded, and it is another one, that does
# what $python does in less time. With LD_PRELOAD or PYTHONPATH it is the real one.
warm_python=$python
python=$tmp/.warm/python3
mkdir "$tmp/.warm"
cat >"$python" <<END
#!/bin/sh
exec "$warm_python" -IS "$srcdir/tests/python/asked.py" "$tmp/.warm/socket" "\$@"
END
chmod +x "$python"
OMP_NUM_THREADS=${OMP_NUM_THREADS-1} "$warm_python" "$srcdir/tests/python/warm.py" \
	"$tmp/.warm/socket" "$python" </dev/null >/dev/null 2>"$tmp/.warm/err" &
"$python" -c '' 2>/dev/null || {
	sed 's/^/# /' "$tmp/.warm/err"
	skip_all "$warm_python has no torch: install python3-torch"
}
