/* SPDX-License-Identifier: BSD-3-Clause */
/* ras.c - the communicators of a job, as NCCL's RAS lists them in JSON */
/*
 *   "communicators": [{"hash": "0x48...", "size": 2, "ranks": [{"rank": 0,
 *     "host": "10.0.0.1", "pid": 2255, "cuda_dev": 0, "collective_counts":
 *     {"Broadcast": 0, "AllReduce": 5, ...}}, ...]}, ...]
 *
 * It counts calls since the start and knows no sizes. Ranks are those of the largest communicator,
 * which has all processes: they are told apart by host, process and device.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_CHARS 320

struct key {
	char text[KEY_CHARS];
};

struct reader {
	struct pl_recording *r;
	struct pl_json_stream *s;
	struct communicator {
		json_t *json;
		struct pl_place place;
	} * comm;
	size_t n, room;
	size_t largest;        /* index in comm */
	struct pl_names ranks; /* from a key to a rank of the job */
	struct key *key;       /* [ranks of the job] */
	struct pl_err *err;
};

static const json_t *ranks_of(const json_t *comm)
{
	return json_object_get(comm, "ranks");
}

static int read_communicators(struct reader *a)
{
	json_t *json;
	int rc;

	while ((rc = pl_json_stream_next(a->s, &json, a->err)) > 0) {
		if (pl_array_grow((void **)&a->comm, &a->room, a->n, sizeof(*a->comm))) {
			json_decref(json);
			return pl_err_nomem(a->err);
		}
		a->comm[a->n++] = (struct communicator){json, pl_json_stream_place(a->s)};
		if (json_array_size(ranks_of(json)) >
		    json_array_size(ranks_of(a->comm[a->largest].json)))
			a->largest = a->n - 1;
	}
	return rc;
}

/* Which process and device a rank is. */
static int make_key(const json_t *rank, struct key *key)
{
	const char *host = json_string_value(json_object_get(rank, "host"));
	const json_t *pid = json_object_get(rank, "pid");
	const json_t *device = json_object_get(rank, "cuda_dev");

	if (!host || strlen(host) > 255 || !json_is_integer(pid) || !json_is_integer(device))
		return -1;
	snprintf(key->text, sizeof(key->text), "%s %lld %lld", host,
		 (long long)json_integer_value(pid), (long long)json_integer_value(device));
	return 0;
}

static int fault_rank(struct reader *a, const struct communicator *comm)
{
	return pl_err_at(
		a->err, comm->place,
		"a communicator whose ranks lack rank, host, pid or cuda_dev, or have them twice");
}

/* The members in the order of their ranks in it: keys, [n] of them. */
static int sort_members(struct reader *a, const struct communicator *comm, struct key *key,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *rank = json_array_get(ranks_of(comm->json), i);
		const json_t *number = json_object_get(rank, "rank");
		const json_int_t at = json_integer_value(number);

		if (!json_is_integer(number) || at < 0 || (size_t)at >= n || key[at].text[0] ||
		    make_key(rank, &key[at]))
			return fault_rank(a, comm);
	}
	return 0;
}

/* The ranks of the largest communicator are those of the job. */
static int number_ranks(struct reader *a, size_t n)
{
	const struct communicator *comm = &a->comm[a->largest];

	a->key = pl_array_create(n, sizeof(*a->key));
	if (!a->key)
		return pl_err_nomem(a->err);
	if (sort_members(a, comm, a->key, n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const int rc = pl_names_add(&a->ranks, a->key[i].text, strlen(a->key[i].text), i);

		if (rc < 0)
			return pl_err_nomem(a->err);
		if (rc > 0)
			return fault_rank(a, comm);
	}
	return 0;
}

/* Calls that all members have made: the most that one of them counts. */
static json_int_t count_calls(const json_t *comm, const char *collective)
{
	json_int_t most = 0;

	for (size_t i = 0; i < json_array_size(ranks_of(comm)); i++) {
		const json_t *counts =
			json_object_get(json_array_get(ranks_of(comm), i), "collective_counts");
		const json_int_t n = json_integer_value(json_object_get(counts, collective));

		most = n > most ? n : most;
	}
	return most;
}

/* Adds the calls of a communicator, of 0 bytes. -1: out of memory. */
static int add_calls(struct reader *a, const json_t *comm, size_t group)
{
	const json_t *counts =
		json_object_get(json_array_get(ranks_of(comm), 0), "collective_counts");
	const char *name;
	json_t *count;

	json_object_foreach((json_t *)counts, name, count)
	{
		const struct pl_operation op = pl_operation_parse(name);
		const json_int_t n = count_calls(comm, name);

		if (n < 1 || op.form != PL_OPERATION_COLLECTIVE)
			continue;
		if (pl_recording_calls(a->r, group, op.collective, 0, (double)n) ||
		    pl_recording_lose(a->r, "the sizes of calls are not in the file: 0 bytes are "
					    "assumed, so that only round trips count"))
			return -1;
	}
	return 0;
}

/* The ranks in the job of a communicator's members. 0; 1 if some are none. */
static int find_members(const struct reader *a, const struct key *key, size_t n, uint32_t *member)
{
	for (size_t i = 0; i < n; i++) {
		const ptrdiff_t rank = pl_names_find(&a->ranks, key[i].text, strlen(key[i].text));

		if (rank < 0)
			return 1;
		member[i] = (uint32_t)rank;
	}
	return 0;
}

static int add_members(struct reader *a, const struct communicator *comm, struct key *key,
		       uint32_t *member, size_t n)
{
	const char *hash = json_string_value(json_object_get(comm->json, "hash"));
	size_t group;

	if (sort_members(a, comm, key, n))
		return -1;
	if (find_members(a, key, n, member))
		return pl_recording_lose(a->r, "a communicator is left out: the largest one lacks "
					       "some of its processes")
			       ? pl_err_nomem(a->err)
			       : 0;
	if (pl_recording_group(a->r, comm->place, hash ? hash : "", "comm", member, n, &group,
			       a->err))
		return -1;
	return add_calls(a, comm->json, group) ? pl_err_nomem(a->err) : 0;
}

static int add_communicator(struct reader *a, const struct communicator *comm)
{
	const size_t n = json_array_size(ranks_of(comm->json));
	const json_t *size = json_object_get(comm->json, "size");
	struct key *key;
	uint32_t *member;
	int rc;

	if (n == 0 || json_integer_value(size) != (json_int_t)n)
		return pl_recording_lose(a->r,
					 "a communicator is left out: RAS misses some of its ranks")
			       ? pl_err_nomem(a->err)
			       : 0;
	key = pl_array_create(n, sizeof(*key));
	member = pl_array_create(n, sizeof(*member));
	rc = key && member ? add_members(a, comm, key, member, n) : pl_err_nomem(a->err);
	free(key);
	free(member);
	return rc;
}

static int add_all(struct reader *a, double n_steps)
{
	const struct pl_place place = {.file = pl_json_stream_place(a->s).file};
	struct pl_recorded_file file = {.place = place, .rank = PL_RECORDED_NO_RANK};

	file.n_ranks = a->n ? json_array_size(ranks_of(a->comm[a->largest].json)) : 0;
	if (file.n_ranks == 0)
		return pl_err_at(a->err, place, "no communicator in this file");
	if (pl_import_steps(a->r, &n_steps))
		return pl_err_nomem(a->err);
	file.n_steps = n_steps;
	if (pl_recording_begin(a->r, &file, a->err) || number_ranks(a, file.n_ranks))
		return -1;
	for (size_t i = 0; i < a->n; i++)
		if (add_communicator(a, &a->comm[i]))
			return -1;
	return pl_recording_end(a->r) ? pl_err_nomem(a->err) : 0;
}

int pl_import_ras(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		  struct pl_err *err)
{
	struct reader a = {.r = r, .s = s, .err = err};
	int rc = read_communicators(&a);

	if (rc == 0)
		rc = add_all(&a, n_steps);
	pl_names_fini(&a.ranks);
	for (size_t i = 0; i < a.n; i++)
		json_decref(a.comm[i].json);
	free(a.comm);
	free(a.key);
	return rc;
}
