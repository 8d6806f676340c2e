/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-exec.c - plink-exec's parts: what they change, and where memory runs
 * out */
#include "config.h"

#include "base/plan/plan.h"
#include "base/text/shell.h"
#include "base/text/words.h"
#include "src/exec/change.h"
#include "src/exec/hidden.h"
#include "src/exec/lightgbm.h"
#include "src/exec/numbers.h"
#include "src/exec/options.h"
#include "src/exec/seat.h"
#include "src/exec/torchrun.h"
#include "src/exec/where.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "# plink-plan 1\n"
			   "host 0 h0 slots=2 node=n0 addr=10.0.0.1\n"
			   "host 1 h1 slots=2 node=n1 addr=10.0.0.2\n"
			   "order allreduce ring thesis 0- : 1 0\n";

static struct pl_plan plan;
static struct pl_seat seat;

/* What a part gave: a line for each change, and the command. */
static char gave[1024];

/* Not while allocations are counted. */
static void note(const struct pl_changes *changes, const struct pl_words *words)
{
	char *line = words->n ? pl_shell_command(words->v) : NULL;
	size_t used = 0;

	gave[0] = '\0';
	for (size_t i = 0; i < changes->n; i++)
		used += (size_t)snprintf(
			gave + used, sizeof(gave) - used, "%s %s -> %s\n", changes->v[i].name,
			changes->v[i].was ? changes->v[i].was : "-", changes->v[i].is);
	snprintf(gave + used, sizeof(gave) - used, "%s", line ? line : "");
	free(line);
}

typedef int part(struct pl_changes *changes, struct pl_words *words, struct pl_err *err);

/* Each allocation is refused once: PL_ESYSTEM, and nothing is left over. */
static void refuse_each(const char *name, part *run, size_t least)
{
	size_t k = 0, wrong = 0, live;
	bool refused;

	do {
		struct pl_changes changes = {0};
		struct pl_words words = {0};
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = run(&changes, &words, &err);
		wrong += (rc == -1 && err.code != PL_ESYSTEM) || (rc == -1 && words.n > 0);
		pl_changes_fini(&changes);
		pl_words_fini(&words);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
	} while (refused);
	ok(k > least, "%s: %zu allocations, each refused once", name, k - 1);
	ok(wrong == 0, "%s: PL_ESYSTEM, and nothing leaks", name);
}

static void check(const char *name, part *run, const char *want, size_t least)
{
	struct pl_changes changes = {0};
	struct pl_words words = {0};
	struct pl_err err = {0};

	ok(run(&changes, &words, &err) == 0, "%s: done", name);
	note(&changes, &words);
	is_str(gave, want, name);
	pl_changes_fini(&changes);
	pl_words_fini(&words);
	refuse_each(name, run, least);
}

static int numbers(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	(void)words;
	return pl_numbers_change(PL_EXEC_ENV, &seat, changes, err);
}

static int where(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	(void)words;
	return pl_where_change(&seat, changes, err);
}

static int slurm(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	(void)words;
	return pl_where_change_slurm(&seat, changes, err);
}

static int torchrun(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	static char *const command[] = {
		"torchrun", "--nnodes=2", "--node_rank", "0", "--rdzv_endpoint=h0:29400",
		"train.py", "--lr=1",     NULL};

	char *const *rest;

	(void)changes;
	return pl_torchrun_change(command, &seat, words, &rest, err);
}

/* Nothing to refuse, which is known after all of it is read. */
static int hidden(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	static char *const command[] = {
		"env", "A=b c", "sh", "-c", "x 'y z' \"\\$A\"; sh -c 'x --node_rank=0'", NULL};

	(void)words;
	return pl_hidden_check_launchers(command, err) ||
			       pl_hidden_check_options(command, &seat, changes, err)
		       ? -1
		       : 0;
}

static int lightgbm(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	static char *const command[] = {"lightgbm",
					"machines=10.0.0.1:1,10.0.0.1:2,10.0.0.2:3,10.0.0.2:4",
					"task=train", NULL};

	(void)changes;
	return pl_lightgbm_change(command, &seat, words, err);
}

static char folder[] = "/tmp/unit-exec-XXXXXX";
static char config_word[96];

static int lightgbm_files(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	char *const command[] = {"lightgbm", config_word, NULL};

	(void)changes;
	return pl_lightgbm_change(command, &seat, words, err);
}

static void write_file(const char *name, const char *s)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(s, f) < 0 || fclose(f))
		abort();
}

static void test_files(void)
{
	char config[64], list[64], words[256];

	if (!mkdtemp(folder))
		abort();
	snprintf(config, sizeof(config), "%s/conf", folder);
	snprintf(list, sizeof(list), "%s/list", folder);
	snprintf(words, sizeof(words), "task = train\nmlist = %s # ours\n", list);
	snprintf(config_word, sizeof(config_word), "config=%s", config);
	write_file(config, words);
	write_file(list, "10.0.0.1 1\n10.0.0.1 2\n10.0.0.2 3\n10.0.0.2 4\n");
	snprintf(words, sizeof(words),
		 "lightgbm %s machines=10.0.0.2:3,10.0.0.2:4,10.0.0.1:1,10.0.0.1:2", config_word);
	check("LightGBM's files", lightgbm_files, words, 10);
	unlink(list);
	unlink(config);
	rmdir(folder);
}

/* Where it is not known by a name its addresses are asked for. */
static int stranger(struct pl_changes *changes, struct pl_words *words, struct pl_err *err)
{
	struct pl_seat nowhere;
	int rc = pl_seat_find(&nowhere, &plan, err);

	(void)changes;
	(void)words;
	/* which is no answer, and none of memory */
	return rc == -1 && err->code == PL_EPARTIAL ? 0 : rc;
}

static void test_environment(void)
{
	setenv("RANK", "3", 1);
	setenv("ROLE_RANK", "3", 1);
	setenv("LOCAL_RANK", "1", 1);
	setenv("GROUP_RANK", "1", 1);
	check("numbers", numbers, "RANK 3 -> 1\nROLE_RANK 3 -> 1\nGROUP_RANK 1 -> 0\n", 8);
	setenv("NODE_RANK", "1", 1);
	setenv("PET_NODE_RANK", "1", 1);
	setenv("MASTER_ADDR", "h0", 1);
	setenv("PET_MASTER_ADDR", "h0", 1);
	setenv("PET_RDZV_ENDPOINT", "h0:4", 1);
	setenv("NCCL_COMM_ID", "10.0.0.1:99", 1);
	check("where", where,
	      "NODE_RANK 1 -> 0\nPET_NODE_RANK 1 -> 0\n"
	      "MASTER_ADDR h0 -> 10.0.0.2\nPET_MASTER_ADDR h0 -> 10.0.0.2\n"
	      "PET_RDZV_ENDPOINT h0:4 -> 10.0.0.2:4\n"
	      "NCCL_COMM_ID 10.0.0.1:99 -> 10.0.0.2:99\n",
	      20);
	setenv("SLURM_JOB_NODELIST", "n[0-1]", 1);
	check("Slurm's nodes", slurm, "SLURM_JOB_NODELIST n[0-1] -> n1,n0\n", 4);
	check("torchrun", torchrun,
	      "torchrun --node_rank=0 --master_addr=10.0.0.2 --rdzv_endpoint=10.0.0.2:29400 "
	      "--nnodes=2 train.py --lr=1",
	      9);
	check("hidden", hidden, "", 15);
}

int main(void)
{
	struct pl_text source;
	struct pl_err err = {0};

	clearenv();
	setenv("PLINK_HOST", "h1", 1);
	if (pl_text_copy(&source, "a plan", text, strlen(text), &err) ||
	    pl_plan_parse(&plan, &source, &err) || pl_seat_find(&seat, &plan, &err)) {
		ok(false, "a plan and a seat: %s", err.text);
		return done_testing();
	}
	pl_text_fini(&source);
	is_int(seat.first_rank, 0, "h1 stands first");
	test_environment();
	check("LightGBM's argument", lightgbm,
	      "lightgbm machines=10.0.0.2:3,10.0.0.2:4,10.0.0.1:1,10.0.0.1:2 task=train", 8);
	test_files();
	unsetenv("PLINK_HOST");
	refuse_each("no host of the plan", stranger, 0);
	pl_plan_fini(&plan);
	return done_testing();
}
