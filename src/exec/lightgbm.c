/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - LightGBM's command line, whose list of machines has to follow a plan */
#include "config.h"

#include "src/exec/lightgbm.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "src/exec/machines.h"
#include "src/exec/program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)16 << 20)

/* The list becomes one argument, of which the kernel takes up to 128 KiB. */
#define ARGUMENT_MAX ((size_t)127 << 10)

/* A parameter's names, the one with the highest precedence first. */
static const char *const machines[] = {"machines", "nodes", "workers", NULL};
static const char *const list_file[] = {"machine_list_filename", "mlist", "machine_list",
					"machine_list_file", NULL};
static const char *const config_file[] = {"config", NULL};
static const char *const how_many[] = {"num_machines", "num_machine", NULL};

/* Where parameters can be set, in order of precedence. */
struct said {
	char *const *arguments;
	struct pl_text config; /* empty if there is none */
};

bool pl_lightgbm_is(char *const *command)
{
	return strncmp(pl_program_name(command), "lightgbm", 8) == 0 &&
	       !getenv("OMPI_COMM_WORLD_RANK") && !getenv("PMI_RANK");
}

/* Strips blanks, then quotes, as LightGBM does. */
static struct pl_part strip(const char *s, size_t len)
{
	const struct pl_part bare = pl_part_trim((struct pl_part){s, len}, " \t\v\f\r\n");

	return pl_part_trim(bare, "'\"");
}

/* "name = value" gives the value of that parameter, if it has one. */
static struct pl_part value_of(const char *pair, size_t len, const char *name)
{
	const char *mark = memchr(pair, '=', len);
	struct pl_part key, value;

	if (!mark)
		return (struct pl_part){0};
	key = strip(pair, (size_t)(mark - pair));
	value = strip(mark + 1, len - (size_t)(mark + 1 - pair));
	if (key.len != strlen(name) || memcmp(key.s, name, key.len) != 0 || !value.len ||
	    memchr(value.s, '=', value.len))
		return (struct pl_part){0};
	return value;
}

static struct pl_part in_arguments(char *const *arguments, const char *name)
{
	struct pl_part value = {0};

	for (size_t i = 0; arguments[i] && !value.s; i++)
		value = value_of(arguments[i], strlen(arguments[i]), name);
	return value;
}

static struct pl_part in_config(const struct pl_text *config, const char *name)
{
	struct pl_text text = *config; /* from its start */
	struct pl_part value = {0};
	struct pl_line line;

	while (text.data && !value.s && pl_text_next(&text, &line)) {
		const char *mark = memchr(line.s, '#', line.len);

		value = value_of(line.s, mark ? (size_t)(mark - line.s) : line.len, name);
	}
	return value;
}

static struct pl_part find(const struct said *said, const char *const *names)
{
	struct pl_part value = {0};

	for (size_t i = 0; names[i] && !value.s; i++) {
		value = in_arguments(said->arguments, names[i]);
		if (!value.s)
			value = in_config(&said->config, names[i]);
	}
	return value;
}

static int load(struct pl_text *text, struct pl_part path, struct pl_err *err)
{
	char *name = pl_string_copy(path.s, path.len);
	int rc = name ? pl_text_load(text, name, FILE_MAX, err) : pl_err_nomem(err);

	free(name);
	return rc;
}

/* The parameters as lines, whichever way they were given. */
static int load_list(struct pl_text *list, const struct said *said, struct pl_err *err)
{
	const struct pl_part here = find(said, machines);
	const struct pl_part path = find(said, list_file);
	const char *name = "machines";

	if (!here.s && path.s)
		return load(list, path, err);
	if (!here.s)
		return pl_err_set(err, PL_EPARTIAL,
				  "LightGBM is given neither machines= nor machine_list_filename=: "
				  "there is no list to order");
	if (pl_text_copy(list, name, here.s, here.len, err))
		return -1;
	for (size_t i = 0; i < list->len; i++)
		if (list->data[i] == ',')
			list->data[i] = '\n';
	return 0;
}

/* If the list has more machines than num_machines, LightGBM takes the first ones, which are others
 * in another order; if it has fewer, the list counts. */
static int check_count(const struct said *said, int n_ranks, struct pl_err *err)
{
	const struct pl_part count = find(said, how_many);
	int64_t n;

	if (!count.s)
		return 0;
	if (pl_int_parse(count.s, count.len, 1, INT32_MAX, &n) || n < n_ranks)
		return pl_err_set(err, PL_EPARTIAL,
				  "LightGBM's num_machines is \"%.*s\", and the plan has %d "
				  "processes: make a plan of the machines of this job",
				  (int)count.len, count.s, n_ranks);
	return 0;
}

/* Replaces the argument if it is there, or appends it. */
static int add_list(char *const *command, const char *list, struct pl_words *out,
		    struct pl_err *err)
{
	bool is_there = false;

	for (size_t i = 0; command[i]; i++) {
		if (i && !is_there && value_of(command[i], strlen(command[i]), machines[0]).s) {
			pl_words_add_pair(out, machines[0], list);
			is_there = true;
		} else {
			pl_words_add(out, command[i]);
		}
	}
	if (!is_there)
		pl_words_add_pair(out, machines[0], list);
	return out->failed ? pl_err_nomem(err) : 0;
}

int pl_lightgbm_change(char *const *command, const struct pl_seat *seat, struct pl_words *out,
		       struct pl_err *err)
{
	struct said said = {.arguments = command + 1};
	const struct pl_part config = in_arguments(command + 1, config_file[0]);
	struct pl_text list = {0};
	char *ordered = NULL;
	int rc = -1;

	if (config.s && load(&said.config, config, err))
		goto out;
	if (check_count(&said, seat->n_ranks, err) || load_list(&list, &said, err))
		goto out;
	ordered = pl_machines_order(&list, seat->plan, err);
	if (!ordered)
		goto out;
	if (strlen(ordered) > ARGUMENT_MAX)
		rc = pl_err_set(err, PL_EPARTIAL, "a list of %zu bytes is too long for an argument",
				strlen(ordered));
	else
		rc = add_list(command, ordered, out, err);
	if (rc)
		pl_words_fini(out);
out:
	free(ordered);
	pl_text_fini(&list);
	pl_text_fini(&said.config);
	return rc;
}
