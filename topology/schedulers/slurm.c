/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - Slurm's topology.conf, and its topology.yaml: switches or blocks */
#include "config.h"

#include "topology/schedulers/schedulers.h"

#define TOP "top" /* the switch above all others */

/* The words in which switches are written; each has its list of names. */
struct form {
	const char *name, *switches, *nodes, *end;
};

static void write_hosts(const struct pl_scheduled *s, size_t a, FILE *out)
{
	const struct pl_hierarchy_level *level = &s->levels->level[0];
	const char *comma = "";

	for (size_t i = level->first[a]; i < s->levels->n_hosts; i++)
		if (level->group[i] == a) {
			fprintf(out, "%s%s", comma, s->host[i]);
			comma = ",";
		}
}

/* The groups of level @below within group @a of the next; all of them if there is no next level. */
static void write_groups(const struct pl_scheduled *s, size_t below, size_t a, FILE *out)
{
	char name[PL_SCHEDULED_NAME];
	const char *comma = "";

	for (size_t b = 0; b < s->levels->level[below].n; b++)
		if (below + 1 == s->levels->n || pl_scheduled_is_in(s, below + 1, a, b)) {
			fprintf(out, "%s%s", comma, pl_scheduled_name(s, below, b, name));
			comma = ",";
		}
}

static void write_switch(const struct pl_scheduled *s, const struct form *form, size_t level,
			 size_t a, FILE *out)
{
	char name[PL_SCHEDULED_NAME];

	fprintf(out, "%s%s%s", form->name, pl_scheduled_name(s, level, a, name),
		level ? form->switches : form->nodes);
	if (level)
		write_groups(s, level - 1, a, out);
	else
		write_hosts(s, a, out);
	fprintf(out, "%s\n", form->end);
}

/* Jobs span only nodes that one switch is above, so there is one above all. */
static void write_tree(const struct pl_scheduled *s, const struct form *form, FILE *out)
{
	const size_t last = s->levels->n - 1;

	for (size_t k = 0; k <= last; k++)
		for (size_t a = 0; a < s->levels->level[k].n; a++)
			write_switch(s, form, k, a, out);
	if (s->levels->level[last].n > 1) {
		fprintf(out, "%s%s%s", form->name, TOP, form->switches);
		write_groups(s, last, 0, out);
		fprintf(out, "%s\n", form->end);
	}
}

int pl_scheduler_slurm_tree(const struct pl_scheduled *s, FILE *out, struct pl_err *err)
{
	static const struct form form = {
		.name = "SwitchName=", .switches = " Switches=", .nodes = " Nodes=", .end = ""};

	if (pl_scheduled_check_slurm(s, err))
		return -1;
	write_tree(s, &form, out);
	return 0;
}

/* Names are in quotes: those of digits would be numbers. */
int pl_scheduler_slurm_yaml(const struct pl_scheduled *s, FILE *out, struct pl_err *err)
{
	static const struct form form = {.name = "      - switch: \"",
					 .switches = "\"\n        children: \"",
					 .nodes = "\"\n        nodes: \"",
					 .end = "\""};

	if (pl_scheduled_check_slurm(s, err))
		return -1;
	fputs("---\n"
	      "- topology: plink\n"
	      "  cluster_default: true\n"
	      "  tree:\n"
	      "    switches:\n",
	      out);
	write_tree(s, &form, out);
	return 0;
}

/* Block after block, those of one wider group next to each other. */
static void write_blocks(const struct pl_scheduled *s, size_t level, size_t a, FILE *out)
{
	char name[PL_SCHEDULED_NAME];

	if (level > 0) {
		for (size_t b = 0; b < s->levels->level[level - 1].n; b++)
			if (pl_scheduled_is_in(s, level, a, b))
				write_blocks(s, level - 1, b, out);
		return;
	}
	fprintf(out, "BlockName=%s Nodes=", pl_scheduled_name(s, 0, a, name));
	write_hosts(s, a, out);
	fputc('\n', out);
}

/* How many groups of the level below each group has; 0 if they differ. */
static size_t branches(const struct pl_scheduled *s, size_t level)
{
	size_t all = 0;

	for (size_t a = 0; a < s->levels->level[level].n; a++) {
		size_t n = 0;

		for (size_t b = 0; b < s->levels->level[level - 1].n; b++)
			n += pl_scheduled_is_in(s, level, a, b);
		if (a > 0 && n != all)
			return 0;
		all = n;
	}
	return all;
}

static size_t smallest_block(const struct pl_scheduled *s)
{
	const struct pl_hierarchy_level *level = &s->levels->level[0];
	size_t least = s->levels->n_hosts;

	for (size_t a = 0; a < level->n; a++) {
		size_t n = 0;

		for (size_t i = level->first[a]; i < s->levels->n_hosts; i++)
			n += level->group[i] == a;
		if (n < least)
			least = n;
	}
	return least;
}

/* The size that each block has at least; and those of wider groups, as far up as all have the same
 * number of blocks, a power of two. */
int pl_scheduler_slurm_block(const struct pl_scheduled *s, FILE *out, struct pl_err *err)
{
	const size_t top = s->levels->n - 1;
	size_t size = smallest_block(s);

	if (pl_scheduled_check_slurm(s, err))
		return -1;
	for (size_t a = 0; a < s->levels->level[top].n; a++)
		write_blocks(s, top, a, out);
	fprintf(out, "BlockSizes=%zu", size);
	for (size_t k = 1; k <= top; k++) {
		const size_t n = branches(s, k);

		if (n < 2 || (n & (n - 1)))
			break;
		size *= n;
		fprintf(out, ",%zu", size);
	}
	fputc('\n', out);
	return 0;
}
