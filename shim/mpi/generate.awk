# SPDX-License-Identifier: BSD-3-Clause
# generate.awk - a wrapper for each function of mpi.h that takes an MPI_Comm by value
#
#     cc -E -P mpi.h | awk -v by_hand="Abort Comm_get_attr ..." \
#         -v timed="Allreduce Bcast ..." -v shadowed="Allreduce ..." \
#         -f generate.awk
#
# Each wrapper hands MPI_COMM_WORLD over as the permuted world (world.h). Those
# named in by_hand are left out: they are written elsewhere, or left alone.
# Those named in timed, and their forms that do not block or are persistent, are
# counted where PLINK_STATS asks for it (stats/stats.h). Those named in shadowed,
# each by its whole name, call pl_mpi_X where the others call the library
# (shadow/calls.h).
# A name there that the header does not have is an error, unless it ends in "?" and
# is in by_hand; so is a prototype that is not understood.

BEGIN {
	n_by_hand = split(by_hand, words, " ")
	for (i = 1; i <= n_by_hand; i++) {
		may_lack = sub(/\?$/, "", words[i])
		hand["MPI_" words[i]] = may_lack ? "may lack" : "has"
	}
	n_timed = split(timed, base, " ")
	for (i = 1; i <= n_timed; i++) {
		count_as("MPI_" base[i], i, 0)
		count_as("MPI_I" tolower(substr(base[i], 1, 1)) \
			substr(base[i], 2), i, 1)
		count_as("MPI_" base[i] "_init", i, 2)
		count_as("MPIX_" base[i] "_init", i, 2)
	}
	n_shadowed = split(shadowed, words, " ")
	for (i = 1; i <= n_shadowed; i++)
		is_shadowed[words[i]] = 1
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* wrappers.c - made by generate.awk from the installed mpi.h */"
	print "#include \"config.h\"\n"
	print "#include \"shim/mpi/shadow/calls.h\""
	print "#include \"shim/mpi/stats/bytes.h\""
	print "#include \"shim/mpi/stats/noise.h\""
	print "#include \"shim/mpi/stats/stats.h\""
	print "#include \"shim/mpi/world.h\""
}

# The form of the i-th that is timed: 0 blocking, 1 nonblocking, 2 persistent.
function count_as(name, i, form)
{
	base_of[name] = base[i]
	number_of[name] = 3 * (i - 1) + form
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

# What does the work of a function.
function called_by(name,    bare)
{
	bare = name
	sub(/^MPIX?_/, "", bare)
	if (!(bare in is_shadowed))
		return "PL_MPI_NEXT(P" name ")"
	made_shadowed[bare] = 1
	return "pl_mpi_" bare
}

# The call itself: the arguments as the program gives them, but the communicators.
function inner(name, n, p,    i, arguments)
{
	for (i = 1; i <= n; i++)
		arguments = arguments (i > 1 ? ", " : "") \
			(is_comm(p[i]) ? "pl_mpi_enter(" name_of(p[i]) ")" : \
			name_of(p[i]))
	return called_by(name) "(" arguments ")"
}

function is_comm(parameter)
{
	return parameter ~ /^ *MPI_Comm +[A-Za-z_0-9]+ *$/
}

function all_arguments(n, p,    i, arguments)
{
	for (i = 1; i <= n; i++)
		arguments = arguments (i > 1 ? ", " : "") name_of(p[i])
	return arguments
}

# What the blocking form is called with: all but the last few of the others.
function common_arguments(n, p)
{
	if (p[n] ~ /MPI_Request *\*/)
		n--
	if (p[n] ~ /^ *MPI_Info /)
		n--
	return all_arguments(n, p)
}

function comm_of(n, p,    i)
{
	for (i = 1; i <= n; i++)
		if (is_comm(p[i]))
			return name_of(p[i])
}

# A function of its own, so that the wrapper remains a jump where nothing is
# counted.
function make_timed(name, parameters, call, n, p)
{
	printf "\nstatic __attribute__((noinline)) int timed_%s(%s)\n{\n", \
		name, parameters
	if (name == "MPI_Allreduce")
		print "\tstruct pl_stats_noise *noise = pl_stats_noise_on ? pl_stats_noise_before(" \
			all_arguments(n, p) ") : 0;"
	print "\tuint64_t ticks = pl_stats_clock();"
	print "\tconst int rc = " call ";\n"
	print "\tticks = pl_stats_clock() - ticks;"
	print "\tif (rc == MPI_SUCCESS)"
	print "\t\tpl_stats_note(" number_of[name] ", " comm_of(n, p) ","
	print "\t\t\tpl_bytes_" base_of[name] "(" common_arguments(n, p) "),"
	print "\t\t\tticks);"
	if (name == "MPI_Allreduce")
		print "\tif (noise)\n\t\tpl_stats_noise_after(noise, rc, " name_of(p[2]) ", " \
			name_of(p[3]) ", " name_of(p[4]) ", " name_of(p[6]) ");"
	print "\treturn rc;\n}"
}

function wrap(name, parameters,    n, p, call)
{
	n = split(parameters, p, /,/)
	call = inner(name, n, p)
	if (name in number_of)
		make_timed(name, parameters, call, n, p)
	printf "\nint P%s(%s)\n{\n", name, parameters
	if (name in number_of) {
		print "\tif (__builtin_expect(pl_stats_on, 0))"
		print "\t\treturn timed_" name "(" all_arguments(n, p) ");"
	}
	printf "\treturn %s;\n}\n", call
	printf "PL_MPI_ALIAS(%s)\n", name
	n_made++
}

# Names as plans have them: MPI_Bcast -> broadcast, MPI_Reduce_scatter ->
# reduce-scatter.
function print_calls(    i, name)
{
	print "\nconst struct pl_stats_call pl_stats_calls[] = {"
	for (i = 1; i <= n_timed; i++) {
		name = base[i] == "Bcast" ? "broadcast" : tolower(base[i])
		gsub(/_/, "-", name)
		printf "\t{\"%s\", \"blocking\"},\n", name
		printf "\t{\"%s\", \"nonblocking\"},\n", name
		printf "\t{\"%s\", \"persistent\"},\n", name
	}
	print "\t{0, 0},\n};"
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
		if (!(name in seen) && hand[name] == "has")
			fail(name " is not in mpi.h, or takes no MPI_Comm")
	for (i = 1; i <= n_timed; i++)
		if (!(("MPI_" base[i]) in seen))
			fail("MPI_" base[i] " is not in mpi.h")
	for (name in is_shadowed)
		if (!(name in made_shadowed))
			fail("MPI_" name " is not in mpi.h")
	if (n_made < 100)
		fail("only " n_made + 0 " functions: is this an mpi.h?")
	print_calls()
}
