/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden.c - launchers and options that keep the numbers they have: plink-exec changes those of its
 * own command and its environment */
#include "config.h"

#include "src/exec/hidden.h"

#include "base/text/text.h"
#include "base/text/words.h"
#include "src/exec/commands.h"
#include "src/exec/lightgbm.h"
#include "src/exec/program.h"
#include "src/exec/torchrun.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SCRIPT_MAX ((size_t)1 << 20)

/* Scripts that start scripts, texts in texts. */
#define DEPTH_MAX 6

/* Where words stand, and what is looked for in them. */
struct look {
	int (*judge)(const struct look *look, char *const *words, struct pl_err *err);
	const struct pl_seat *seat;       /* for options */
	const struct pl_changes *changes; /* for options */
	const char *starter;              /* of the words; NULL: plink-exec itself */
	struct pl_place place;
	int depth;
};

static int visit(const struct look *look, char *const *words, struct pl_err *err);

static int visit_text(const struct look *look, const char *text, struct pl_err *err)
{
	struct pl_words words = {0};
	struct look inner = *look;
	struct pl_commands commands;
	int rc = pl_commands_init(&commands, text, err);

	inner.depth++;
	while (rc == 0 && pl_commands_next(&commands, &words)) {
		if (!look->place.line && look->place.file)
			inner.place.line = commands.line;
		rc = visit(&inner, words.v, err);
	}
	if (rc == 0 && words.failed)
		rc = pl_err_nomem(err);
	pl_words_fini(&words);
	pl_commands_fini(&commands);
	return rc;
}

/* A file that a shell could not run either is left to the shell. */
static int visit_file(const struct look *look, const char *path, struct pl_err *err)
{
	struct pl_err why = {0};
	struct look inner = *look;
	struct pl_text text;
	int rc;

	if (access(path, R_OK))
		return 0;
	if (pl_text_load_file(&text, path, SCRIPT_MAX, &why)) {
		if (why.code != PL_ESYSTEM)
			return 0;
		*err = why;
		return -1;
	}
	inner.starter = path;
	inner.place = (struct pl_place){.file = path};
	rc = visit_text(&inner, text.data, err);
	pl_text_fini(&text);
	return rc;
}

/* Words that are not looked into: plink-exec changes what stands behind it, the others start
 * nothing. */
static bool is_end(char *const *words)
{
	static const char *const names[] = {"plink-exec", "activate", "cd",      "echo",
					    "git",        "grep",     "install", "ls",
					    "pip",        "pip3",     "printf"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(pl_program_name(words), names[i]) == 0)
			return true;
	return false;
}

/* The text in a word that a shell may run later: what a variable is set to, or several words in
 * one; NULL: neither. */
static const char *text_in(const char *word)
{
	size_t len = 0;

	while (isalnum((unsigned char)word[len]) || word[len] == '_')
		len++;
	if (len > 0 && word[len] == '=')
		return word + len + 1;
	return strpbrk(word, " \t\n") ? word : NULL;
}

/* Judges the words, and those of the shell that they start. */
static int visit(const struct look *look, char *const *words, struct pl_err *err)
{
	struct look inner = *look;
	struct pl_program_run run;

	if (look->judge(look, words, err))
		return -1;
	if (look->depth >= DEPTH_MAX)
		return 0;
	for (size_t i = 0; words[i] && !is_end(words + i); i++) {
		const char *text = text_in(words[i]);

		inner.starter = look->starter ? look->starter : words[0];
		if (text && visit_text(&inner, text, err))
			return -1;
		if (pl_program_python(words + i, &run))
			return 0;
		if (!pl_program_shell(words + i, &run))
			continue;
		inner.starter = words[i];
		if (run.text)
			return visit_text(&inner, run.text, err);
		return run.script ? visit_file(&inner, run.script, err) : 0;
	}
	return strchr(words[0], '/') && pl_program_is_script(words[0])
		       ? visit_file(look, words[0], err)
		       : 0;
}

/*
 * Launchers
 */

/* Those whose arguments plink-exec cannot change. */
static const struct launcher {
	const char *name;   /* of the program */
	const char *word;   /* that stands behind it; NULL: any */
	const char *module; /* how those of Python begin; NULL: none */
	/* how it starts plink-exec, and what else helps */
	const char *options, *command, *also;
} launchers[] = {
	{"deepspeed", NULL, "deepspeed.launcher.", "--no_python --no_local_rank", "python3 SCRIPT",
	 "; or give it a host file in the plan's order"},
	{"accelerate", "launch", "accelerate.commands.", "launch --no_python", "python3 SCRIPT",
	 "; or start SCRIPT by torchrun"},
	{"accelerate-launch", NULL, NULL, "--no_python", "python3 SCRIPT",
	 "; or start SCRIPT by torchrun"},
	{"mpirun", NULL, NULL, "...", "COMMAND", "; programs with MPI have plink-mpirun(1)"},
	{"mpiexec", NULL, NULL, "...", "COMMAND", "; programs with MPI have plink-mpirun(1)"},
	{"orterun", NULL, NULL, "...", "COMMAND", "; programs with MPI have plink-mpirun(1)"},
	{"prterun", NULL, NULL, "...", "COMMAND", "; programs with MPI have plink-mpirun(1)"},
	{"srun", NULL, NULL, "...", "COMMAND", ""},
};

/* "mpirun", or "mpirun.openmpi", as distributions have several. */
static bool is_named(const struct launcher *l, const char *name)
{
	const size_t len = strlen(l->name);

	return strncmp(name, l->name, len) == 0 && (!name[len] || name[len] == '.');
}

static const struct launcher *find(char *const *words)
{
	const char *name = pl_program_name(words);
	struct pl_program_run run;

	pl_program_python(words, &run);
	for (size_t i = 0; i < sizeof(launchers) / sizeof(*launchers); i++) {
		const struct launcher *l = &launchers[i];

		if (run.module && l->module &&
		    strncmp(run.module, l->module, strlen(l->module)) == 0)
			return l;
		if (is_named(l, name) && (!l->word || (words[1] && strcmp(words[1], l->word) == 0)))
			return l;
	}
	return NULL;
}

/* The launcher that the words begin with, of those that plink-exec can
 * change. */
static const char *changeable(char *const *words)
{
	if (pl_torchrun_is(words) || pl_torchrun_is_module(words[0]))
		return "torchrun";
	return strcmp(pl_program_name(words), "lightgbm") == 0 && pl_lightgbm_is(words) ? "lightgbm"
											: NULL;
}

static int refuse(const struct look *look, const char *starter, const char *name,
		  struct pl_err *err)
{
	if (look->starter)
		starter = look->starter;
	return pl_err_at(err, look->place,
			 "%s starts %s, and plink-exec changes the arguments of its own command "
			 "only: let %s start \"plink-exec --plan=PLAN %s ...\"",
			 starter, name, starter, name);
}

/* Python's text is not read: the names are enough. */
static int judge_python(const struct look *look, char *const *words, const char *text,
			struct pl_err *err)
{
	return strstr(text, "torchrun") || strstr(text, "torch.distributed.run") ||
			       strstr(text, "torch.distributed.launch")
		       ? refuse(look, words[0], "torchrun", err)
		       : 0;
}

static int refuse_launcher(const struct look *look, const struct launcher *l, struct pl_err *err)
{
	return pl_err_at(err, look->place,
			 "%s starts the processes and numbers them: run it without plink-exec, and "
			 "each process with plink-exec, by \"%s %s plink-exec --plan=PLAN %s\"%s",
			 l->name, l->name, l->options, l->command, l->also);
}

static int judge_launchers(const struct look *look, char *const *words, struct pl_err *err)
{
	for (size_t i = 0; words[i] && !is_end(words + i); i++) {
		const char *known = changeable(words + i);
		const struct launcher *l = find(words + i);
		struct pl_program_run run;

		if (known)
			return refuse(look, words[0], known, err);
		if (pl_program_python(words + i, &run) && run.script && !l)
			l = find(words + i + run.n - 1);
		if (l)
			return refuse_launcher(look, l, err);
		if (run.text)
			return judge_python(look, words + i, run.text, err);
		if (run.script)
			return 0;
	}
	return 0;
}

int pl_hidden_check_launchers(char *const *command, struct pl_err *err)
{
	const struct look look = {.judge = judge_launchers};

	return pl_torchrun_is(command) || pl_lightgbm_is(command) ? 0 : visit(&look, command, err);
}

/*
 * Options
 */

enum names {
	HOST,
	MAYBE_HOST, /* if other options say where processes meet */
	LEADER,
	LEADER_URL,
};

static const struct option {
	const char *name; /* with '-' or '_' between its words */
	enum names names;
} options[] = {
	{"--node-rank", HOST},         {"--machine-rank", HOST},
	{"--rank", MAYBE_HOST},        {"--shard-id", MAYBE_HOST},
	{"--master-addr", LEADER},     {"--main-process-ip", LEADER},
	{"--main-address", LEADER},    {"--dist-init-addr", LEADER},
	{"--rdzv-endpoint", LEADER},   {"--dist-url", LEADER_URL},
	{"--init-method", LEADER_URL}, {"--distributed-init-method", LEADER_URL},
};

static const struct option *find_option(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *name = options[i].name;
		size_t k = 0;

		while (k < len && name[k] &&
		       (word[k] == name[k] || (word[k] == '_' && name[k] == '-')))
			k++;
		if (k == len && !name[k])
			return &options[i];
	}
	return NULL;
}

/* Do the words say where processes meet? */
static bool has_leader(char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		const struct option *o = find_option(words[i], strcspn(words[i], "="));

		if (o && o->names >= LEADER)
			return true;
	}
	return false;
}

/* "HOST", "HOST:PORT" or "[HOST]:PORT", of the plan's first host? */
static bool is_leader(const struct pl_seat *seat, const char *s)
{
	const struct pl_plan *plan = seat->plan;
	const struct pl_host *h = &plan->hosts.v[plan->order[0].host_at[0]];
	const char *const names[] = {h->addr, h->name, h->node};

	s += *s == '[';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t len = names[i] ? strlen(names[i]) : 0;

		if (len && strncasecmp(s, names[i], len) == 0 && (!s[len] || strchr(":]/", s[len])))
			return true;
	}
	return false;
}

/* What the variable becomes; NULL: it stays. */
static const char *changed(const struct pl_changes *changes, const char *name, size_t len)
{
	for (size_t i = 0; i < changes->n; i++)
		if (strlen(changes->v[i].name) == len &&
		    strncmp(changes->v[i].name, name, len) == 0)
			return changes->v[i].is;
	return NULL;
}

/* "$NAME" or "${NAME}" has a value that follows the plan, or one that the text itself computes. */
static bool variable_follows(const struct pl_changes *changes, const char *s)
{
	size_t len = 0;
	char name[64];

	s += *s == '{';
	while (isalnum((unsigned char)s[len]) || s[len] == '_')
		len++;
	if (len == 0)
		return !*s || !strchr("@*", *s);
	if (isdigit((unsigned char)*s))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)len, s);
	return changed(changes, s, len) || !getenv(name);
}

static bool value_follows(const struct look *look, const char *value, enum names names,
			  const char *want)
{
	static const char tcp[] = "tcp://";
	const bool is_url = strncmp(value, tcp, strlen(tcp)) == 0;

	if (names == LEADER_URL && !is_url && *value != '$')
		return true;
	if (names == LEADER_URL && is_url)
		value += strlen(tcp);
	if (*value == '$' && look->starter)
		return variable_follows(look->changes, value + 1);
	return names < LEADER ? strcmp(value, want) == 0 : is_leader(look->seat, value);
}

static int refuse_option(const struct look *look, const char *word, size_t len, const char *value,
			 const char *want, struct pl_err *err)
{
	return pl_err_at(err, look->place,
			 "%.*s is %s, and by the plan it is %s: leave that argument out, or let a "
			 "shell that plink-exec starts take it from a variable that follows the "
			 "plan, as in sh -c '... --node_rank=$NODE_RANK'",
			 (int)len, word, value, want);
}

/* Options; and "NAME=VALUE" of a variable that has just changed, as for
 * env(1). A shell's text may have it for the case that there is none. */
static int judge_options(const struct look *look, char *const *words, struct pl_err *err)
{
	char pos[24];

	snprintf(pos, sizeof(pos), "%zu", look->seat->pos);
	for (size_t i = 0; words[i] && !is_end(words + i); i++) {
		const char *word = words[i];
		const size_t len = strcspn(word, "=");
		const char *value = word[len] ? word + len + 1 : words[i + 1];
		const struct option *o = find_option(word, len);
		const char *want = look->starter ? NULL : changed(look->changes, word, len);

		if (want && word[len] && strcmp(value, want) != 0)
			return refuse_option(look, word, len, value, want, err);
		if (!o || !value || (o->names == MAYBE_HOST && !has_leader(words)))
			continue;
		want = o->names < LEADER ? pos : look->seat->leader;
		if (!value_follows(look, value, o->names, want))
			return refuse_option(look, word, len, value, want, err);
	}
	return 0;
}

int pl_hidden_check_options(char *const *words, const struct pl_seat *seat,
			    const struct pl_changes *changes, struct pl_err *err)
{
	const struct look look = {.judge = judge_options, .seat = seat, .changes = changes};

	return words[0] ? visit(&look, words, err) : 0;
}
