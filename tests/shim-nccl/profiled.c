/* SPDX-License-Identifier: BSD-3-Clause */
/* profiled.c - calls a profiler plugin of NCCL as NCCL of one version does */
/*
 *     profiled PLUGIN VERSION RANK N [threads|fork|both|idle]
 *
 * is rank RANK of a job of N: of a communicator of all ranks, and of one "half" of the even or the
 * odd ones. The structures are written down once more here, each as a whole: what the plugin takes
 * for them is not used.
 */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_THREADS 4
#define N_CALLS 500 /* of each thread */

struct named {
	const char *name;
	uint64_t hash;
};

#define COLL(traffic)                                                                              \
	uint64_t seq;                                                                              \
	const char *func;                                                                          \
	const void *send;                                                                          \
	void *recv;                                                                                \
	size_t count;                                                                              \
	int root;                                                                                  \
	const char *type;                                                                          \
	traffic uint8_t channels, warps;                                                           \
	const char *algo, *proto
#define P2P                                                                                        \
	const char *func;                                                                          \
	void *buff;                                                                                \
	const char *type;                                                                          \
	size_t count;                                                                              \
	int peer

#define CHANNEL                                                                                    \
	uint8_t number;                                                                            \
	uint64_t timer

struct event_2 {
	uint8_t type;
	void *parent;
	int rank;
	union {
		struct {
			const char *name;
			uint64_t hash;
			COLL(size_t traffic_bytes;);
		} coll;
		struct {
			const char *name;
			uint64_t hash;
			P2P;
		} p2p;
	};
};

struct event_3 {
	uint8_t type;
	void *parent;
	int rank;
	union {
		struct {
			const char *name;
			uint64_t hash;
			COLL();
		} coll;
		struct {
			const char *name;
			uint64_t hash;
			P2P;
		} p2p;
	};
};

struct event_4 {
	uint8_t type;
	void *parent;
	int rank;
	union {
		struct {
			COLL();
		} coll;
		struct {
			P2P;
			uint8_t channels;
		} p2p;
		struct {
			CHANNEL;
		} channel;
	};
};

struct event_5 {
	uint64_t type;
	void *parent;
	int rank;
	union {
		struct {
			bool captured;
			int depth;
		} group_api;
		struct {
			const char *func;
			size_t count;
			const char *type;
			int root;
			void *stream;
			bool captured;
		} coll_api;
		struct {
			COLL();
			void *group;
		} coll;
		struct {
			P2P;
			uint8_t channels;
			void *group;
		} p2p;
		struct {
			CHANNEL;
		} channel;
		struct {
			uint64_t seq;
			const char *func;
			const void *send;
			void *recv;
			size_t count;
			int root;
			const char *type, *strategy;
		} engines;
	};
};

typedef void log_fn(int level, unsigned long flags, const char *file, int line, const char *fmt,
		    ...);

struct table {
	const char *name;
	void *init;
	int (*start)(void *context, void **handle, void *event);
	int (*stop)(void *handle);
	int (*record)(void *handle, int state, void *args);
	int (*finalize)(void *context);
};

static const struct table *table;
static int version;
static int mask; /* the events that are wanted */

struct comm {
	const char *name;
	uint64_t hash;
	int rank, n;
	void *context;
};

static void init(struct comm *c)
{
	int rc;

	if (version < 4)
		rc = ((int (*)(void **, int *))table->init)(&c->context, &mask);
	else if (version == 4)
		rc = ((int (*)(void **, int *, const char *, uint64_t, int, int, int,
			       log_fn *))table->init)(&c->context, &mask, c->name, c->hash, 2, c->n,
						      c->rank, NULL);
	else
		rc = ((int (*)(void **, uint64_t, int *, const char *, int, int, int,
			       log_fn *))table->init)(&c->context, c->hash, &mask, c->name, 2, c->n,
						      c->rank, NULL);
	if (rc != 0)
		printf("init: %d\n", rc);
}

/* The parts of an event that are in all versions. */
#define FILL_COLL(e)                                                                               \
	e.rank = c->rank;                                                                          \
	e.coll.func = func;                                                                        \
	e.coll.count = count;                                                                      \
	e.coll.type = type;                                                                        \
	e.coll.channels = 2;                                                                       \
	e.coll.algo = algo;                                                                        \
	e.coll.proto = proto
#define FILL_P2P(e)                                                                                \
	e.rank = c->rank;                                                                          \
	e.p2p.func = func;                                                                         \
	e.p2p.count = count;                                                                       \
	e.p2p.type = type;                                                                         \
	e.p2p.peer = peer
#define FILL_NAME(e)                                                                               \
	e.name = c->name;                                                                          \
	e.hash = c->hash

enum {
	GROUP = 1,
	COLL_EVENT = 2,
	P2P_EVENT = 4,
	CHANNEL_EVENT = 64,
	GROUP_API = 256,
	COLL_API = 512,
	ENGINES = 4096
};

/* One event without any more than its type. */
static void *start_plain(const struct comm *c, uint64_t type)
{
	struct event_4 e4 = {.type = (uint8_t)type};
	struct event_5 e5 = {.type = type};
	void *handle = NULL;

	table->start(c->context, &handle, version < 5 ? (void *)&e4 : (void *)&e5);
	return handle;
}

static void stop(void *handle)
{
	/* NCCL 2.24 stops what it has no handle for, too */
	if (handle || version == 2)
		table->stop(handle);
}

/* One of two channels of a collective, by the GPU's clock: 5 us each. */
static void run_channel(const struct comm *c, void *coll, uint8_t number)
{
	const uint64_t start = 1000000 + 10 * (uint64_t)number;
	struct event_4 e4 = {.type = CHANNEL_EVENT, .parent = coll};
	struct event_5 e5 = {.type = CHANNEL_EVENT, .parent = coll};
	uint64_t end[4] = {start + 5000};
	void *handle = NULL;

	e4.channel.number = e5.channel.number = number;
	e4.channel.timer = e5.channel.timer = start;
	table->start(c->context, &handle, version < 5 ? (void *)&e4 : (void *)&e5);
	if (!handle)
		return;
	table->record(handle, 22, end);
	table->stop(handle);
}

/* The launch of a collective or (@peer from 0 on) of a message. */
static void launch(const struct comm *c, const char *func, size_t count, const char *type,
		   const char *algo, const char *proto, int peer)
{
	const uint8_t kind = peer < 0 ? COLL_EVENT : P2P_EVENT;
	struct event_2 e2 = {.type = kind};
	struct event_3 e3 = {.type = kind};
	struct event_4 e4 = {.type = kind};
	struct event_5 e5 = {.type = kind};
	void *const event[] = {&e2, &e3, &e4, &e5, &e5};
	void *group = start_plain(c, GROUP), *handle = NULL;

	if (peer < 0) {
		FILL_COLL(e2);
		FILL_COLL(e3);
		FILL_COLL(e4);
		FILL_COLL(e5);
		FILL_NAME(e2.coll);
		FILL_NAME(e3.coll);
		e2.coll.traffic_bytes = 77777;
	} else {
		FILL_P2P(e2);
		FILL_P2P(e3);
		FILL_P2P(e4);
		FILL_P2P(e5);
		FILL_NAME(e2.p2p);
		FILL_NAME(e3.p2p);
	}
	/* up to 2.27, nothing is told of a group without a handle */
	if (group || version > 4) {
		table->start(c->context, &handle, event[version - 2]);
		stop(handle);
	}
	if (group)
		table->stop(group);
	for (uint8_t i = 2; mask & CHANNEL_EVENT && i > 0; i--)
		run_channel(c, handle, i - 1);
}

static void call_api(const struct comm *c, const char *func, size_t count, const char *type)
{
	struct event_5 e = {.type = COLL_API};
	void *group = start_plain(c, GROUP_API), *handle = NULL;

	e.coll_api.func = func;
	e.coll_api.count = count;
	e.coll_api.type = type;
	table->start(c->context, &handle, &e);
	stop(handle);
	if (group) {
		table->record(group, 23, NULL);
		table->record(group, 24, NULL);
		table->stop(group);
	}
}

/* As the program calls it, with @size bytes an element. */
static void collective(const struct comm *c, const char *func, size_t count, const char *type,
		       size_t size)
{
	const bool is_plain = strcmp(func, "AllGather") == 0 || strcmp(func, "Broadcast") == 0;

	if (!mask)
		return;
	if (version >= 5)
		call_api(c, func, count, type);
	launch(c, func, is_plain ? count * size : count, is_plain ? "ncclInt8" : type, "RING",
	       "LL128", -1);
}

/* NCCL 2.29 and later can gather with copy engines. */
static void all_gather(const struct comm *c, size_t count)
{
	struct event_5 e = {.type = ENGINES};
	void *handle = NULL;

	if (!(mask & ENGINES)) {
		collective(c, "AllGather", count, "ncclFloat64", 8);
		return;
	}
	call_api(c, "AllGather", count, "ncclFloat64");
	e.engines.func = "AllGather";
	e.engines.count = 8 * count;
	e.engines.type = "ncclInt8";
	table->start(c->context, &handle, &e);
	stop(handle);
}

static void *many(void *comm)
{
	for (int i = 0; i < N_CALLS; i++)
		collective(comm, "AllReduce", 1000, "ncclFloat32", 4);
	return NULL;
}

static void use(struct comm *all, struct comm *half, const char *subject)
{
	pthread_t thread[N_THREADS];

	if (!strcmp(subject, "idle"))
		return;
	if (!strcmp(subject, "threads")) {
		for (int i = 0; i < N_THREADS; i++)
			pthread_create(&thread[i], NULL, many, all);
		for (int i = 0; i < N_THREADS; i++)
			pthread_join(thread[i], NULL);
		return;
	}
	for (int i = 0; i < 3; i++)
		collective(all, "AllReduce", 1000, "ncclFloat32", 4);
	collective(half, "ReduceScatter", 25, "ncclBfloat16", 2);
	all_gather(half, 10);
	collective(all, "Broadcast", 50, "ncclFloat16", 2);
	if (!mask)
		return;
	launch(all, "Send", 20, "ncclInt32", NULL, NULL, (all->rank + 1) % all->n);
	launch(all, "Send", 20, "ncclInt32", NULL, NULL, all->rank);
	launch(all, "Recv", 20, "ncclInt32", NULL, NULL, (all->rank + all->n - 1) % all->n);
	launch(all, "Frobnicate", 20, "ncclInt32", "RING", "LL", -1);
}

int main(int argc, char **argv)
{
	const int rank = atoi(argv[3]), n = atoi(argv[4]);
	const char *subject = argc > 5 ? argv[5] : "";
	struct comm all = {NULL, 0xabc, rank, n, NULL};
	struct comm half = {"half", 0xdef0 + (uint64_t)(rank % 2), rank / 2, n / 2, NULL};
	char name[32];
	void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

	version = atoi(argv[2]);
	snprintf(name, sizeof(name), "ncclProfiler_v%d", version);
	table = plugin ? dlsym(plugin, name) : NULL;
	if (!table) {
		printf("%s\n", dlerror());
		return 1;
	}
	init(&all);
	init(&half);
	if (!strcmp(subject, "both")) /* two ranks of it in this process */
		init(&(struct comm){NULL, 0xabc, rank + 1, n, NULL});
	printf("%s: events %d\n", table->name, mask);
	use(&all, &half, subject);
	if (!strcmp(subject, "fork") && fork() == 0) {
		init(&all);
		collective(&all, "Reduce", 1, "Unknown", 1);
		exit(0);
	}
	wait(NULL);
	table->finalize(half.context);
	table->finalize(all.context);
	dlclose(plugin);
	return 0;
}
