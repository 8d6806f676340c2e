/* SPDX-License-Identifier: BSD-3-Clause */
/* prrte.c - the options of Open MPI 5's mpirun, which is PRRTE's */
#include "config.h"

#include "src/mpirun/grammar.h"

/* The options of version 5.0 that take words; all others take none. */
static const struct pl_grammar_known options[] = {
	{"H", 1},
	{"N", 1},
	{"am", 1},
	{"app", 1},
	{"arch", 1},
	{"bind-to", 1},
	{"c", 1},
	{"cpu-list", 1},
	{"cpu-set", 1},
	{"cpus-per-proc", 1},
	{"cpus-per-rank", 1},
	{"default-hostfile", 1},
	{"display", 1},
	{"display-topo", 1},
	{"dvm", 1},
	{"file", 1},
	{"forward-signals", 1},
	{"gmca", 2},
	{"gomca", 2},
	{"host", 1},
	{"hostfile", 1},
	{"initial-errhandler", 1},
	{"launch-agent", 1},
	{"machinefile", 1},
	{"map-by", 1},
	{"max-restarts", 1},
	{"max-vm-size", 1},
	{"mca", 2},
	{"n", 1},
	{"np", 1},
	{"npernode", 1},
	{"npersocket", 1},
	{"omca", 2},
	{"output", 1},
	{"output-directory", 1},
	{"output-filename", 1},
	{"path", 1},
	{"personality", 1},
	{"pmixmca", 2},
	{"ppr", 1},
	{"prefix", 1},
	{"preload-files", 1},
	{"prtemca", 2},
	{"pset", 1},
	{"rank-by", 1},
	{"rankfile", 1},
	{"report-pid", 1},
	{"report-uri", 1},
	{"runtime-options", 1},
	{"spawn-timeout", 1},
	{"stdin", 1},
	{"stream-buffering", 1},
	{"timeout", 1},
	{"tmpdir", 1},
	{"tune", 1},
	{"wd", 1},
	{"wdir", 1},
	{"with-ft", 1},
	{"x", 1},
	{"xterm", 1},
};

int pl_grammar_prrte(struct pl_grammar *g, struct pl_err *err)
{
	g->equals = true;
	return pl_grammar_add_known(g, options, sizeof(options) / sizeof(options[0]), err);
}
