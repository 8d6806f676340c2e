/* SPDX-License-Identifier: BSD-3-Clause */
/* hydra.c - the options of MPICH's mpirun */
#include "config.h"

#include "src/mpirun/grammar.h"

/* The options of version 4.0 that take words; all others take none. */
static const struct pl_grammar_known options[] = {
	{"bind-to", 1},
	{"binding", 1},
	{"bootstrap", 1},
	{"bootstrap-exec", 1},
	{"configfile", 1},
	{"demux", 1},
	{"env", 2},
	{"envlist", 1},
	{"errfile", 1},
	{"errfile-pattern", 1},
	{"f", 1},
	{"g", 1},
	{"genv", 2},
	{"genvlist", 1},
	{"gpus-per-proc", 1},
	{"host", 1},
	{"hostfile", 1},
	{"hostlist", 1},
	{"hosts", 1},
	{"iface", 1},
	{"launcher", 1},
	{"launcher-exec", 1},
	{"localhost", 1},
	{"machine", 1},
	{"machinefile", 1},
	{"machinelist", 1},
	{"machines", 1},
	{"map-by", 1},
	{"membind", 1},
	{"n", 1},
	{"nameserver", 1},
	{"np", 1},
	{"order-nodes", 1},
	{"outfile", 1},
	{"outfile-pattern", 1},
	{"output-from", 1},
	{"ppn", 1},
	{"prepend-pattern", 1},
	{"rmk", 1},
	{"topolib", 1},
	{"usize", 1},
	{"wdir", 1},
};

int pl_grammar_hydra(struct pl_grammar *g, struct pl_err *err)
{
	g->hydra = g->equals = true;
	return pl_grammar_add_known(g, options, sizeof(options) / sizeof(options[0]), err);
}
