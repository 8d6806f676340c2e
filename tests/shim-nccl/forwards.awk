# SPDX-License-Identifier: BSD-3-Clause
# forwards.awk - a libnccl.so.2 that records its calls, or a program that makes them
#
#     awk -v make=recorder -f forwards.awk prototypes.h >recorder.c
#     awk -v make=caller -f forwards.awk prototypes.h >caller.c
#
# prototypes.h is what shim/nccl/generate.awk makes of the table of functions. Both
# write a line for each call, of what went over (forwards.h): bytes of every
# argument and of the result.

# "const void *sendbuff" -> "sendbuff"
function name_of(parameter)
{
	match(parameter, /[A-Za-z_][A-Za-z_0-9]*$/)
	return substr(parameter, RSTART)
}

/^[^#\/].*[ *]nccl[A-Z][A-Za-z0-9]*\(.*\);$/ {
	n++
	open = index($0, "(")
	parameters[n] = substr($0, open + 1, length($0) - open - 2)
	start = substr($0, 1, open - 1)
	match(start, /nccl[A-Za-z0-9]+$/)
	name[n] = substr(start, RSTART)
	type[n] = substr(start, 1, RSTART - 1)
}

# What a call gives back, unless it is void.
function say_result(i)
{
	return type[i] == "void " ? "" : "&result_, sizeof(result_)"
}

function make_recorder(    i, j, k, p)
{
	for (i = 1; i <= n; i++) {
		printf "\n%s%s(%s)\n{\n", type[i], name[i], parameters[i]
		if (say_result(i))
			print "\t" type[i] "result_;"
		print "\tstruct forward forward_;\n"
		print "\tforward_begin(&forward_, \"" name[i] "\");"
		k = parameters[i] == "void" ? 0 : split(parameters[i], p, /, */)
		for (j = 1; j <= k; j++)
			printf "\tforward_say(&forward_, &%s, sizeof(%s));\n", \
				name_of(p[j]), name_of(p[j])
		if (say_result(i)) {
			print "\tforward_fill(" say_result(i) ", " i ", 0, 0);"
			print "\tforward_result(&forward_, " say_result(i) ");"
		}
		print "\tforward_record(&forward_);"
		if (say_result(i))
			print "\treturn result_;"
		print "}\nALIAS(" name[i] ")"
	}
}

# One that calls the function by one of its names, with arguments of that name's.
function make_call(i, prefix,    j, k, p, which, names)
{
	which = prefix == "" ? 1 : 2
	printf "\nstatic void call_%s%s(void)\n{\n", prefix, name[i]
	k = parameters[i] == "void" ? 0 : split(parameters[i], p, /, */)
	for (j = 1; j <= k; j++)
		print "\t" p[j] ";"
	if (say_result(i))
		print "\t" type[i] "result_;"
	print "\tstruct forward forward_;\n"
	print "\tforward_begin(&forward_, \"" name[i] "\");"
	for (j = 1; j <= k; j++) {
		printf "\tforward_fill(&%s, sizeof(%s), %d, %d, %d);\n", \
			name_of(p[j]), name_of(p[j]), i, j, which
		printf "\tforward_say(&forward_, &%s, sizeof(%s));\n", \
			name_of(p[j]), name_of(p[j])
		names = names (j > 1 ? ", " : "") name_of(p[j])
	}
	printf "\t%s%s%s(%s);\n", say_result(i) ? "result_ = " : "", prefix, \
		name[i], names
	if (say_result(i))
		print "\tforward_result(&forward_, " say_result(i) ");"
	print "\tforward_print(&forward_);\n}"
}

function make_caller(    i)
{
	for (i = 1; i <= n; i++) {
		make_call(i, "")
		make_call(i, "p")
	}
	print "\nint main(void)\n{"
	for (i = 1; i <= n; i++)
		print "\tcall_" name[i] "();\n\tcall_p" name[i] "();"
	print "\treturn 0;\n}"
}

END {
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* " make ".c - made by forwards.awk */"
	print "#include \"tests/shim-nccl/forwards.h\""
	if (make == "recorder") {
		print "#define ALIAS(name) __typeof__(name) p##name \\"
		print "\t__attribute__((alias(#name)));"
		make_recorder()
	} else {
		make_caller()
	}
}
