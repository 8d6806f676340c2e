# SPDX-License-Identifier: BSD-3-Clause
# generate.awk - a wrapper for each function of mpi.h that takes an MPI_Comm by value
#
#     cc -E -P open-mpi.h | awk -v by_hand="Abort Comm_get_attr ..." -f generate.awk
#
# Each wrapper hands MPI_COMM_WORLD over as the permuted world (world.h). Those
# named in by_hand are left out: they are written elsewhere, or left alone.
# A name there that the header does not have is an error, and so is a prototype
# that is not understood.

BEGIN {
	n_by_hand = split(by_hand, words, " ")
	for (i = 1; i <= n_by_hand; i++)
		hand["MPI_" words[i]] = 1
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* wrappers.c - made by generate.awk from the installed mpi.h */"
	print "#include \"config.h\"\n"
	print "#include \"shim/mpi/world.h\""
}

function fail(text)
{
	print "generate.awk: " text >"/dev/stderr"
	failed = 1
	exit 1
}

# "const int counts[]" -> "counts"
function name_of(parameter)
{
	gsub(/\[[^]]*\]/, "", parameter)
	if (!match(parameter, /[A-Za-z_][A-Za-z_0-9]*[ \t]*$/))
		fail("no name in \"" parameter "\"")
	parameter = substr(parameter, RSTART)
	sub(/[ \t]+$/, "", parameter)
	return parameter
}

function wrap(name, parameters,    n, p, i, arguments, takes)
{
	n = split(parameters, p, /,/)
	for (i = 1; i <= n; i++) {
		takes = p[i] ~ /^ *MPI_Comm +[A-Za-z_0-9]+ *$/
		arguments = arguments (i > 1 ? ", " : "") \
			(takes ? "pl_mpi_enter(" name_of(p[i]) ")" : name_of(p[i]))
	}
	printf "\nint P%s(%s)\n{\n", name, parameters
	printf "\treturn PL_MPI_NEXT(P%s)(%s);\n}\n", name, arguments
	printf "PL_MPI_ALIAS(%s)\n", name
	n_made++
}

# One declaration, without its end.
function declaration(text,    name, parameters)
{
	gsub(/__attribute__ *\(\([^()]*(\([^()]*\))*[^()]*\)\)/, "", text)
	gsub(/[ \t]+/, " ", text)
	gsub(/^ | $/, "", text)
	if (text ~ /^typedef / || text !~ /[(,] ?MPI_Comm [A-Za-z_]/ ||
	    !match(text, /[ *]MPIX?_[A-Za-z_0-9]+ ?\(/))
		return
	name = substr(text, RSTART + 1, RLENGTH - 2)
	sub(/ $/, "", name)
	parameters = substr(text, RSTART + RLENGTH)
	seen[name] = 1
	if (name in hand)
		return
	if (text !~ /^(extern )?int MPI/ || !sub(/\)$/, "", parameters) ||
	    parameters ~ /[()]/)
		fail("cannot read \"" text "\"")
	wrap(name, parameters)
}

{
	gsub(/"[^"]*"/, "") # of deprecations: may hold what ends a declaration
	pending = pending " " $0
	while (at = index(pending, ";")) {
		declaration(substr(pending, 1, at - 1))
		pending = substr(pending, at + 1)
	}
}

END {
	if (failed)
		exit 1
	for (name in hand)
		if (!(name in seen))
			fail(name " is not in mpi.h, or takes no MPI_Comm")
	if (n_made < 100)
		fail("only " n_made + 0 " functions: is this Open MPI's mpi.h?")
}
