/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-no-memory.c - a rank of two, a process each, that lacks memory once: it fails, or has the
 * sums, as the other does, and nothing is released twice or not at all */
#include "config.h"

#include "engine/queue.h"
#include "tests/engine/loopback.h"
#include "tests/failalloc.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 2
#define COUNT 20000
#define CALLS 12

/* A job. Rank 0's plans are made anew after each call. */
struct job {
	const char *name, *lines;
	bool shares_memory, is_live;
	int (*call)(struct pl_engine *e, const struct pl_allreduce_call *call, struct pl_err *err);
};

/* One of its processes. */
struct member {
	const struct job *job;
	uint32_t rank;
	int peer; /* by which both learn where the other listens */
	bool is_connected, is_wrong;
	struct pl_err err;
};

static char live_path[] = "/tmp/plink-unit-XXXXXX";
static double value[4 * N];
static bool is_first;

static bool draw_plan(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	(void)t;
	(void)s;
	is_first = !is_first;
	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++)
		value[i] += 1 + (double)i;
	return true;
}

static const double *plan(const struct pl_tuner *t)
{
	(void)t;
	return is_first ? NULL : value;
}

static const struct pl_tuning_rules rules = {.step = draw_plan, .plan = plan, .calls_min = 1};

static int call_once(struct pl_engine *e, const struct pl_allreduce_call *call, struct pl_err *err)
{
	return pl_engine_allreduce(e, 0, call, err);
}

/* By a queue of its own, in its thread and in the caller's; the engine is given to it. */
static int call_queue(struct pl_engine *e, const struct pl_allreduce_call *call, struct pl_err *err)
{
	struct pl_engine_task first = {.call = *call}, second = {.call = *call};
	int other[COUNT] = {0};
	struct pl_engine_queue q;

	if (pl_engine_queue_init(&q, e, err))
		return -1;
	second.call.buffer = other;
	pl_engine_queue_add(&q, &second);
	pl_engine_queue_run(&q, &first, NULL, NULL);
	while (!pl_engine_queue_wait(&q, NULL, 1000000000))
		;
	*err = first.rc ? first.err : second.err;
	pl_engine_queue_fini(&q);
	*e = (struct pl_engine){.mesh = {.listener = -1, .epoll = -1}};
	return first.rc || second.rc ? -1 : 0;
}

static int run_calls(struct member *m, struct pl_engine *e)
{
	static int data[COUNT];
	const int calls = m->job->call == call_queue ? 1 : CALLS;

	for (int i = 0; i < calls; i++) {
		const struct pl_allreduce_call call = {.buffer = data,
						       .count = i % 2 ? 10 : COUNT,
						       .adder = {add_ints, NULL, sizeof(int)}};

		for (size_t k = 0; k < call.count; k++)
			data[k] = (int)(k + m->rank) + i;
		if (m->job->call(e, &call, &m->err))
			return -1;
		for (size_t k = 0; k < call.count; k++)
			m->is_wrong |= data[k] != (int)(2 * k + 1) + 2 * i;
	}
	return 0;
}

static int read_schedules(const struct member *m, struct pl_schedules *s, struct pl_err *err)
{
	char text[1000];
	struct pl_text of;
	int rc;

	snprintf(text, sizeof(text),
		 "# plink-schedule 1\nhost 0 a\nhost 1 b\n%sslice 2\nround add 0>1\nround store "
		 "1>0\n"
		 "slice 1\nround add 1>0\nround store 0>1\n",
		 m->job->lines);
	rc = pl_text_copy(&of, "schedule", text, strlen(text), err);
	if (rc == 0) {
		rc = pl_schedules_parse(s, &of, err);
		pl_text_fini(&of);
	}
	return rc == 0 ? pl_schedules_check(s, err) : -1;
}

/* Where both listen; a family of 0: a rank does not. */
static int tell(const struct member *m, struct sockaddr_storage *address)
{
	const size_t bytes = sizeof(*address);

	return send(m->peer, &address[m->rank], bytes, 0) == (ssize_t)bytes &&
			       recv(m->peer, &address[!m->rank], bytes, MSG_WAITALL) ==
				       (ssize_t)bytes &&
			       address[!m->rank].ss_family != 0
		       ? 0
		       : -1;
}

static int begin(struct member *m, struct pl_engine *e, struct pl_schedules *s,
		 struct pl_rank_part *part)
{
	const struct pl_mesh_options o = {.rank = m->rank,
					  .n_ranks = N,
					  .n_lanes = 2,
					  .shares_memory = m->job->shares_memory,
					  .patience_ns = 20000000000};
	struct sockaddr_storage address[N] = {{0}, {0}};
	struct sockaddr_in *mine = (struct sockaddr_in *)&address[m->rank];
	bool is_peer[N] = {false};
	int rc = read_schedules(m, s, &m->err);

	mine->sin_family = AF_INET;
	mine->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (rc == 0)
		rc = pl_rank_part_init(part, s, m->rank, &m->err) ||
				     pl_mesh_listen(&e->mesh, &o, &address[m->rank], &m->err)
			     ? -1
			     : 0;
	if (rc)
		address[m->rank] = (struct sockaddr_storage){0};
	if (tell(m, address) || rc)
		return -1;
	pl_rank_part_peers(part, is_peer);
	m->is_connected = pl_mesh_connect(&e->mesh, is_peer, address, &m->err) == 0;
	return m->is_connected ? pl_engine_tune(e, &rules, &m->err) : -1;
}

static void say_live(const struct pl_err *err)
{
	(void)err;
}

/* 0: all calls have ended; -1: m->err says why not. */
static int take_part(struct member *m)
{
	struct pl_schedules schedules = {0};
	struct pl_rank_part part = {0};
	struct pl_engine e = {
		.mesh = {.listener = -1, .epoll = -1}, .part = &part, .patience_ns = 20000000000};
	struct pl_live *live = NULL;
	int rc = begin(m, &e, &schedules, &part);

	if (rc == 0 && m->job->is_live) {
		live = pl_live_create(live_path, m->rank, &schedules.job.hosts, say_live, &m->err);
		rc = live ? pl_engine_tell(&e, live, &m->err) : -1;
	}
	if (rc == 0)
		rc = run_calls(m, &e);
	pl_engine_fini(&e);
	pl_live_destroy(live);
	pl_rank_part_fini(&part);
	pl_schedules_fini(&schedules);
	close(m->peer);
	return rc;
}

/* The other rank, which lacks nothing: exits with 1 for a wrong sum. */
static pid_t begin_other(const struct member *of, int fd[2])
{
	struct member m = {.job = of->job, .rank = !of->rank, .peer = fd[1]};
	const pid_t pid = fork();

	if (pid != 0) {
		close(fd[1]);
		return pid;
	}
	close(fd[0]);
	take_part(&m);
	_exit(m.is_wrong);
}

/* Runs the job with a rank whose allocation @k is refused, if there are so many. What is wrong
 * then, or NULL. */
static const char *fault(const struct job *job, uint32_t rank, size_t k, bool *refused)
{
	struct member m = {.job = job, .rank = rank};
	int fd[2], status = -1, rc;
	size_t live;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return "no sockets";
	m.peer = fd[0];
	pid = begin_other(&m, fd);
	failalloc_begin(k);
	rc = take_part(&m);
	*refused = failalloc_end(&live);
	if (!m.is_connected) /* and the other may wait for it */
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (m.is_connected && status != 0)
		return "the other has a wrong sum, or crashes";
	if (m.is_wrong)
		return "a wrong sum";
	if (live > 0)
		return "memory is not released";
	if (rc && !m.err.text[0])
		return "no reason";
	return rc && !*refused ? "it fails, and nothing was refused" : NULL;
}

static void check(const struct job *job, uint32_t rank)
{
	const char *wrong = NULL;
	bool refused = true;
	size_t k;

	for (k = 0; refused && !wrong; k++)
		wrong = fault(job, rank, k, &refused);
	ok(k > 20 && !wrong, "%s, rank %u: %zu allocations, each refused once%s%s", job->name, rank,
	   k - 1, wrong ? ": " : "", wrong ? wrong : "");
}

int main(void)
{
	static const struct job jobs[] = {
		{"two connections", "connections 2\nschedule x 0- chunk=512 window=3\n", false,
		 false, call_once},
		{"shared memory", "connections 2\nschedule x 0- chunk=512 window=3\n", true, false,
		 call_once},
		{"live statistics", "schedule x 0- chunk=512 window=3\n", false, true, call_once},
		{"a queue", "schedule x 0- chunk=512 window=3\n", false, false, call_queue},
		{"tuned schedules", "tune\nschedule x 0- chunk=512 window=3\ntree 2 2\n", false,
		 false, call_once},
	};
	const int fd = mkstemp(live_path);

	if (fd < 0)
		return 99;
	close(fd);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		for (uint32_t rank = 0; rank < N; rank++)
			check(&jobs[i], rank);
	unlink(live_path);
	return done_testing();
}
