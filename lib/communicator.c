/* SPDX-License-Identifier: BSD-3-Clause */
/* communicator.c - all-reduces among the processes of a job */
#include "config.h"

#include "lib/communicator.h"

#include "base/mem.h"
#include "lib/hubs.h"
#include "lib/parts.h"
#include "lib/rendezvous.h"
#include "shim/self.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* All that connecting needs. */
struct join {
	struct pl_communicator *c;
	size_t rank, n, n_members; /* with hubs */
	int64_t patience_ns;
	struct pl_card *card; /* [n] by rank */
	uint32_t *number;     /* [n] by rank, as the schedules have it */
};

static const struct pl_hosts *hosts_of(const struct pl_communicator *c)
{
	return &c->file->schedules.job.hosts;
}

static uint16_t port_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
					      : ((const struct sockaddr_in *)address)->sin_port;
}

/* The host of the file that this process is on; -1 with @err set. */
static int find_host(const struct pl_communicator *c, const struct pl_self *self,
		     struct pl_err *err)
{
	const int host = pl_self_find(self, hosts_of(c));

	if (host >= 0)
		return host;
	if (self->named)
		return pl_err_set(err, PL_EUSAGE, "PLINK_HOST=%s: not a host of the schedules",
				  self->named);
	return pl_err_set(
		err, PL_EUSAGE,
		host == PL_SELF_AMBIGUOUS
			? "this machine (%s) may be several hosts of the schedules: set PLINK_HOST "
			  "to one"
			: "this machine (%s) is no host of the schedules: set PLINK_HOST to one",
		self->node);
}

/* Finds the own host, listens there, and fills the own card. */
static int listen_here(struct join *j, struct pl_card *card, struct pl_err *err)
{
	struct pl_communicator *c = j->c;
	struct pl_mesh_options options = {.n_ranks = (uint32_t)j->n_members,
					  .n_lanes = c->file->schedules.n_connections,
					  .shares_memory = pl_self_shares_memory(),
					  .digest = c->file->digest,
					  .patience_ns = j->patience_ns};
	struct sockaddr_storage address;
	struct pl_self self = {0};
	struct in6_addr mine;
	int host;

	pl_card_digest(card, c->file->digest);
	pl_hubs_name(&options, &c->file->schedules);
	if (getrandom(card->key, sizeof(card->key), 0) != (ssize_t)sizeof(card->key))
		return pl_err_errno(err, "no random bytes");
	if (pl_self_init(&self, err))
		return -1;
	host = find_host(c, &self, err);
	if (host < 0 || pl_self_address(&self, &hosts_of(c)->v[host], &mine, err)) {
		pl_self_fini(&self);
		return -1;
	}
	pl_self_fini(&self);
	address = pl_self_sockaddr(&mine, 0);
	if (pl_mesh_listen(&c->engine.mesh, &options, &address, err))
		return -1;
	memcpy(card->address, &mine, sizeof(card->address));
	card->port = port_of(&address);
	card->host = htonl((uint32_t)host);
	return 0;
}

static int check_cards(const struct join *j, struct pl_err *err)
{
	const struct pl_card *mine = &j->card[j->rank];

	for (size_t r = 0; r < j->n; r++)
		if (memcmp(j->card[r].digest, mine->digest, sizeof(mine->digest)) != 0)
			return pl_err_set(err, PL_EINPUT,
					  "rank %zu has read other schedules than rank %zu", r,
					  j->rank);
	for (size_t r = 0; r < j->n; r++)
		if (ntohl(j->card[r].host) >= hosts_of(j->c)->n)
			return pl_err_set(err, PL_ESYSTEM,
					  "rank %zu could not join the job; it says why", r);
	return 0;
}

/* Numbers the processes as the schedules do: host by host, and on each host by rank. */
static int number_all(struct join *j, struct pl_err *err)
{
	const struct pl_hosts *hosts = hosts_of(j->c);
	uint32_t number = 0;

	for (size_t h = 0; h < hosts->n; h++) {
		const uint32_t first = number;

		for (size_t r = 0; r < j->n; r++)
			if (ntohl(j->card[r].host) == h)
				j->number[r] = number++;
		if (number - first != (uint32_t)hosts->v[h].slots)
			return pl_err_set(
				err, PL_EUSAGE,
				"host %s runs %u processes of this job, and the schedules say %d",
				hosts->v[h].name, number - first, hosts->v[h].slots);
	}
	return 0;
}

/* Tells the hubs where the processes are. */
static int serve_hubs(const struct join *j, struct pl_err *err)
{
	struct pl_card *card = pl_array_create(j->n, sizeof(*card));
	int rc;

	if (!card)
		return pl_err_nomem(err);
	for (size_t r = 0; r < j->n; r++) {
		card[j->number[r]] = j->card[r];
		memcpy(card[j->number[r]].key, j->card[0].key, sizeof(card->key));
	}
	rc = pl_hubs_serve(&j->c->file->schedules, card, j->n, (double)j->patience_ns / 1e9, err);
	free(card);
	return rc;
}

static void say_change(const char *why)
{
	fprintf(stderr, "libplink: the schedules change: %s\n", why);
}

static bool is_verbose(void)
{
	const char *value = getenv("PLINK_VERBOSE");

	return value && *value && strcmp(value, "0") != 0;
}

static int connect_all(struct join *j, struct pl_err *err)
{
	struct pl_tuning_rules rules = pl_tuning_rules;
	struct pl_mesh *mesh = &j->c->engine.mesh;
	struct sockaddr_storage *address = pl_array_create(j->n_members, sizeof(*address));
	bool *is_peer = pl_array_create(j->n_members, sizeof(*is_peer));
	int rc = -1;

	if (!address || !is_peer) {
		pl_err_nomem(err);
		goto out;
	}
	if (check_cards(j, err) || number_all(j, err) ||
	    pl_rank_part_init(&j->c->part, &j->c->file->schedules, j->number[j->rank], err))
		goto out;
	pl_rank_part_peers(&j->c->part, is_peer);
	for (size_t r = 0; r < j->n; r++) {
		struct in6_addr from;

		memcpy(&from, j->card[r].address, sizeof(from));
		address[j->number[r]] = pl_self_sockaddr(&from, j->card[r].port);
	}
	mesh->options.rank = j->number[j->rank];
	memcpy(mesh->options.key, j->card[0].key, sizeof(mesh->options.key));
	if (mesh->options.hub && j->rank == 0 && serve_hubs(j, err))
		goto out;
	if (is_verbose())
		rules.changed = say_change;
	rc = pl_mesh_connect(mesh, is_peer, address, err);
	if (rc == 0)
		rc = pl_engine_tune(&j->c->engine, &rules, err);
out:
	free(address);
	free(is_peer);
	return rc;
}

static void live_failed(const struct pl_err *err)
{
	fprintf(stderr, "libplink: %s; no live statistics (PLINK_LIVE)\n", err->text);
}

/* The first communicator that a process makes writes what PLINK_LIVE asks for; where it cannot, the
 * job goes on without. */
static void start_live(struct join *j)
{
	static bool is_taken; /* atomic */
	const char *setting = getenv("PLINK_LIVE");
	struct pl_communicator *c = j->c;
	struct pl_err err = {0};

	if (!setting || !*setting || __atomic_exchange_n(&is_taken, true, __ATOMIC_RELAXED))
		return;
	if (c->engine.mesh.options.hub)
		pl_err_set(&err, PL_EUSAGE, "the schedules have hubs");
	else
		c->live =
			pl_live_create(setting, j->number[j->rank], hosts_of(c), live_failed, &err);
	if (!c->live || pl_engine_tell(&c->engine, c->live, &err))
		live_failed(&err);
}

/* How the processes' cards come to all. */
struct way {
	int (*gather)(void *with, const void *mine, size_t bytes, void *all,
		      struct pl_error *error);
	void *with;
};

/* A process that cannot listen brings its card, too, so that none waits for
 * it. */
static int join(struct join *j, const struct way *way, struct pl_error *error)
{
	struct pl_card mine = {.host = htonl(PL_CARD_NO_HOST)};
	struct pl_err err = {0};
	const int cannot = listen_here(j, &mine, &err);

	if (way->gather(way->with, &mine, sizeof(mine), j->card, error)) {
		if (cannot)
			pl_lib_fail(error, &err);
		return -1;
	}
	if (cannot || connect_all(j, &err))
		return pl_lib_fail(error, &err);
	start_live(j);
	return 0;
}

static int check_place(const struct pl_schedule_file *file, size_t rank, double timeout_s,
		       struct pl_error *error)
{
	const size_t n = pl_schedule_file_processes(file);

	if (rank >= n)
		return pl_lib_refuse(error, "no rank %zu: the schedules are for %zu processes",
				     rank, n);
	if (!(timeout_s > 0 && timeout_s < 1e8))
		return pl_lib_refuse(error, "%g s: no time-out", timeout_s);
	return 0;
}

struct pl_communicator *pl_communicator_create(const struct pl_schedule_file *file, size_t rank,
					       int (*gather)(void *with, const void *mine,
							     size_t bytes, void *all,
							     struct pl_error *error),
					       void *with, double timeout_s, struct pl_error *error)
{
	struct join j = {.rank = rank, .n = pl_schedule_file_processes(file)};
	const struct way way = {gather, with};
	int rc = -1;

	if (check_place(file, rank, timeout_s, error))
		return NULL;
	j.n_members = pl_schedules_members(&file->schedules);
	j.patience_ns = (int64_t)(timeout_s * 1e9);
	j.c = calloc(1, sizeof(*j.c));
	j.card = pl_array_create(j.n, sizeof(*j.card));
	j.number = pl_array_create(j.n, sizeof(*j.number));
	if (j.c && j.card && j.number) {
		j.c->file = file;
		j.c->rank = rank;
		j.c->engine = (struct pl_engine){.mesh = {.listener = -1, .epoll = -1},
						 .part = &j.c->part,
						 .patience_ns = j.patience_ns};
		rc = join(&j, &way, error);
	} else {
		pl_lib_nomem(error);
	}
	free(j.card);
	free(j.number);
	if (rc == 0)
		return j.c;
	pl_communicator_destroy(j.c);
	return NULL;
}

struct pl_communicator *pl_communicator_meet(const struct pl_schedule_file *file, size_t rank,
					     const struct pl_meeting *meeting, double timeout_s,
					     struct pl_error *error)
{
	struct pl_rendezvous r = {.meeting = *meeting,
				  .rank = rank,
				  .n = pl_schedule_file_processes(file),
				  .timeout_s = timeout_s};

	return pl_communicator_create(file, rank, pl_rendezvous_gather, &r, timeout_s, error);
}

_Static_assert((int)PL_ELEMENT_DOUBLE == PL_REDUCE_DOUBLE &&
		       (int)PL_ELEMENT_HALF == PL_REDUCE_HALF &&
		       (int)PL_REDUCTION_BXOR == PL_REDUCE_BXOR &&
		       (int)PL_REDUCTION_BAND == PL_REDUCE_BAND,
	       "both lists have the same order");

size_t pl_element_bytes(enum pl_element type)
{
	return (unsigned int)type < PL_REDUCE_TYPES
		       ? pl_reduce_adder((enum pl_reduce_type)type, PL_REDUCE_SUM).element_bytes
		       : 0;
}

/* The adder; its add is NULL if there is no such one. */
static struct pl_adder adder_of(enum pl_element type, enum pl_reduction op)
{
	if (pl_element_bytes(type) == 0 || (unsigned int)op >= PL_REDUCE_OPS)
		return (struct pl_adder){0};
	return pl_reduce_adder((enum pl_reduce_type)type, (enum pl_reduce_op)op);
}

int pl_communicator_run(struct pl_communicator *c, struct pl_hub_call *told,
			const struct pl_allreduce_call *call)
{
	c->is_async = false;
	c->engine.call = (uint8_t)c->n_calls;
	told->number = ++c->n_calls;
	return pl_communicator_exchange(c, told, call);
}

int pl_communicator_exchange(struct pl_communicator *c, struct pl_hub_call *told,
			     const struct pl_allreduce_call *call)
{
	told->count = call ? call->count : 1;
	told->patience_ns = (uint64_t)c->engine.patience_ns;
	if (pl_hub_tell(&c->engine.mesh, &c->part, told, &c->why) == 0 &&
	    (!call || pl_engine_allreduce(&c->engine, told->schedule, call, &c->why) == 0))
		return 0;
	c->failed = true;
	if (c->engine.mesh.options.hub) {
		pl_hub_take_why(&c->engine.mesh, &c->why);
		pl_hub_tell_why(&c->engine.mesh, c->why.text);
	}
	pl_engine_fini(&c->engine);
	return -1;
}

int pl_communicator_allreduce(struct pl_communicator *communicator, void *buffer, size_t count,
			      enum pl_element type, enum pl_reduction op, struct pl_error *error)
{
	struct pl_communicator *c = communicator;
	struct pl_allreduce_call call = {
		.buffer = buffer, .count = count, .adder = adder_of(type, op)};
	struct pl_hub_call told = {
		.what = PL_HUB_ALLREDUCE, .type = (uint32_t)type, .op = (uint32_t)op};
	const struct pl_schedule *s;

	if (!call.adder.add)
		return pl_lib_refuse(error, "no operation %d for elements of type %d", (int)op,
				     (int)type);
	if (count > SIZE_MAX / call.adder.element_bytes)
		return pl_lib_refuse(error, "%zu elements: too many", count);
	s = pl_schedules_find(&c->file->schedules, count * call.adder.element_bytes);
	if (!s)
		return pl_lib_refuse(error, "no schedule for %zu bytes",
				     count * call.adder.element_bytes);
	told.schedule = (uint32_t)(s - c->file->schedules.schedule);
	if (c->failed || (count > 0 && pl_communicator_run(c, &told, &call)))
		return pl_lib_fail(error, &c->why);
	return 0;
}

void pl_communicator_destroy(struct pl_communicator *communicator)
{
	struct pl_communicator *c = communicator;

	if (!c)
		return;
	pl_engine_fini(&c->engine);
	pl_live_destroy(c->live);
	pl_rank_part_fini(&c->part);
	pl_keys_fini(&c->keys);
	free(c);
}
