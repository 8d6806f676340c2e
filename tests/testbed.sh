# SPDX-License-Identifier: BSD-3-Clause
# testbed.sh - an emulated cluster and an ordinary user on its machines; source it after
# tap.sh. It skips the test where there can be none, and takes down what was put up.
# Root makes the cluster and looks at its packets. What users run runs as a user, who has
# no capabilities: in the machines by itself, here by $as_user.
testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"

prefix=t$$
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}

user=nobody
setpriv --reuid=$user --clear-groups test -x "$builddir/plink-agent" 2>/dev/null || {
	echo "# $user cannot run $builddir/plink-agent: root is the machines' user"
	user=root
}
# SHELL: mpirun warns where a user has no shell, as nobody in the list of users
HOME=$tmp SHELL=/bin/sh OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HOME SHELL OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
chown $user "$tmp"

# $as_user COMMAND...: runs it as that user
as_user="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups --inh-caps=-all \
	--bounding-set=-all --no-new-privs --"

# testbed_up OPTION...: as of plink-testbed up
testbed_up() {
	"$testbed" up --prefix=$prefix --user=$user "$@"
}

# as_root HOST COMMAND...: in a machine, what no user may do there
as_root() {
	as_root_host=$1
	shift
	"$testbed" exec --prefix=$prefix --root "$as_root_host" -- "$@"
}
