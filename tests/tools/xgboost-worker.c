/* SPDX-License-Identifier: BSD-3-Clause */
/* xgboost-worker.c - a worker of an XGBoost job, whose writes are counted; the tracker, where
 * XGBoost has it in its library; or what patterns say */
/*
 *   xgboost-worker MACHINE N             joins the job of N workers that DMLC_
 *                                        variables name
 *   xgboost-worker rule                  prints the rule of this XGBoost
 *   xgboost-worker tracker N [ADDRESS]   prints its port, serves a job
 *   xgboost-worker expected N RULE
 *
 * A worker connects from an address of its own, by which others know it:
 * 127.1.0.MACHINE. It prints its rank, and like the last form a line
 * "ELEMENTS SOURCE DESTINATION BYTES" for each rank that it wrote to.
 */
#include "config.h"

#include "base/err.h"
#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-traffic.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xgboost/c_api.h>

#define RANKS_MAX 64
#define MACHINES 0x7f010000 /* 127.1.0.0 */

/* Of doubles: fewer than ranks; blocks of one, with a rest, short ones; and
 * the last that rabit sends along its tree, the first that it does not. */
static const size_t elements[] = {1, 16, 37, 1000, 32768, 32769};
#define N_CASES (sizeof(elements) / sizeof(*elements))

static int machine, n_ranks;
/* by machine; XGBoost may write in a thread of its own */
static _Atomic uint64_t sent[RANKS_MAX];

/* In place of the C library's. */
ssize_t send(int fd, const void *buf, size_t len, int flags)
{
	const ssize_t n = syscall(SYS_sendto, fd, buf, len, flags, NULL, 0);
	struct sockaddr_in to = {0};
	socklen_t to_len = sizeof(to);

	if (n > 0 && getpeername(fd, (struct sockaddr *)&to, &to_len) == 0 &&
	    (ntohl(to.sin_addr.s_addr) & ~0xffU) == MACHINES)
		sent[ntohl(to.sin_addr.s_addr) % RANKS_MAX] += (uint64_t)n;
	return n;
}

int connect(int fd, const struct sockaddr *to, socklen_t len)
{
	const struct sockaddr_in from = {.sin_family = AF_INET,
					 .sin_addr.s_addr = htonl(MACHINES + (uint32_t)machine)};

	if (to->sa_family == AF_INET && bind(fd, (const struct sockaddr *)&from, sizeof(from)))
		return -1;
	return (int)syscall(SYS_connect, fd, to, len);
}

static int fail(const char *what)
{
	fprintf(stderr, "xgboost-worker: %s: %s\n", what, XGBGetLastError());
	return 1;
}

typedef int tracker_fn(const char *config, void **tracker);
typedef int tracker_says_fn(void *tracker, const char **says);
typedef int tracker_runs_fn(void *tracker, const char *config);

/* Only XGBoost 2.1 and later have these functions. */
static void *find(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

static bool is_rabit(void)
{
	return !find("XGTrackerCreate");
}

static int serve(const char *n, const char *address)
{
	tracker_fn *create;
	tracker_says_fn *args;
	tracker_runs_fn *run, *wait;
	char config[100];
	const char *says;
	void *tracker;

	*(void **)&create = find("XGTrackerCreate");
	*(void **)&args = find("XGTrackerWorkerArgs");
	*(void **)&run = find("XGTrackerRun");
	*(void **)&wait = find("XGTrackerWaitFor");
	snprintf(config, sizeof(config),
		 "{\"dmlc_communicator\":\"rabit\",\"host\":\"%s\",\"n_workers\":%s,\"sortby\":1}",
		 address, n);
	if (create(config, &tracker) || run(tracker, "{}") || args(tracker, &says))
		return fail("tracker");
	printf("%d\n", atoi(strstr(says, "port\":") + strlen("port\":")));
	fflush(stdout);
	return wait(tracker, "{}") ? fail("tracker") : 0;
}

static int reduce(double *data, size_t n)
{
	const int type = is_rabit() ? 7 : 2, sum = 2;

	return XGCommunicatorAllreduce(data, n, type, sum);
}

static int run_case(size_t n, const double *rank_on)
{
	double *data = pl_array_create(n, sizeof(*data));
	const int rank = XGCommunicatorGetRank();

	if (!data)
		return fail("memory");
	for (size_t i = 0; i < n; i++)
		data[i] = (double)(i % 7 + (size_t)rank);
	for (int m = 0; m < n_ranks; m++)
		sent[m] = 0;
	if (reduce(data, n))
		return fail("all-reduce");
	for (int m = 0; m < n_ranks; m++)
		if (sent[m])
			printf("%zu %d %d %" PRIu64 "\n", n, rank, (int)rank_on[m], sent[m]);
	for (size_t i = 0; i < n; i++)
		if (data[i] != n_ranks * (double)(i % 7) + n_ranks * (n_ranks - 1) / 2.0)
			return fail("a wrong sum");
	free(data);
	return 0;
}

static int work(void)
{
	double rank_on[RANKS_MAX] = {0};
	char config[200];

	snprintf(config, sizeof(config),
		 "{\"DMLC_TRACKER_URI\":\"%s\",\"DMLC_TRACKER_PORT\":%s,\"DMLC_TASK_ID\":\"%s\"}",
		 getenv("DMLC_TRACKER_URI"), getenv("DMLC_TRACKER_PORT"), getenv("DMLC_TASK_ID"));
	if (XGCommunicatorInit(config))
		return fail("init");
	if (XGCommunicatorGetWorldSize() != n_ranks)
		return fail("ranks");
	printf("rank %d machine %d\n", XGCommunicatorGetRank(), machine);
	rank_on[machine] = XGCommunicatorGetRank();
	if (reduce(rank_on, RANKS_MAX))
		return fail("all-reduce");
	for (size_t i = 0; i < N_CASES; i++)
		if (run_case(elements[i], rank_on))
			return 1;
	return XGCommunicatorFinalize() ? fail("end") : 0;
}

static int expect(const char *rule)
{
	static uint64_t bytes[RANKS_MAX * RANKS_MAX];
	const size_t n = (size_t)n_ranks;
	const struct pl_algorithm *a = pl_catalogue_named(PL_ALLREDUCE, PL_XGBOOST, rule);

	for (size_t i = 0; i < N_CASES; i++) {
		const struct pl_call call = {
			.n_pos = n, .bytes = 8 * elements[i], .element_bytes = 8};
		struct pl_pattern p;
		struct pl_err err;

		if (pl_algorithm_pattern(a, &call, &p, &err))
			return fail(err.text);
		pattern_traffic(&p, bytes);
		pl_pattern_fini(&p);
		for (size_t k = 0; k < n * n; k++)
			if (bytes[k])
				printf("%zu %zu %zu %" PRIu64 "\n", elements[i], k / n, k % n,
				       bytes[k]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "rule") == 0)
		return puts(is_rabit() ? "rabit" : "default") < 0;
	if (argc < 3)
		return 2;
	n_ranks = atoi(argv[2]);
	if (strcmp(argv[1], "tracker") == 0)
		return serve(argv[2], argc > 3 ? argv[3] : "127.0.0.1");
	if (strcmp(argv[1], "expected") == 0)
		return argc == 4 ? expect(argv[3]) : 2;
	machine = atoi(argv[1]);
	return work();
}
