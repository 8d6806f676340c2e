/* SPDX-License-Identifier: BSD-3-Clause */
/* begin.c - engine mode's life: from MPI_Init to MPI_Finalize */
#include "config.h"

#include "shim/mpi/engine/mode.h"

#include "base/mem.h"
#include "shim/mpi/engine/parts.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/shadow/shadow.h"
#include "shim/say.h"
#include "shim/self.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool pl_engine_mode_is_on;
struct pl_engine_mode pl_engine_mode;

static void end(void)
{
	struct pl_engine_mode *m = &pl_engine_mode;

	pl_engine_mode_is_on = false;
	pl_shadow_handler_fini();
	pl_engine_fini(&m->engine);
	for (size_t i = 0; m->program && i < m->schedules.n; i++)
		pl_program_fini(&m->program[i]);
	free(m->program);
	pl_schedules_fini(&m->schedules);
	memset(m, 0, sizeof(*m));
}

/* The library sends and receives on, too: what this process has begun to send
 * may be what another one waits for before it comes to the all-reduce. */
static void let_library_work(void *with)
{
	int flag;

	(void)with;
	PL_MPI_NEXT(PMPI_Iprobe)
	(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static int read_schedules(struct pl_engine_mode *m,
			  const struct pl_mpi_shared *shared, uint32_t number,
			  struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, shared->path, shared->text, (size_t)shared->len,
			 err))
		return -1;
	rc = pl_schedules_parse(&m->schedules, &text, err);
	pl_text_fini(&text);
	if (rc)
		return -1;
	m->program = pl_array_create(m->schedules.n, sizeof(*m->program));
	if (!m->program)
		return pl_err_nomem(err);
	for (size_t i = 0; i < m->schedules.n; i++)
		if (pl_program_init(&m->program[i],
				    &m->schedules.schedule[i].slices, number,
				    err))
			return -1;
	return 0;
}

static void to_sockaddr(const struct in6_addr *from,
			struct sockaddr_storage *to)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)to;
	struct sockaddr_in *v4 = (struct sockaddr_in *)to;

	memset(to, 0, sizeof(*to));
	if (IN6_IS_ADDR_V4MAPPED(from)) {
		v4->sin_family = AF_INET;
		memcpy(&v4->sin_addr, &from->s6_addr[12], 4);
	} else {
		v6->sin6_family = AF_INET6;
		v6->sin6_addr = *from;
	}
}

/* Where others reach this process: the address that the plan has of its host,
 * else the first one that it has itself, else the loopback. */
static int find_address(const struct pl_host *host,
			struct sockaddr_storage *address, struct pl_err *err)
{
	struct in6_addr found = {0};
	struct pl_self self = {0};
	char mapped[80];

	if (host->addr) {
		snprintf(mapped, sizeof(mapped), "%s%s",
			 strchr(host->addr, ':') ? "" : "::ffff:", host->addr);
		if (inet_pton(AF_INET6, mapped, &found) != 1)
			return pl_err_set(err, PL_EINPUT,
					  "host %s: %s is no numeric address",
					  host->name, host->addr);
	} else {
		if (pl_self_init(&self, err))
			return -1;
		inet_pton(AF_INET6, "::ffff:127.0.0.1", &found);
		for (size_t i = self.n_addrs; i-- > 0;)
			if (!IN6_IS_ADDR_LINKLOCAL(&self.addr[i]))
				found = self.addr[i];
		pl_self_fini(&self);
	}
	to_sockaddr(&found, address);
	return 0;
}

/* This process' peers in any schedule. */
static void find_peers(const struct pl_engine_mode *m, bool *is_peer)
{
	for (size_t i = 0; i < m->schedules.n; i++) {
		const struct pl_program *p = &m->program[i];

		for (size_t k = 0; k < p->first[p->n_slices]; k++)
			is_peer[p->act[k].peer] = true;
	}
}

/* Did it go well on all processes? If not, the first that failed says why. */
static bool agree(const struct pl_mpi_shared *shared,
		  const struct pl_engine_job *job, int rc,
		  const struct pl_err *err)
{
	const int mine = rc ? job->rank : job->n;
	int first;

	PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (first == job->n)
		return true;
	pl_mpi_refuse(shared, first == job->rank ? err : NULL);
	return false;
}

static int listen_here(struct pl_engine_mode *m,
		       const struct pl_mpi_shared *shared,
		       const struct pl_engine_job *job,
		       const struct pl_mesh_options *options,
		       struct sockaddr_storage *address, struct pl_err *err)
{
	const struct pl_hosts *hosts = &m->schedules.job.hosts;

	if (read_schedules(m, shared, options->rank, err) ||
	    find_address(&hosts->v[job->host], address, err))
		return -1;
	return pl_mesh_listen(&m->engine.mesh, options, address, err);
}

/* From the ranks' addresses in @all, both by rank, to the processes'. */
static int connect_all(struct pl_engine_mode *m,
		       const struct pl_engine_job *job,
		       const struct sockaddr_storage *all, struct pl_err *err)
{
	const size_t n = (size_t)job->n;
	struct sockaddr_storage *address = pl_array_create(n, sizeof(*address));
	bool *is_peer = pl_array_create(n, sizeof(*is_peer));
	int rc = -1;

	if (!address || !is_peer) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t rank = 0; rank < n; rank++)
		address[job->number[rank]] = all[rank];
	find_peers(m, is_peer);
	rc = pl_mesh_connect(&m->engine.mesh, is_peer, address, err);
out:
	free(address);
	free(is_peer);
	return rc;
}

static void say_schedules(const struct pl_engine_mode *m, const char *path)
{
	for (size_t i = 0; i < m->schedules.n; i++) {
		const struct pl_schedule *s = &m->schedules.schedule[i];
		char last[24] = "";

		if (s->size_max < UINT64_MAX)
			snprintf(last, sizeof(last), "%" PRIu64, s->size_max);
		pl_shim_say("mode engine, %s: allreduce %" PRIu64
			    "-%s: %s, %zu slices, chunks of %zu bytes",
			    path, s->size_min, last, s->algorithm, s->slices.n,
			    s->chunk_bytes);
	}
}

static void make_key(unsigned char *key, struct pl_err *err, int *rc)
{
	if (getrandom(key, PL_MESH_KEY_BYTES, 0) != PL_MESH_KEY_BYTES)
		*rc = pl_err_errno(err, "no random bytes");
}

bool pl_engine_mode_begin(const struct pl_mpi_shared *shared,
			  const struct pl_engine_job *job, int limit_s,
			  bool says)
{
	struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_mesh_options o = {.rank = (uint32_t)job->number[job->rank],
				    .n_ranks = (uint32_t)job->n,
				    .n_lanes = 1,
				    .patience_ns =
					    (int64_t)limit_s * 1000000000};
	struct sockaddr_storage mine = {0};
	struct sockaddr_storage *all =
		pl_array_create((size_t)job->n, sizeof(*all));
	struct pl_err err = {0};
	bool good;
	int rc = 0;

	if (!all)
		pl_mpi_no_memory();
	pl_shadow_handler_init();
	m->engine = (struct pl_engine){.mesh = {.listener = -1, .epoll = -1},
				       .idle = let_library_work};
	if (job->rank == 0)
		make_key(o.key, &err, &rc);
	PMPI_Bcast(o.key, sizeof(o.key), MPI_BYTE, 0, MPI_COMM_WORLD);
	if (rc == 0)
		rc = listen_here(m, shared, job, &o, &mine, &err);
	good = agree(shared, job, rc, &err);
	if (good) {
		PMPI_Allgather(&mine, (int)sizeof(mine), MPI_BYTE, all,
			       (int)sizeof(mine), MPI_BYTE, MPI_COMM_WORLD);
		rc = connect_all(m, job, all, &err);
		good = agree(shared, job, rc, &err);
	}
	free(all);
	if (!good) {
		end();
		return false;
	}
	if (says)
		say_schedules(m, shared->path);
	pl_mpi_at_finalize(end);
	pl_engine_mode_is_on = true;
	return true;
}
