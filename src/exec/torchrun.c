/* SPDX-License-Identifier: BSD-3-Clause */
/* torchrun.c - torchrun's command line, whose node number has to follow a
 * plan */
#include "config.h"

#include "src/exec/torchrun.h"

#include "base/text/number.h"
#include "src/exec/program.h"
#include "src/exec/where.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the user has set, on the command line or else by a variable. */
struct said {
	const char *n_nodes, *backend, *endpoint;
	bool standalone;
};

/* An option of torchrun: @name with '-' or '_' between its words. */
static bool is_option(const char *word, size_t len, const char *name)
{
	if (len != strlen(name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (word[i] != name[i] && !(word[i] == '-' && name[i] == '_'))
			return false;
	return true;
}

/* Options without a value. */
static bool is_flag(const char *word, size_t len)
{
	static const char *const flags[] = {
		"-m",           "--module",  "--no_python",          "--run_path",
		"--standalone", "--use_env", "--virtual_local_rank", "-h",
		"--help"};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (is_option(word, len, flags[i]))
			return true;
	return false;
}

/* How many words start torchrun; 0: the command is another one. */
static size_t launcher_words(char *const *command)
{
	size_t n;

	if (strcmp(pl_program_name(command), "torchrun") == 0)
		return 1;
	n = pl_program_module(command, "torch.distributed.run");
	return n ? n : pl_program_module(command, "torch.distributed.launch");
}

bool pl_torchrun_is(char *const *command)
{
	return launcher_words(command) > 0;
}

/* Records an option; false if it will be written anew. */
static bool take(struct said *said, const char *word, size_t len, const char *value)
{
	if (is_option(word, len, "--node_rank") || is_option(word, len, "--master_addr"))
		return false;
	if (is_option(word, len, "--rdzv_endpoint")) {
		said->endpoint = value;
		return false;
	}
	if (is_option(word, len, "--nnodes"))
		said->n_nodes = value;
	else if (is_option(word, len, "--rdzv_backend"))
		said->backend = value;
	else if (is_option(word, len, "--standalone"))
		said->standalone = true;
	return true;
}

/* Reads the options up to the script; returns the script's index. */
static size_t take_options(struct said *said, char *const *command, size_t at,
			   struct pl_words *kept)
{
	while (command[at] && command[at][0] == '-' && strcmp(command[at], "--") != 0) {
		const char *word = command[at];
		const size_t len = strcspn(word, "=");
		const bool apart = !word[len] && !is_flag(word, len);
		const size_t n = apart && command[at + 1] ? 2 : 1;

		if (take(said, word, len,
			 word[len] ? word + len + 1 : (n == 2 ? command[at + 1] : "")))
			pl_words_add_all(kept, command + at, n);
		at += n;
	}
	return at;
}

static void take_variables(struct said *said)
{
	if (!said->n_nodes)
		said->n_nodes = getenv("PET_NNODES");
	if (!said->backend)
		said->backend = getenv("PET_RDZV_BACKEND");
	if (!said->endpoint)
		said->endpoint = getenv("PET_RDZV_ENDPOINT");
}

static int check(const struct said *said, size_t n_hosts, struct pl_err *err)
{
	int64_t n;

	if (said->standalone)
		return pl_err_set(err, PL_EPARTIAL,
				  "torchrun --standalone runs on one host "
				  "alone: there is nothing to order");
	if (said->backend && *said->backend && strcmp(said->backend, "static") != 0)
		return pl_err_set(err, PL_EPARTIAL,
				  "torchrun's rendezvous by %s numbers hosts as it "
				  "likes, by their names: leave --rdzv_backend out, and "
				  "give --nnodes, --node_rank, --master_addr and "
				  "--master_port instead, or keep it and number what it "
				  "starts: \"torchrun ... --no_python plink-exec "
				  "--plan=PLAN python3 SCRIPT\"",
				  said->backend);
	if (!said->n_nodes ||
	    pl_int_parse(said->n_nodes, strlen(said->n_nodes), 1, INT32_MAX, &n) ||
	    (size_t)n != n_hosts)
		return pl_err_set(err, PL_EPARTIAL,
				  "torchrun's --nnodes is \"%s\", and the plan "
				  "has %zu hosts",
				  said->n_nodes ? said->n_nodes : "1", n_hosts);
	return 0;
}

static void add_numbers(struct pl_words *out, const struct said *said, const struct pl_seat *seat)
{
	char *endpoint = said->endpoint && *said->endpoint
				 ? pl_where_endpoint(seat->leader, said->endpoint)
				 : NULL;
	char pos[24];

	snprintf(pos, sizeof(pos), "%zu", seat->pos);
	pl_words_add_pair(out, "--node_rank", pos);
	pl_words_add_pair(out, "--master_addr", seat->leader);
	if (endpoint)
		pl_words_add_pair(out, "--rdzv_endpoint", endpoint);
	else if (said->endpoint && *said->endpoint)
		out->failed = true;
	free(endpoint);
}

/* Variables that have the effect of options: none may contradict these. */
static int change_variables(const struct pl_seat *seat, struct pl_changes *changes,
			    struct pl_err *err)
{
	if (getenv("PET_NODE_RANK") &&
	    pl_changes_add_number(changes, "PET_NODE_RANK", (int)seat->pos, err))
		return -1;
	if (getenv("PET_MASTER_ADDR") &&
	    pl_changes_add(changes, "PET_MASTER_ADDR", seat->leader, err))
		return -1;
	return 0;
}

int pl_torchrun_change(char *const *command, const struct pl_seat *seat, struct pl_changes *changes,
		       struct pl_words *out, struct pl_err *err)
{
	const size_t n = launcher_words(command);
	struct pl_words kept = {0};
	struct said said = {0};
	const size_t script = take_options(&said, command, n, &kept);
	int rc = -1;

	take_variables(&said);
	if (check(&said, seat->plan->hosts.n, err) || change_variables(seat, changes, err))
		goto out;
	pl_words_add_all(out, command, n);
	add_numbers(out, &said, seat);
	pl_words_add_all(out, kept.v, kept.n);
	for (size_t i = script; command[i]; i++)
		pl_words_add(out, command[i]);
	rc = out->failed || kept.failed ? pl_err_nomem(err) : 0;
	if (rc)
		pl_words_fini(out);
out:
	pl_words_fini(&kept);
	return rc;
}
