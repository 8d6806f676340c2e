/* SPDX-License-Identifier: BSD-3-Clause */
/* regroup.c - in engine mode, schedules with other groups while the job runs */
/*
 * plink-groups finds the groups in the round trips that the processes have
 * measured (renew.h), and plink-order predicts an all-reduce by the schedule in
 * use and by one with these groups. Chunks and window stay as they are: rates
 * were known when they were chosen. The kernel's own round trips (TCP_INFO) do
 * not serve: they have the queues of the job's chunks in them, and processes
 * that exchange nothing have none.
 */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "base/mem.h"
#include "engine/tune/regroup.h"
#include "engine/tune/retune.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/renew/renew.h"
#include "shim/mpi/shadow/pick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger all-reduces are as much faster as these, and take longer to predict.
 */
#define BYTES_MAX ((uint64_t)4 << 20)

/* Numbers: how many nodes the tree has, 0: as the file has it; then, for each
 * but the last, the group that it is in. */
static struct {
	struct pl_renew_mode mode;
	struct pl_schedules schedules; /* in use; none: those of the file */
	struct pl_rank_part part;
	uint64_t bytes;  /* of the largest call that was counted */
	size_t *host_at; /* [hosts]: as they stand in the file */
} groups;

static size_t n_ranks(void)
{
	return (size_t)pl_engine_mode.n;
}

static const struct pl_schedules *in_use(void)
{
	return groups.schedules.n ? &groups.schedules : &pl_engine_mode.schedules;
}

static const struct pl_schedule *first_grouped(const struct pl_schedules *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (pl_schedule_is_grouped(&s->schedule[i], n_ranks()))
			return &s->schedule[i];
	return NULL;
}

/* The schedule with other groups, if an all-reduce by it is predicted to take
 * so much less time than by the one in use, which follows the matrix. */
static const char script[] = "bytes=$1 keeps=$2 algorithm=$3 gain=$4\n"
			     "matrix() {\n"
			     "	sed '/^# plink-schedule /,$d' /dev/fd/3\n"
			     "}\n"
			     "order() {\n"
			     "	matrix | plink-order -q --matrix=- --size=\"$bytes\" \"$@\" "
			     "4<<END\n"
			     "$file\n"
			     "END\n"
			     "}\n"
			     "takes() {\n"
			     "	order --predict=/dev/fd/4 | awk '!/^#|^size/ { print $3 }'\n"
			     "}\n"
			     "file=$(matrix | plink-groups -q --seed=1 -) || exit\n"
			     "new=$(order --groups=/dev/fd/4 --format=schedule --tune --threads=1 "
			     "\\\n"
			     "	--algorithm=\"$algorithm\" --min-gain=100)\n"
			     "rc=$?\n"
			     "[ $rc != 1 ] || exit 0\n" /* there is only one group */
			     "[ $rc = 0 ] || exit $rc\n"
			     "new=$(echo \"$new\" |\n"
			     "	sed \"s/^\\(schedule [^ ]* [^ ]*\\) .*/\\1 $keeps/\")\n"
			     "file=$(sed -n '/^# plink-schedule /,$p' /dev/fd/3)\n"
			     "now=$(takes)\n"
			     "file=$new\n"
			     "then=$(takes)\n"
			     "[ -n \"$now\" ] && [ -n \"$then\" ] || exit 4\n"
			     "! awk \"BEGIN { exit !($then <= $now * (1 - $gain / 100)) }\" ||\n"
			     "	echo \"$new\"\n";

static int write_in_use(FILE *to)
{
	return pl_schedules_write(in_use(), to, NULL);
}

static int ask(struct pl_renew_asked *asked, const double *rtt_ns, struct pl_err *err)
{
	const struct pl_schedule *s = pl_schedules_find(in_use(), groups.bytes);
	char bytes[24], keeps[96], algorithm[16], gain[8];
	char *const words[] = {bytes, keeps, algorithm, gain, NULL};
	const struct pl_renew_question question = {.hosts = groups.mode.hosts,
						   .host_at = groups.host_at,
						   .rtt_ns = rtt_ns,
						   .script = script,
						   .words = words,
						   .write_more = write_in_use};

	snprintf(bytes, sizeof(bytes), "%" PRIu64,
		 groups.bytes < BYTES_MAX || s->size_min > BYTES_MAX ? groups.bytes : BYTES_MAX);
	snprintf(keeps, sizeof(keeps), "chunk=%zu window=%zu%s", s->chunk_bytes, s->window,
		 s->any_order ? " merge=arrival" : "");
	snprintf(algorithm, sizeof(algorithm), "%s",
		 strcmp(s->algorithm, "levels") == 0 ? "levels" : "two-level");
	snprintf(gain, sizeof(gain), "%d", PL_RENEW_GAIN);
	groups.bytes = 0;
	return pl_renew_ask(asked, &question, err);
}

static bool same_hosts(const struct pl_hosts *a, const struct pl_hosts *b)
{
	bool same = a->n == b->n;

	for (size_t h = 0; same && h < a->n; h++)
		same = strcmp(a->v[h].name, b->v[h].name) == 0 && a->v[h].slots == b->v[h].slots;
	return same;
}

/* Nothing, or a schedule. */
static enum pl_renew_answer parse(char *text, int *number)
{
	enum pl_renew_answer answer = PL_RENEW_FAILED;
	struct pl_schedules found = {0};
	const struct pl_schedule *s = NULL;
	struct pl_text of;

	if (!*text)
		return PL_RENEW_STAY;
	if (pl_text_copy(&of, "", text, strlen(text), NULL))
		return PL_RENEW_FAILED;
	if (pl_schedules_parse(&found, &of, NULL) == 0 &&
	    same_hosts(&found.job.hosts, groups.mode.hosts))
		s = first_grouped(&found);
	if (s) {
		number[0] = (int)s->n_nodes;
		for (size_t v = 0; v + 1 < s->n_nodes; v++)
			number[1 + v] = (int)s->parent[v];
		answer = PL_RENEW_TAKE;
	}
	pl_schedules_fini(&found);
	pl_text_fini(&of);
	return answer;
}

/* 0, or -1: they cannot be made. */
static int make(struct pl_schedules *to, struct pl_rank_part *part, const int *number)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	const size_t n = (size_t)number[0];
	uint32_t *parent = pl_array_create(n, sizeof(*parent));
	int rc = parent ? 0 : -1;

	for (size_t v = 0; rc == 0 && v + 1 < n; v++)
		parent[v] = (uint32_t)number[1 + v];
	if (rc == 0)
		rc = pl_regroup(to, &m->schedules, parent, n, NULL);
	if (rc == 0)
		rc = pl_schedules_add_up(to, NULL);
	if (rc == 0)
		rc = pl_rank_part_init(part, to, (uint32_t)m->number[m->rank], NULL);
	free(parent);
	return rc;
}

/* Have all processes made the same? */
static bool have_all(MPI_Comm comm, bool has, const struct pl_schedules *s)
{
	const uint64_t digest = has ? pl_schedules_digest(s) : 0;
	uint64_t mine[3] = {has, digest, ~digest}, least[3] = {0};

	return PL_MPI_NEXT(PMPI_Allreduce)(mine, least, 3, MPI_UINT64_T, MPI_MIN, comm) ==
		       MPI_SUCCESS &&
	       least[0] && least[1] == ~least[2];
}

static int take(MPI_Comm comm, const int *number)
{
	struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_schedules schedules = {0}, before = groups.schedules;
	struct pl_rank_part part = {0}, part_before = groups.part;
	const bool has = number[0] == 0 || make(&schedules, &part, number) == 0;

	if (!have_all(comm, has, schedules.n ? &schedules : &m->schedules)) {
		pl_rank_part_fini(&part);
		pl_schedules_fini(&schedules);
		return -1;
	}
	pl_engine_mode_queue_finish(&m->world);
	groups.schedules = schedules;
	groups.part = part;
	groups.part.schedules = &groups.schedules;
	pl_engine_replace(&m->world.engine, schedules.n ? &groups.part : &m->part,
			  "round trips have changed: other groups");
	pl_rank_part_fini(&part_before);
	pl_schedules_fini(&before);
	return 0;
}

/* The name of the process' host; "" where it is not its first. */
static const char *first_on(size_t process)
{
	const struct pl_hosts *hosts = groups.mode.hosts;
	size_t h = 0;

	while (process >= (size_t)hosts->v[h].slots)
		process -= (size_t)hosts->v[h++].slots;
	return process == 0 ? hosts->v[h].name : "";
}

static void describe(const int *number, char *to, size_t bytes)
{
	const struct pl_schedule *s = first_grouped(&pl_engine_mode.schedules);
	const size_t n_nodes = number[0] ? (size_t)number[0] : s->n_nodes;
	size_t len = 0;

	*to = '\0';
	for (size_t g = n_ranks(); g < n_nodes; g++)
		for (size_t v = 0, n = 0; v < n_ranks() && len < bytes; v++) {
			const size_t of = number[0] ? (size_t)number[1 + v] : s->parent[v];
			const char *host = of == g ? first_on(v) : "";

			if (*host)
				len += (size_t)snprintf(to + len, bytes - len, "%s %s",
							n++ == 0 && len > 0 ? "," : "", host);
		}
}

void pl_engine_mode_count(const struct pl_engine_mode_call *call, const struct pl_schedule *s)
{
	const uint64_t bytes = pl_shadow_bytes(call->count, call->type);

	if (!pl_schedule_is_grouped(s, n_ranks()))
		return;
	if (bytes > groups.bytes)
		groups.bytes = bytes;
	pl_renew_count();
}

/* [n]: the host of each rank. */
static int *hosts_of_ranks(const struct pl_hosts *hosts)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	int *host_of = pl_array_create(n_ranks(), sizeof(*host_of));

	if (!host_of)
		pl_mpi_no_memory();
	for (int rank = 0; rank < m->n; rank++) {
		int process = m->number[rank];

		while (process >= hosts->v[host_of[rank]].slots)
			process -= hosts->v[host_of[rank]++].slots;
	}
	return host_of;
}

void pl_engine_mode_begin_regroup(void)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	const struct pl_hosts *hosts = &m->schedules.job.hosts;
	int *host_of = hosts_of_ranks(hosts), *number;
	const char *why_not = NULL;

	if (m->by_messages)
		why_not = "chunks go by messages of the MPI library";
	else if (!m->schedules.is_tuned)
		why_not = "the schedules may not change (plink-order --tune)";
	else if (!first_grouped(&m->schedules))
		why_not = "no schedule has groups";
	groups.mode = (struct pl_renew_mode){.what = "grouping",
					     .hosts = hosts,
					     .n = 2 * n_ranks() + 1,
					     .ask = ask,
					     .parse = parse,
					     .take = take,
					     .describe = describe};
	number = pl_array_create(groups.mode.n, sizeof(*number));
	groups.host_at = pl_array_create(hosts->n, sizeof(size_t));
	if (!number || !groups.host_at)
		pl_mpi_no_memory();
	for (size_t h = 0; h < hosts->n; h++)
		groups.host_at[h] = h;
	pl_renew_begin(&groups.mode, host_of, number, why_not, m->verbose);
	free(host_of);
	free(number);
}

void pl_engine_mode_end_regroup(void)
{
	pl_renew_end();
	pl_rank_part_fini(&groups.part);
	pl_schedules_fini(&groups.schedules);
	free(groups.host_at);
	memset(&groups, 0, sizeof(groups));
}
