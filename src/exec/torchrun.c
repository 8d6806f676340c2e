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

/* What the user has set, on the command line or else by a variable; "" is nothing. */
struct said {
	const char *n_nodes, *backend, *endpoint, *standalone;
};

/* Where an option's value goes. */
enum effect {
	NONE, /* it stays as it is */
	ANEW, /* away: the plan's is written */
	N_NODES,
	BACKEND,
	ENDPOINT, /* its host is written anew */
	STANDALONE,
};

/* All options of torchrun and of torch.distributed.launch, whatever the version. */
static const struct option {
	const char *name;
	bool is_flag; /* without a value */
	enum effect effect;
} options[] = {
	{.name = "--nnodes", .effect = N_NODES},
	{.name = "--node_rank", .effect = ANEW},
	{.name = "--master_addr", .effect = ANEW},
	{.name = "--rdzv_backend", .effect = BACKEND},
	{.name = "--rdzv_endpoint", .effect = ENDPOINT},
	{.name = "--standalone", .is_flag = true, .effect = STANDALONE},
	{.name = "--help", .is_flag = true},
	{.name = "--module", .is_flag = true},
	{.name = "--no_python", .is_flag = true},
	{.name = "--run_path", .is_flag = true},
	{.name = "--use_env", .is_flag = true},
	{.name = "--virtual_local_rank", .is_flag = true},
	{.name = "--duplicate_stderr_filters"},
	{.name = "--duplicate_stdout_filters"},
	{.name = "--event_log_handler"},
	{.name = "--local_addr"},
	{.name = "--local_ranks_filter"},
	{.name = "--log_dir"},
	{.name = "--log_line_prefix_template"},
	{.name = "--logdir"},
	{.name = "--logs_specs"},
	{.name = "--master_port"},
	{.name = "--max_restarts"},
	{.name = "--monitor_interval"},
	{.name = "--nproc_per_node"},
	{.name = "--numa_binding"},
	{.name = "--rdzv_conf"},
	{.name = "--rdzv_id"},
	{.name = "--redirects"},
	{.name = "--role"},
	{.name = "--shutdown_timeout"},
	{.name = "--signals_to_handle"},
	{.name = "--start_method"},
	{.name = "--tee"},
};

/* An option in the command line. */
struct given {
	const char *word, *value; /* "" if there is no value */
	size_t len;               /* of its name in the word */
	size_t n;                 /* words, with the value */
	enum effect effect;
};

/* Its starter, or the file of its module, as Python's script. */
static bool is_script(const char *path)
{
	static const char *const tails[] = {"/torchrun", "/torch/distributed/run.py",
					    "/torch/distributed/launch.py"};

	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		const size_t len = strlen(path), tail = strlen(tails[i]);

		if (len >= tail && strcmp(path + len - tail, tails[i]) == 0)
			return true;
	}
	return strcmp(path, "torchrun") == 0;
}

bool pl_torchrun_is_module(const char *module)
{
	return strcmp(module, "torch.distributed.run") == 0 ||
	       strcmp(module, "torch.distributed.launch") == 0;
}

/* How many words start torchrun; 0: the command is another one. */
static size_t launcher_words(char *const *command)
{
	struct pl_program_run run;

	if (strcmp(pl_program_name(command), "torchrun") == 0)
		return 1;
	if (!pl_program_python(command, &run))
		return 0;
	return (run.script && is_script(run.script)) ||
			       (run.module && pl_torchrun_is_module(run.module))
		       ? run.n
		       : 0;
}

bool pl_torchrun_is(char *const *command)
{
	return launcher_words(command) > 0;
}

/* Does @name begin so, with '-' or '_' between its words? */
static bool begins(const char *name, const char *word, size_t len)
{
	if (len > strlen(name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (word[i] != name[i] && !(word[i] == '-' && name[i] == '_'))
			return false;
	return true;
}

/* The option whose name begins so; none is the beginning of another. If
 * several do, torchrun refuses, or has only one of them in its version: that is
 * all the same if they all stay as they are. 0 with *found NULL if there is
 * none; -1 if it could be one that matters. */
static int find(const char *word, size_t len, const struct option **found, struct pl_err *err)
{
	*found = NULL;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *o = &options[i];

		if (!begins(o->name, word, len))
			continue;
		if (!*found)
			*found = o;
		else if ((*found)->effect != o->effect || (*found)->is_flag != o->is_flag)
			return pl_err_set(err, PL_EUSAGE,
					  "torchrun's %.*s could be %s or %s: write the whole name",
					  (int)len, word, (*found)->name, o->name);
	}
	return 0;
}

static int read_long(char *const *at, struct given *given, struct pl_err *err)
{
	const char *next = at[1] && at[1][0] != '-' ? at[1] : NULL;
	const struct option *option;

	if (find(given->word, given->len, &option, err))
		return -1;
	if (option)
		given->effect = option->effect;
	if (given->word[given->len] == '=') {
		given->value = given->word + given->len + 1;
		return 0;
	}
	if (option && option->is_flag)
		return 0;
	if (!option && next)
		return pl_err_set(err, PL_EUSAGE,
				  "plink-exec does not know torchrun's %s: write its value as "
				  "%s=VALUE, or another option behind it if it has none",
				  given->word, given->word);
	if (option && !next)
		return pl_err_set(err, PL_EUSAGE, "torchrun's %s has no value", given->word);
	given->n += next != NULL;
	if (next)
		given->value = next;
	return 0;
}

/* As "-m", "-r3", "-t 3". */
static void read_short(char *const *at, struct given *given)
{
	const char *valued = strpbrk(at[0] + 1, "rt");

	if (valued && !valued[1] && at[1])
		given->n++;
}

/* Reads the options up to the script: *script is its index. */
static int take_options(struct said *said, char *const *command, size_t at, struct pl_words *kept,
			size_t *script, struct pl_err *err)
{
	const char **const to[] = {[N_NODES] = &said->n_nodes,
				   [BACKEND] = &said->backend,
				   [ENDPOINT] = &said->endpoint,
				   [STANDALONE] = &said->standalone};

	while (command[at] && command[at][0] == '-' && strcmp(command[at], "--") != 0) {
		const char *word = command[at];
		struct given given = {.word = word, .value = "", .len = strcspn(word, "="), .n = 1};

		if (word[1] != '-')
			read_short(command + at, &given);
		else if (read_long(command + at, &given, err))
			return -1;
		if (given.effect > ANEW)
			*to[given.effect] = given.effect == STANDALONE ? "1" : given.value;
		if (given.effect != ANEW && !(given.effect == ENDPOINT && *given.value))
			pl_words_add_all(kept, command + at, given.n);
		at += given.n;
	}
	*script = at;
	return 0;
}

static void take_variables(struct said *said)
{
	if (!said->n_nodes)
		said->n_nodes = getenv("PET_NNODES");
	if (!said->backend)
		said->backend = getenv("PET_RDZV_BACKEND");
	if (!said->endpoint)
		said->endpoint = getenv("PET_RDZV_ENDPOINT");
	if (!said->standalone)
		said->standalone = getenv("PET_STANDALONE");
}

/* Does torchrun number the hosts as it is told? */
static int check_backend(const struct said *said, struct pl_err *err)
{
	if (said->standalone && *said->standalone && strcmp(said->standalone, "0") != 0)
		return pl_err_set(err, PL_EPARTIAL,
				  "torchrun --standalone (PET_STANDALONE) runs on one host alone: "
				  "there is nothing to order");
	if (said->backend && *said->backend && strcmp(said->backend, "static") != 0)
		return pl_err_set(err, PL_EPARTIAL,
				  "torchrun's rendezvous by %s numbers hosts as it likes, by their "
				  "names: leave --rdzv_backend (PET_RDZV_BACKEND) out, and give "
				  "--nnodes, --node_rank, --master_addr and --master_port instead, "
				  "or keep it and number what it starts: \"torchrun ... "
				  "--no_python plink-exec --plan=PLAN python3 SCRIPT\"",
				  said->backend);
	return 0;
}

/* "4", or "4:4" from the least to the most. */
static int check_nodes(const char *name, const char *n_nodes, size_t n_hosts, struct pl_err *err)
{
	const size_t len = strcspn(n_nodes, ":");
	const char *most = n_nodes[len] ? n_nodes + len + 1 : n_nodes;
	int64_t n, n_most;

	if (pl_int_parse(n_nodes, len, 1, INT32_MAX, &n) ||
	    pl_int_parse(most, strlen(most), 1, INT32_MAX, &n_most) || (size_t)n != n_hosts ||
	    n_most != n)
		return pl_err_set(err, PL_EPARTIAL, "%s is \"%s\", and the plan has %zu hosts",
				  name, n_nodes, n_hosts);
	return 0;
}

int pl_torchrun_check_variables(const struct pl_seat *seat, struct pl_err *err)
{
	struct said said = {0};

	take_variables(&said);
	if (check_backend(&said, err))
		return -1;
	return said.n_nodes ? check_nodes("PET_NNODES", said.n_nodes, seat->plan->hosts.n, err) : 0;
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

int pl_torchrun_change(char *const *command, const struct pl_seat *seat, struct pl_words *out,
		       char *const **rest, struct pl_err *err)
{
	const size_t n = launcher_words(command);
	struct pl_words kept = {0};
	struct said said = {0};
	size_t script;
	int rc = -1;

	if (take_options(&said, command, n, &kept, &script, err))
		goto out;
	take_variables(&said);
	if (check_backend(&said, err) ||
	    check_nodes("torchrun's --nnodes", said.n_nodes ? said.n_nodes : "1",
			seat->plan->hosts.n, err))
		goto out;
	pl_words_add_all(out, command, n);
	add_numbers(out, &said, seat);
	pl_words_add_all(out, kept.v, kept.n);
	for (size_t i = script; command[i]; i++)
		pl_words_add(out, command[i]);
	*rest = command + script;
	rc = out->failed || kept.failed ? pl_err_nomem(err) : 0;
	if (rc)
		pl_words_fini(out);
out:
	pl_words_fini(&kept);
	return rc;
}
