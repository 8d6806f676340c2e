# SPDX-License-Identifier: BSD-3-Clause
# exports.awk - the names that a version of NCCL exports, as a linker's script
#
#     awk -v version=2.17.1 [-v also="ncclNew ..."] -f exports.awk functions
#
# Of the table of functions those that this version had, and @also.

function number(v,    p)
{
	split(v, p, ".")
	return p[1] * 10000 + p[2] * 100 + p[3]
}

function export(name)
{
	print "\t\t" name "; p" name ";"
}

BEGIN {
	print "{\n\tglobal:"
}

/^2\./ && number($1) <= number(version) && match($0, /nccl[A-Z][A-Za-z0-9]*\(/) {
	export(substr($0, RSTART, RLENGTH - 1))
}

END {
	n = split(also, name, " ")
	for (i = 1; i <= n; i++)
		export(name[i])
	print "\tlocal: *;\n};"
}
