/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm-addr.c - SLURM_TOPOLOGY_ADDR of a job's tasks, as "env" prints it */
#include "config.h"

#include "topology/providers/providers.h"

#include <string.h>

#define ADDR "SLURM_TOPOLOGY_ADDR"
#define PATTERN "SLURM_TOPOLOGY_ADDR_PATTERN"

/* The value of the line's only word, if it is that variable. */
static bool value_of(const struct pl_line *line, const char *variable, struct pl_word *value)
{
	struct pl_line copy = *line;
	struct pl_word word;

	return pl_line_next(&copy, &word) && pl_word_value(&word, variable, value);
}

bool pl_provider_is_slurm_addr(const struct pl_line *line)
{
	struct pl_word value;

	return value_of(line, ADDR, &value) || value_of(line, PATTERN, &value);
}

/* How many names are before that of the node: "switch.switch.node", or "block.node". */
static int count_levels(const struct pl_word *pattern, size_t *levels, struct pl_err *err)
{
	*levels = 0;
	for (size_t i = 0; i < pattern->len; i++)
		*levels += pattern->s[i] == '.';
	if (*levels == 0)
		return pl_err_at(err, pattern->place, "this Slurm has neither switches nor blocks");
	if (*levels > PL_PLACES_LEVELS_MAX)
		return pl_err_at(err, pattern->place, "more than %d levels", PL_PLACES_LEVELS_MAX);
	return 0;
}

/* Lines of tasks may stand in any order, and all patterns are alike. */
static int find_levels(struct pl_text *text, size_t *levels, struct pl_err *err)
{
	const struct pl_place start = {.file = text->name, .line = 1, .col = 1};
	const size_t pos = text->pos;
	struct pl_line line;
	struct pl_word value;
	bool found = false;

	while (!found && pl_text_next(text, &line))
		found = value_of(&line, PATTERN, &value);
	if (!found)
		return pl_err_at(err, start,
				 "there is no line " PATTERN
				 "=: print it, too, for the names of nodes may have dots");
	text->pos = pos;
	text->line = 0;
	return count_levels(&value, levels, err);
}

/* "top.row1.rack1.node1"; a level without a switch has no name. */
static int add_task(struct pl_places *p, const struct pl_word *addr, size_t levels,
		    struct pl_err *err)
{
	struct pl_places_path path = {0};
	const char *s = addr->s, *end = addr->s + addr->len;
	ptrdiff_t old;

	for (size_t k = 0; k < levels; k++) {
		const char *dot = memchr(s, '.', (size_t)(end - s));

		if (!dot)
			return pl_err_at(err, addr->place, "%zu names, where the pattern has %zu",
					 k + 1, levels + 1);
		pl_places_push(&path, s, (size_t)(dot - s));
		s = dot + 1;
	}
	if (s == end)
		return pl_err_at(err, addr->place, "the node has no name");
	old = pl_places_find(p, s, (size_t)(end - s));
	if (old >= 0 && strlen(p->host[old].name) == (size_t)(end - s))
		return 0; /* another task of this node */
	return pl_places_add(p, s, (size_t)(end - s), &path, err) < 0 ? -1 : 0;
}

int pl_provider_slurm_addr(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;
	struct pl_word word, value;
	size_t levels = 0;

	p->form = "slurm-addr";
	if (find_levels(text, &levels, err))
		return -1;
	while (pl_text_next(text, &line)) {
		struct pl_line copy = line;

		if (value_of(&line, ADDR, &value)) {
			if (add_task(p, &value, levels, err))
				return -1;
		} else if (pl_line_next(&copy, &word) && word.s[0] != '#' &&
			   !value_of(&line, PATTERN, &value)) {
			return pl_err_at(err, word.place,
					 "only " ADDR "= and " PATTERN "= are read here");
		}
	}
	return 0;
}
