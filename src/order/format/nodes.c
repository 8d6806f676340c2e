/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - launchers that get the number of each host: torchrun, pdsh */
#include "config.h"

#include "src/order/format/format.h"

#include "base/text/shell.h"

#include <stdlib.h>

/* torchrun's own default of --master_port. */
#define MASTER_PORT 29500

static void add_number(struct pl_words *words, const char *name, size_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", n);
	pl_words_add_pair(words, name, text);
}

/* Where rank 0 listens. */
static void add_master(struct pl_words *words, const struct pl_reorder_answer *a, const char *addr,
		       const char *port)
{
	const struct pl_host *first = pl_reorder_host(a, 0);

	pl_words_add_pair(words, addr, first->addr ? first->addr : first->name);
	add_number(words, port, a->o->job_port ? (size_t)a->o->job_port : MASTER_PORT);
}

static int write_torchrun(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++)
		fprintf(out, "%s %zu\n", pl_reorder_host(a, k)->name, k);
	return 0;
}

/* Only the static rendezvous, the default, gives hosts the numbers they ask for. */
static char *command_torchrun(const struct pl_reorder_answer *a, const char *file, const char **who)
{
	char *const name[] = {(char *)file, NULL};
	struct pl_words words = {0};
	char *command, *loop = NULL, *quoted = pl_shell_command(name);

	*who = "torchrun";
	pl_reorder_add_nccl(&words, a, true);
	pl_words_add(&words, "torchrun");
	add_number(&words, "--nnodes", a->in->hosts.n);
	add_number(&words, "--nproc_per_node", (size_t)a->in->hosts.v[0].slots);
	add_master(&words, a, "--master_addr", "--master_port");
	command = pl_reorder_command(&words);
	if (quoted && command &&
	    asprintf(&loop,
		     "while read -r host rank; do ssh -n \"$host\" %s --node_rank=\"$rank\" "
		     "train.py & done <%s; wait",
		     command, quoted) < 0)
		loop = NULL;
	free(command);
	free(quoted);
	return loop;
}

const struct pl_reorder_form pl_form_torchrun = {
	.name = "torchrun",
	.launcher = "torchrun",
	.library = "nccl",
	.file = "ranks",
	.flags = PL_FORM_NO_REPEAT | PL_FORM_EVEN | PL_FORM_JOB_PORT,
	.write = write_torchrun,
	.command = command_torchrun,
};

/* %n is the place in the list; only some of pdsh's modules fill it in. All hosts must run at once:
 * pdsh's default is 32. */
static char *command_pdsh(const struct pl_reorder_answer *a, const char *file, const char **who)
{
	const size_t n = a->in->hosts.n, n_ranks = pl_hosts_ranks(&a->in->hosts);
	struct pl_words words = {0};
	char text[32], list[4096];

	*who = "pdsh";
	snprintf(text, sizeof(text), "%zu", n);
	snprintf(list, sizeof(list), "^%s", file);
	pl_words_add(&words, "pdsh");
	pl_words_add(&words, "-R");
	pl_words_add(&words, "ssh");
	pl_words_add(&words, "-f");
	pl_words_add(&words, text);
	pl_words_add(&words, "-w");
	pl_words_add(&words, list);
	pl_words_add(&words, "env");
	pl_reorder_add_nccl(&words, a, false);
	pl_words_add_pair(&words, n == n_ranks ? "RANK" : "NODE_RANK", "%n");
	add_number(&words, n == n_ranks ? "WORLD_SIZE" : "NNODES", n);
	add_master(&words, a, "MASTER_ADDR", "MASTER_PORT");
	pl_words_add(&words, "./app");
	return pl_reorder_command(&words);
}

const struct pl_reorder_form pl_form_pdsh = {
	.name = "pdsh",
	.launcher = "pdsh",
	.library = "nccl",
	.file = "hosts",
	.flags = PL_FORM_NO_IPV6 | PL_FORM_JOB_PORT,
	.write = pl_reorder_write_names,
	.command = command_pdsh,
};
