/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds.c - a job from what its ranks recorded: communicators that make the same calls are one
 * kind */
#include "config.h"

#include "job/import/kinds.h"

#include "base/mem.h"
#include "job/import/blocks.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS 96

/* Groups with the same calls; their members are disjoint. */
struct alike {
	size_t *group; /* [n] */
	size_t n, room;
	bool *has;              /* [n_ranks] is the rank in one of them? */
	struct pl_job_kind all; /* its groups alone: those that it gets */
};

struct maker {
	struct pl_recording *r;
	const struct pl_layout *layout;
	struct pl_job *job;
	struct alike *alike; /* [n] */
	size_t n, room;
};

static int compare_calls(const void *a, const void *b)
{
	const struct pl_recorded_call *x = a, *y = b;

	if (x->collective != y->collective)
		return x->collective < y->collective ? -1 : 1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Of all-to-alls the first group's bytes count. */
static bool is_like(const struct pl_recorded_call *a, const struct pl_recorded_call *b)
{
	return a->calls == b->calls && a->collective == b->collective &&
	       (a->bytes == b->bytes || a->collective == PL_ALLTOALL);
}

static bool same_calls(const struct pl_recorded_group *a, const struct pl_recorded_group *b)
{
	size_t i = 0;

	if (a->n_calls != b->n_calls)
		return false;
	while (i < a->n_calls && is_like(&a->call[i], &b->call[i]))
		i++;
	return i == a->n_calls;
}

static bool fits(const struct maker *m, const struct alike *alike,
		 const struct pl_recorded_group *group)
{
	size_t i = 0;

	while (i < group->n_members && !alike->has[group->member[i]])
		i++;
	return i == group->n_members && same_calls(&m->r->group[alike->group[0]], group);
}

/* A new entry without groups, or NULL. */
static struct alike *add_alike(struct maker *m)
{
	void *array = m->alike;

	if (pl_array_grow(&array, &m->room, m->n, sizeof(*m->alike)))
		return NULL;
	m->alike = array;
	m->alike[m->n] = (struct alike){.has = pl_array_create(m->r->n_ranks, sizeof(bool))};
	return m->alike[m->n].has ? &m->alike[m->n++] : NULL;
}

static int sort_group(struct maker *m, size_t index)
{
	const struct pl_recorded_group *group = &m->r->group[index];
	struct alike *to = NULL;
	void *array;

	for (size_t i = 0; !to && i < m->n; i++)
		if (fits(m, &m->alike[i], group))
			to = &m->alike[i];
	if (!to)
		to = add_alike(m);
	array = to ? to->group : NULL;
	if (!to || pl_array_grow(&array, &to->room, to->n, sizeof(*to->group)))
		return -1;
	to->group = array;
	to->group[to->n++] = index;
	for (size_t i = 0; i < group->n_members; i++)
		to->has[group->member[i]] = true;
	return 0;
}

static bool is_taken(const struct pl_job *job, const char *name)
{
	for (size_t i = 0; i < job->n_kinds; i++)
		if (strcmp(job->kind[i].name, name) == 0)
			return true;
	return false;
}

/* Of those that names of dimensions have, too. */
static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* One word that no kind has yet. */
static void make_name(const struct pl_job *job, const char *like, char name[NAME_CHARS])
{
	char word[NAME_CHARS - 24] = "group";
	size_t len = 0;

	for (; like[len] && len + 1 < sizeof(word); len++)
		word[len] = is_letter(like[len]) ? like[len] : '-';
	if (len > 0)
		word[len] = '\0';
	strcpy(name, word);
	for (size_t i = 2; is_taken(job, name); i++)
		snprintf(name, NAME_CHARS, "%s-%zu", word, i);
}

/* Adds the groups to a kind that has none of their members. */
static int add_groups(const struct maker *m, const struct alike *alike, struct pl_job_kind *kind)
{
	for (size_t i = 0; i < alike->n; i++) {
		const struct pl_recorded_group *group = &m->r->group[alike->group[i]];

		if (pl_job_begin_group(kind))
			return -1;
		for (size_t k = 0; k < group->n_members; k++)
			if (pl_job_add_member(kind, group->member[k]))
				return -1;
	}
	return 0;
}

/* Adds group @g of @from. */
static int copy_group(const struct pl_job_kind *from, size_t g, struct pl_job_kind *to)
{
	if (pl_job_begin_group(to))
		return -1;
	for (size_t i = from->first[g]; i < from->first[g + 1]; i++)
		if (pl_job_add_member(to, from->member[i]))
			return -1;
	return 0;
}

/* What its kinds are called. */
static const char *label_of(const struct maker *m, const struct alike *alike)
{
	static const char none[] = "undefined"; /* PyTorch's, without one */
	const struct pl_recorded_group *first = &m->r->group[alike->group[0]];
	const char *said = first->description;

	return said && *said && strcmp(said, none) != 0 ? said : first->name;
}

/* Ranks that no group may be added for: a file tells of all their groups, or an earlier entry of
 * the same label has them. [n_ranks], NULL: out of memory. */
static bool *find_taken(const struct maker *m, const struct alike *alike)
{
	bool *taken = pl_array_create(m->r->n_ranks, sizeof(*taken));

	if (!taken)
		return NULL;
	memcpy(taken, m->r->has, m->r->n_ranks * sizeof(*taken));
	for (const struct alike *a = m->alike; a < alike; a++)
		for (size_t i = 0;
		     i < a->all.n_members && !strcmp(label_of(m, a), label_of(m, alike)); i++)
			taken[a->all.member[i]] = true;
	return taken;
}

static bool is_free(const struct pl_job_kind *kind, size_t g, const bool *taken)
{
	size_t i = kind->first[g];

	while (i < kind->first[g + 1] && !taken[kind->member[i]])
		i++;
	return i == kind->first[g + 1];
}

/* Adds those groups of @grid, all along some dimensions, that are in the files, or have no rank
 * that is taken. */
static int add_untaken(struct alike *alike, const struct pl_job_kind *grid, const bool *taken)
{
	for (size_t g = 0; g < grid->n_groups; g++)
		if ((alike->has[grid->member[grid->first[g]]] || is_free(grid, g, taken)) &&
		    copy_group(grid, g, &alike->all))
			return -1;
	return 0;
}

static void groups_fini(struct pl_job_kind *kind)
{
	free(kind->member);
	free(kind->first);
}

/* The groups of the files, and, where a layout tells, those of other ranks. */
static int fill(struct maker *m, struct alike *alike)
{
	struct pl_job_kind grid = {0};
	bool fit = false, *taken = NULL;
	int rc = add_groups(m, alike, &grid);

	if (rc == 0 && m->layout && grid.n_members < m->r->n_ranks) {
		rc = pl_layout_complete(m->layout, &grid, &fit);
		if (rc == 0 && !fit)
			rc = pl_recording_lose(
				m->r,
				"\"%s\": its groups are none of the layout, so that none are added",
				label_of(m, alike));
	}
	if (rc == 0 && fit) {
		taken = find_taken(m, alike);
		rc = taken ? add_untaken(alike, &grid, taken) : -1;
	} else if (rc == 0) {
		alike->all = grid;
		return 0;
	}
	free(taken);
	groups_fini(&grid);
	return rc;
}

/* Do all groups of the kind tell what their members send in an all-to-all, and is that not the same
 * everywhere? */
static int are_uneven(struct maker *m, const struct alike *alike, bool *uneven)
{
	bool known = alike->all.n_groups == alike->n, differ = false;
	uint64_t first = UINT64_MAX;
	size_t pairs = 0;

	for (size_t i = 0; i < alike->n; i++) {
		const struct pl_recorded_group *g = &m->r->group[alike->group[i]];

		known &= pl_recorded_blocks(g, &first, &differ);
		pairs += g->n_members * g->n_members;
	}
	known &= pairs <= PL_JOB_SENDS_MAX;
	*uneven = known && differ;
	if (known || !differ)
		return 0;
	return pl_recording_lose(m->r,
				 "kind \"%s\": all-to-alls of unequal blocks, which not all "
				 "members tell: their mean counts",
				 label_of(m, alike));
}

static int add_kinds(struct maker *m, const struct alike *alike)
{
	const struct pl_recorded_group *first = &m->r->group[alike->group[0]];
	char name[NAME_CHARS];

	for (size_t i = 0; i < first->n_calls; i++) {
		const struct pl_recorded_call *call = &first->call[i];
		bool uneven = false;
		struct pl_job_kind like = {
			.name = name,
			.form = PL_JOB_COLLECTIVE,
			.collective = call->collective,
			.bytes = call->bytes,
			.calls = call->calls,
			.exposed = 1,
			.microbatches = 1,
			.vpp = 1,
		};
		struct pl_job_kind *kind;

		if (call->collective == PL_ALLTOALL && are_uneven(m, alike, &uneven))
			return -1;
		if (uneven) {
			like.form = PL_JOB_ALLTOALLV;
			like.bytes = 0;
		}
		make_name(m->job, label_of(m, alike), name);
		kind = pl_job_add(m->job, &like);
		for (size_t g = 0; kind && g < alike->all.n_groups; g++)
			if (copy_group(&alike->all, g, kind))
				return -1;
		if (!kind)
			return -1;
		for (size_t g = 0; uneven && g < alike->n; g++)
			if (pl_recorded_sends(&m->r->group[alike->group[g]], kind))
				return -1;
	}
	return 0;
}

static int compare_messages(const void *a, const void *b)
{
	const struct pl_recorded_message *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

static int add_send(struct pl_job_kind *kind, const struct pl_recorded_message *m)
{
	const struct pl_job_send send = {
		.src = m->src,
		.dst = m->dst,
		.bytes = (uint64_t)fmin(round(m->bytes), 0x1p62),
		.messages = (uint64_t)fmax(1, fmin(round(m->messages), 0x1p62)),
	};

	return pl_job_add_send(kind, send);
}

/* The sum of message @i and those behind it of the same ranks; where the sender tells of them, what
 * the receiver tells is left out. Returns the index behind them. */
static size_t add_up(const struct pl_recording *r, size_t i, struct pl_recorded_message *sum)
{
	const size_t start = i;
	bool sent = false;

	*sum = (struct pl_recorded_message){.src = r->message[i].src, .dst = r->message[i].dst};
	for (; i < r->n_messages && !compare_messages(&r->message[i], sum); i++)
		sent |= !r->message[i].received;
	for (size_t k = start; k < i; k++) {
		if (sent && r->message[k].received)
			continue;
		sum->bytes += r->message[k].bytes;
		sum->messages += r->message[k].messages;
	}
	return i;
}

static int add_traffic(struct maker *m)
{
	struct pl_recording *r = m->r;
	const struct pl_job_kind like = {.name = (char[]){"p2p"},
					 .form = PL_JOB_TRAFFIC,
					 .calls = 1,
					 .exposed = 1,
					 .microbatches = 1,
					 .vpp = 1};
	struct pl_job_kind *kind = NULL;
	size_t i = 0;

	if (r->n_messages > 0)
		qsort(r->message, r->n_messages, sizeof(*r->message), compare_messages);
	while (i < r->n_messages) {
		struct pl_recorded_message sum;

		i = add_up(r, i, &sum);
		if (sum.src == sum.dst)
			continue;
		if (!kind && !(kind = pl_job_add(m->job, &like)))
			return -1;
		if (add_send(kind, &sum))
			return -1;
	}
	return 0;
}

static int make(struct maker *m, struct pl_place place, struct pl_err *err)
{
	struct pl_recording *r = m->r;
	uint64_t bytes;

	for (size_t i = 0; i < r->n_groups; i++) {
		struct pl_recorded_group *group = &r->group[i];

		if (group->n_calls == 0 || group->n_members < 2)
			continue;
		qsort(group->call, group->n_calls, sizeof(*group->call), compare_calls);
		if (sort_group(m, i))
			return pl_err_nomem(err);
	}
	for (size_t i = 0; i < m->n; i++)
		if (fill(m, &m->alike[i]) || add_kinds(m, &m->alike[i]))
			return pl_err_nomem(err);
	if (add_traffic(m))
		return pl_err_nomem(err);
	for (size_t i = 0; i < m->job->n_kinds; i++)
		if (pl_job_sent(&m->job->kind[i], &bytes))
			return pl_err_at(
				err, place,
				"the messages of these files have 2^63 bytes or more in a step");
	m->job->n_ranks = r->n_ranks;
	if (m->job->n_kinds == 0)
		return pl_err_at(err, place, "no call of a communicator whose ranks are known");
	return 0;
}

int pl_recording_job(struct pl_recording *r, struct pl_place place, const struct pl_layout *layout,
		     struct pl_job *job, struct pl_err *err)
{
	struct maker m = {.r = r, .layout = layout, .job = job};
	const int rc = make(&m, place, err);

	for (size_t i = 0; i < m.n; i++) {
		free(m.alike[i].group);
		free(m.alike[i].has);
		groups_fini(&m.alike[i].all);
	}
	free(m.alike);
	if (rc)
		pl_job_fini(job);
	return rc;
}
