/* SPDX-License-Identifier: BSD-3-Clause */
/* script.c - the lines of shell that a host is asked with */
#include "config.h"

#include "src/doctor/script.h"

#include "base/text/shell.h"
#include "src/doctor/facts.h"

#include <stdio.h>
#include <stdlib.h>

/* The output of a login shell before this may end without a line feed. */
const char pl_doctor_script_hello[] = "echo; echo " PL_DOCTOR_MARK "hello\n";

/* A date(1) without %N prints whole seconds, or the letters. */
const char pl_doctor_script_clock[] = "echo " PL_DOCTOR_MARK "clock $(date +%s.%N </dev/null)\n";

/* No program may read the lines that follow, run for ever, or print too
 * much. */
static const char tools[] = "set -f\n"
			    "t() { \"$@\" </dev/null 2>&1; }\n"
			    "if timeout -k 1 5 true </dev/null >/dev/null 2>&1; then\n"
			    "t() { timeout -k 1 \"$each\" \"$@\" </dev/null 2>&1; }\n"
			    "fi\n"
			    "few() { head -n 3 | cut -c 1-200; }\n"
			    "say() { printf \"%s\\n\" \"" PL_DOCTOR_MARK "$*\" | cut -c 1-250; }\n";

/* MPICH's mpirun is Hydra, and its library differs. The library is loaded as plink-mpirun loads it:
 * by a rank of a job of one. */
static const char questions[] =
	"say node $(uname -n)\n"
	"say machine $(uname -m)\n"
	"test -z \"$agent\" || say agent $(t sh -c \"$agent --version\" | few)\n"
	"f=plink-exec\n"
	"test -x \"$beside/$f\" && f=$beside/$f\n"
	"if command -v \"$f\" >/dev/null; then\n"
	"say plink $(t \"$f\" --version | few)\n"
	"fi\n"
	"if command -v mpirun >/dev/null; then\n"
	"m=$(t mpirun --version | head -n 2 | cut -c 1-200)\n"
	"say mpi $m\n"
	"case $m in *HYDRA*) f=libplink-mpich.so;; *) f=libplink-mpi.so;; esac\n"
	"l=\n"
	"for d in \"$beside\" \"$libdir\"; do\n"
	"test -n \"$l\" || test ! -r \"$d/$f\" || l=$d/$f\n"
	"done\n"
	"h=$beside/plink-mpi-check\n"
	"test -x \"$h\" || h=$libexecdir/plink-mpi-check\n"
	"if test -n \"$l\"; then\n"
	"say shim $(cksum <\"$l\")\n"
	"test ! -x \"$h\" || (unset PMIX_RANK; t env PMI_RANK=0 PMI_SIZE=1 PLINK_PLAN=/dev/null "
	"\"$h\" \"$l\") | while read -r w r k x; do\n"
	"case $w-$k in\n"
	"plink-check-made-for) say shim-for $x;;\n"
	"plink-check-mpi) say shim-mpi $x;;\n"
	"plink-check-library-fault) say shim-fault $x;;\n"
	"esac; done\n"
	"fi\n"
	"fi\n"
	"f=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null </dev/null | sed -n "
	"\"s/.*libnccl[.]so[.]2 .*=> //p\" | head -n 1)\n"
	"test -z \"$f\" || f=$(readlink -f \"$f\")\n"
	"test -z \"$f\" || say nccl ${f##*/}\n"
	"say end\n";

/* "NAME='value'". -1: out of memory. */
static int assign(FILE *to, const char *name, const char *value)
{
	char *quoted = pl_shell_quote(value ? value : "");

	if (!quoted)
		return -1;
	fprintf(to, "%s=%s\n", name, quoted);
	free(quoted);
	return 0;
}

char *pl_doctor_script_facts(const struct pl_doctor_places *places)
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	int bad;

	if (!to)
		return NULL;
	bad = assign(to, "agent", places->agent) || assign(to, "beside", places->beside) ||
	      assign(to, "libdir", places->libdir) || assign(to, "libexecdir", places->libexecdir);
	fprintf(to, "each=%u\n%s%s", places->each_s, tools, questions);
	if (fclose(to) || bad) {
		free(text);
		return NULL;
	}
	return text;
}
