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

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool pl_engine_mode_is_on;
struct pl_engine_mode pl_engine_mode;

static void forget(struct pl_engine_mode *m)
{
	pl_live_destroy(m->live);
	pl_rank_part_fini(&m->part);
	pl_schedules_fini(&m->schedules);
	free(m->number);
	free(m->is_peer);
	memset(m, 0, sizeof(*m));
}

static void end(void)
{
	struct pl_engine_mode *m = &pl_engine_mode;

	pl_engine_mode_is_on = false;
	pl_engine_mode_queue_finish(&m->world);
	pl_engine_mode_comms_fini();
	pl_engine_mode_requests_fini();
	pl_engine_queue_fini(&m->world);
	pl_shadow_handler_fini();
	forget(m);
}

static int read_schedules(struct pl_engine_mode *m, const struct pl_mpi_shared *shared,
			  struct pl_err *err)
{
	const uint32_t number = (uint32_t)m->number[m->rank];
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, shared->path, shared->text, (size_t)shared->len, err))
		return -1;
	rc = pl_schedules_parse(&m->schedules, &text, err);
	pl_text_fini(&text);
	if (rc)
		return -1;
	return pl_rank_part_init(&m->part, &m->schedules, number, err);
}

/* Where others reach this process. */
static int find_address(const struct pl_host *host, struct sockaddr_storage *address,
			struct pl_err *err)
{
	struct in6_addr found = {0};
	struct pl_self self = {0};
	int rc;

	if (!host->addr && pl_self_init(&self, err))
		return -1;
	rc = pl_self_address(&self, host, &found, err);
	pl_self_fini(&self);
	*address = pl_self_sockaddr(&found, 0);
	return rc;
}

static int copy_job(struct pl_engine_mode *m, const struct pl_engine_job *job, struct pl_err *err)
{
	const size_t n = (size_t)job->n;

	m->rank = job->rank;
	m->n = job->n;
	m->number = pl_array_create(n, sizeof(*m->number));
	m->is_peer = pl_array_create(n, sizeof(*m->is_peer));
	if (!m->number || !m->is_peer)
		return pl_err_nomem(err);
	memcpy(m->number, job->number, n * sizeof(*m->number));
	return 0;
}

static void live_failed(const struct pl_err *err)
{
	pl_shim_say_err(err, "no live statistics (PLINK_LIVE)");
}

/* By this process' own PLINK_LIVE; the job goes on without. */
static void start_live(struct pl_engine_mode *m)
{
	const char *setting = getenv("PLINK_LIVE");
	struct pl_err err = {0};

	if (!setting || !*setting)
		return;
	m->live = pl_live_create(setting, (uint32_t)m->number[m->rank], &m->schedules.job.hosts,
				 live_failed, &err);
	if (!m->live)
		live_failed(&err);
}

static int prepare(struct pl_engine_mode *m, const struct pl_mpi_shared *shared,
		   const struct pl_engine_job *job, struct pl_err *err)
{
	const struct pl_hosts *hosts = &m->schedules.job.hosts;

	if (read_schedules(m, shared, err))
		return -1;
	if (!m->by_messages && find_address(&hosts->v[job->host], &m->address, err))
		return -1;
	pl_rank_part_peers(&m->part, m->is_peer);
	start_live(m);
	return 0;
}

static void say_schedules(const struct pl_engine_mode *m, const char *path)
{
	if (m->by_messages)
		pl_shim_say("mode engine: chunks go by messages of the MPI library");
	for (size_t i = 0; i < m->schedules.n; i++) {
		const struct pl_schedule *s = &m->schedules.schedule[i];
		char last[24] = "";

		if (s->size_max < UINT64_MAX)
			snprintf(last, sizeof(last), "%" PRIu64, s->size_max);
		pl_shim_say("mode engine, %s: allreduce %" PRIu64
			    "-%s: %s, %zu slices, chunks of %zu bytes",
			    path, s->size_min, last, s->algorithm, s->slices.n, s->chunk_bytes);
	}
}

/* What the library can do on all processes: they may have asked for different levels of threads. */
static void ask_library(struct pl_engine_mode *m)
{
	enum { TAG_MAX, THREADS, ASKED };
	int *tag_max, found, level, own[ASKED], least[ASKED];

	PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_max, &found);
	PMPI_Query_thread(&level);
	own[TAG_MAX] = found ? *tag_max : 32767;
	own[THREADS] = level == MPI_THREAD_MULTIPLE;
	PL_MPI_NEXT(PMPI_Allreduce)
	(own, least, ASKED, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	m->tag_max = least[TAG_MAX];
	m->has_threads = least[THREADS];
}

bool pl_engine_mode_begin(const struct pl_mpi_shared *shared, const struct pl_engine_job *job,
			  int limit_s, bool says)
{
	struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_err err = {0};
	int failed;

	m->limit_s = limit_s;
	m->verbose = shared->verbose;
	m->by_messages = shared->by_messages;
	ask_library(m);
	if (copy_job(m, job, &err))
		pl_mpi_no_memory();
	failed = pl_engine_mode_link(&m->world, MPI_COMM_WORLD, false,
				     prepare(m, shared, job, &err), &err);
	if (failed >= 0) {
		pl_mpi_refuse(shared, failed == m->rank ? &err : NULL);
		forget(m);
		return false;
	}
	pl_shadow_handler_init();
	if (says)
		say_schedules(m, shared->path);
	pl_mpi_at_finalize(end);
	pl_engine_mode_is_on = true;
	return true;
}
