# SPDX-License-Identifier: BSD-3-Clause
# generate.awk - C from the table of NCCL's functions
#
#     awk -v make=prototypes -f generate.awk functions >prototypes.h
#     awk -v make=calls -f generate.awk functions >calls.h
#     awk -v make=forward -f generate.awk functions >forward.c
#
# prototypes: ncclX and pncclX of every function, for who defines or calls them.
# calls: struct pl_nccl_calls, a pointer to each real function.
# forward: that table, and ncclX and pncclX of what is only handed on.
# A line of the table that is not understood is an error.

function fail(text)
{
	print "generate.awk: " FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}

# "const void *sendbuff" -> "sendbuff"
function name_of(parameter)
{
	if (!match(parameter, /[A-Za-z_][A-Za-z_0-9]*$/))
		fail("no name in \"" parameter "\"")
	return substr(parameter, RSTART)
}

# "int a, void *b" -> "a, b"
function names_of(parameters,    n, p, i, names)
{
	if (parameters == "void")
		return ""
	n = split(parameters, p, / *, */)
	for (i = 1; i <= n; i++)
		names = names (i > 1 ? ", " : "") name_of(p[i])
	return names
}

# One function of the table: since, how, then the prototype without semicolon.
function row(text,    rest, open)
{
	n++
	since[n] = $1
	how[n] = $2
	rest = text
	gsub(/[ \t]+/, " ", rest)
	sub(/^[^ ]+ [^ ]+ /, "", rest)
	open = index(rest, "(")
	if (since[n] !~ /^2\.[0-9]+(\.[0-9]+)?$/ ||
	    how[n] !~ /^(pass|hand)$/ ||
	    rest !~ /^[^()]*nccl[A-Z][A-Za-z0-9]*\([^()]+\)$/)
		fail("cannot read \"" text "\"")
	parameters[n] = substr(rest, open + 1, length(rest) - open - 1)
	rest = substr(rest, 1, open - 1)
	match(rest, /nccl[A-Za-z0-9]+$/)
	name[n] = substr(rest, RSTART)
	bare[n] = substr(name[n], 5)
	type[n] = substr(rest, 1, RSTART - 1)
	arguments[n] = names_of(parameters[n])
	if (name[n] in seen)
		fail(name[n] " is there twice")
	seen[name[n]] = 1
}

/^#/ || (!pending && /^[ \t]*$/) {
	next
}

{
	if ((/^[ \t]/ && !pending) || (/^[^ \t]/ && pending))
		fail("cannot read \"" $0 "\"")
	pending = pending " " $0
}

/;[ \t]*$/ {
	sub(/;[ \t]*$/, "", pending)
	$0 = pending
	sub(/^ /, "", pending)
	row(pending)
	pending = ""
}

function head(file, what)
{
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* " file " - " what "; made by generate.awk */"
}

function make_prototypes(    i)
{
	head("prototypes.h", "every public function of NCCL")
	print "#ifndef PLINK_SHIM_NCCL_PROTOTYPES_H"
	print "#define PLINK_SHIM_NCCL_PROTOTYPES_H\n"
	print "#include \"shim/nccl/nccl-abi.h\"\n"
	for (i = 1; i <= n; i++) {
		print type[i] name[i] "(" parameters[i] ");"
		print type[i] "p" name[i] "(" parameters[i] ");"
	}
	print "\n#endif"
}

function make_calls(    i)
{
	head("calls.h", "a pointer to each function of the real library")
	print "#ifndef PLINK_SHIM_NCCL_CALLS_H"
	print "#define PLINK_SHIM_NCCL_CALLS_H\n"
	print "#include \"shim/nccl/nccl-abi.h\"\n"
	print "struct pl_nccl_calls {"
	for (i = 1; i <= n; i++)
		print "\t" type[i] "(*" bare[i] ")(" parameters[i] ");"
	print "};\n\n#endif"
}

# What stands in the table before the real library has been looked for.
function make_first(i)
{
	printf "\nstatic %sfirst_%s(%s)\n{\n", type[i], bare[i], parameters[i]
	print "\tpl_nccl_open();"
	printf "\t%sPL_NCCL(%s)(%s);\n}\n", type[i] == "void " ? "" : "return ", \
		bare[i], arguments[i]
}

# And where it has been looked for and does not have this one.
function make_lacking(i,    count, p, j, result)
{
	result = type[i]
	gsub(/[ *]+/, "_", result)
	sub(/_$/, "", result)
	printf "\nstatic %slacking_%s(%s)\n{\n", type[i], bare[i], parameters[i]
	count = parameters[i] == "void" ? 0 : split(arguments[i], p, ", ")
	for (j = 1; j <= count; j++)
		print "\t(void)" p[j] ";"
	printf "\t%spl_lacking_%s(\"%s\");\n}\n", \
		type[i] == "void " ? "" : "return ", result, name[i]
}

function make_forwarder(i)
{
	printf "\n%sp%s(%s)\n{\n", type[i], name[i], parameters[i]
	printf "\t%sPL_NCCL(%s)(%s);\n}\n", type[i] == "void " ? "" : "return ", \
		bare[i], arguments[i]
	print "PL_NCCL_ALIAS(" name[i] ")"
}

function make_forward(    i)
{
	head("forward.c", "what goes to the real library as it is")
	print "#include \"config.h\"\n"
	print "#include \"shim/nccl/real.h\""
	print "#include \"shim/nccl/lacking.h\""
	print "#include \"shim/nccl/prototypes.h\""
	for (i = 1; i <= n; i++) {
		make_first(i)
		make_lacking(i)
		if (how[i] == "pass")
			make_forwarder(i)
	}
	print "\nstruct pl_nccl_calls pl_nccl = {"
	for (i = 1; i <= n; i++)
		print "\t." bare[i] " = first_" bare[i] ","
	print "};\n\nconst struct pl_nccl_name pl_nccl_names[] = {"
	for (i = 1; i <= n; i++)
		print "\t{\"" name[i] "\", offsetof(struct pl_nccl_calls, " \
			bare[i] "),\n\t (void (*)(void))lacking_" bare[i] "},"
	print "\t{0, 0, 0},\n};"
}

END {
	if (failed)
		exit 1
	if (pending)
		fail("the last prototype does not end")
	if (make == "prototypes")
		make_prototypes()
	else if (make == "calls")
		make_calls()
	else if (make == "forward")
		make_forward()
	else
		fail("make what?")
}
