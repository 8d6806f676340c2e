/* SPDX-License-Identifier: BSD-3-Clause */
/* recording.c - the communicators of a job and their calls, as told by files of its ranks */
#include "config.h"

#include "job/import/recording.h"

#include "base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void group_fini(struct pl_recorded_group *group)
{
	free(group->name);
	free(group->description);
	free(group->member);
	free(group->call);
	for (size_t i = 0; group->row && i < group->n_members; i++)
		free(group->row[i].bytes);
	free(group->row);
}

void pl_recording_fini(struct pl_recording *r)
{
	for (size_t i = 0; i < r->n_groups; i++)
		group_fini(&r->group[i]);
	for (size_t i = 0; i < r->n_losses; i++)
		free(r->loss[i].what);
	free(r->has);
	free(r->group);
	free(r->message);
	free(r->loss);
	pl_joined_fini(&r->joined);
	memset(r, 0, sizeof(*r));
}

/* Does the number of ranks agree with the earlier files? */
static int take_ranks(struct pl_recording *r, const struct pl_recorded_file *file,
		      struct pl_err *err)
{
	const bool differ = file->n_ranks != r->n_ranks;

	if (file->n_ranks == 0 || file->n_ranks > PL_JOB_RANKS_MAX)
		return pl_err_at(err, file->place, "a job of %zu ranks; 1 to %zu can be read",
				 file->n_ranks, PL_JOB_RANKS_MAX);
	if ((r->exact && !file->at_least && differ) || (r->exact && file->n_ranks > r->n_ranks) ||
	    (r->n_files > 0 && !file->at_least && file->n_ranks < r->n_ranks))
		return pl_err_at(err, file->place,
				 "from a job of %zu ranks, the file before it from one of %zu",
				 file->n_ranks, r->n_ranks);
	if (file->n_ranks > r->n_ranks)
		r->n_ranks = file->n_ranks;
	r->exact |= !file->at_least;
	return 0;
}

int pl_recording_begin(struct pl_recording *r, const struct pl_recorded_file *file,
		       struct pl_err *err)
{
	const bool has_rank = file->rank != PL_RECORDED_NO_RANK;

	if (take_ranks(r, file, err))
		return -1;
	if (has_rank && file->rank >= file->n_ranks)
		return pl_err_at(err, file->place, "from rank %zu of a job of %zu ranks",
				 file->rank, file->n_ranks);
	if (!r->has)
		r->has = pl_array_create(PL_JOB_RANKS_MAX, sizeof(*r->has));
	if (!r->has)
		return pl_err_nomem(err);
	if (has_rank && r->has[file->rank])
		return pl_err_at(err, file->place, "an earlier file is from rank %zu, too",
				 file->rank);
	if (has_rank)
		r->has[file->rank] = true;
	r->n_steps = file->n_steps;
	r->n_files++;
	return 0;
}

static int check_members(const struct pl_recording *r, struct pl_place place, const char *name,
			 const uint32_t *member, size_t n, struct pl_err *err)
{
	bool *seen = pl_array_create(r->n_ranks, sizeof(*seen));
	int rc = seen ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (member[i] >= r->n_ranks)
			rc = pl_err_at(
				err, place,
				"group \"%s\": its member %u is no rank of a job of %zu ranks",
				name, (unsigned)member[i], r->n_ranks);
		else if (seen[member[i]])
			rc = pl_err_at(err, place, "group \"%s\": rank %u is in it twice", name,
				       (unsigned)member[i]);
		else
			seen[member[i]] = true;
	}
	free(seen);
	return rc;
}

static int add_group(struct pl_recording *r, const char *name, const char *description,
		     const uint32_t *member, size_t n)
{
	struct pl_recorded_group group = {.n_members = n};
	void *array = r->group;

	group.name = pl_string_copy(name, strlen(name));
	group.member = pl_array_create(n, sizeof(*member));
	if (description)
		group.description = pl_string_copy(description, strlen(description));
	if (!group.name || !group.member || !group.description != !description ||
	    pl_array_grow(&array, &r->group_room, r->n_groups, sizeof(*r->group))) {
		group_fini(&group);
		return -1;
	}
	memcpy(group.member, member, n * sizeof(*member));
	r->group = array;
	r->group[r->n_groups++] = group;
	return 0;
}

int pl_recording_group(struct pl_recording *r, struct pl_place place, const char *name,
		       const char *description, const uint32_t *member, size_t n_members,
		       size_t *group, struct pl_err *err)
{
	for (*group = 0; *group < r->n_groups; ++*group) {
		const struct pl_recorded_group *g = &r->group[*group];

		if (strcmp(g->name, name) == 0 && g->n_members == n_members &&
		    memcmp(g->member, member, n_members * sizeof(*member)) == 0)
			return 0;
	}
	if (check_members(r, place, name, member, n_members, err))
		return -1;
	return add_group(r, name, description, member, n_members) ? pl_err_nomem(err) : 0;
}

size_t pl_recording_find(const struct pl_recording *r, const char *name)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < r->n_groups; i++) {
		if (strcmp(r->group[i].name, name) != 0)
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

/* The blocks of an all-to-all differ from call to call (experts): their mean counts. */
static bool is_same(const struct pl_recorded_call *call, enum pl_collective collective,
		    uint64_t bytes)
{
	return call->collective == collective &&
	       (call->bytes == bytes || collective == PL_ALLTOALL);
}

static void add_calls(struct pl_recorded_call *to, uint64_t bytes, double calls)
{
	const double all = to->calls + calls;

	if (to->bytes != bytes)
		to->bytes = (uint64_t)round(
			((double)to->bytes * to->calls + (double)bytes * calls) / all);
	to->calls = all;
}

int pl_recording_calls(struct pl_recording *r, size_t group, enum pl_collective collective,
		       uint64_t bytes, double calls)
{
	struct pl_recorded_group *g = &r->group[group];
	void *array = g->call;
	size_t i = 0;

	g->now += calls;
	if (g->teller == 0)
		g->teller = r->n_files;
	if (g->teller != r->n_files)
		return 0;
	while (i < g->n_calls && !is_same(&g->call[i], collective, bytes))
		i++;
	if (i == g->n_calls) {
		if (pl_array_grow(&array, &g->call_room, g->n_calls, sizeof(*g->call)))
			return -1;
		g->call = array;
		g->call[g->n_calls++] =
			(struct pl_recorded_call){.collective = collective, .bytes = bytes};
	}
	add_calls(&g->call[i], bytes, calls);
	return 0;
}

int pl_recording_message(struct pl_recording *r, const struct pl_recorded_message *message)
{
	void *array = r->message;
	struct pl_recorded_message *m;

	if (pl_array_grow(&array, &r->message_room, r->n_messages, sizeof(*r->message)))
		return -1;
	r->message = array;
	m = &r->message[r->n_messages++];
	*m = *message;
	m->bytes /= r->n_steps;
	m->messages /= r->n_steps;
	return 0;
}

int pl_recording_lose(struct pl_recording *r, const char *fmt, ...)
{
	void *array = r->loss;
	char what[256];
	va_list args;
	size_t i = 0;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	while (i < r->n_losses && strcmp(r->loss[i].what, what) != 0)
		i++;
	if (i == r->n_losses) {
		char *copy = pl_string_copy(what, strlen(what));

		if (!copy || pl_array_grow(&array, &r->loss_room, r->n_losses, sizeof(*r->loss))) {
			free(copy);
			return -1;
		}
		r->loss = array;
		r->loss[r->n_losses++].what = copy;
		r->loss[i].times = 0;
	}
	r->loss[i].times++;
	return 0;
}

/* Two files that tell the calls of a group differently. */
static int compare(struct pl_recording *r, const struct pl_recorded_group *g)
{
	if (g->now == g->calls)
		return 0;
	return pl_recording_lose(
		r, "file %zu has %.4g calls a step in group \"%s\", file %zu has %.4g, which count",
		r->n_files, g->now, g->name, g->teller, g->calls);
}

int pl_recording_end(struct pl_recording *r)
{
	for (size_t i = 0; i < r->n_groups; i++) {
		struct pl_recorded_group *g = &r->group[i];

		if (g->now == 0)
			continue;
		g->now /= r->n_steps;
		if (g->teller != r->n_files && compare(r, g))
			return -1;
		if (g->teller == r->n_files)
			g->calls = g->now;
		for (size_t c = 0; g->teller == r->n_files && c < g->n_calls; c++)
			g->call[c].calls /= r->n_steps;
		g->now = 0;
	}
	return 0;
}
