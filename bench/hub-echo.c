/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-echo.c - what goes through a hub on this machine, against an echo over the same sockets and
 * against memory alone */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "bench/options.h"
#include "engine/engine.h"
#include "engine/reduce.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TOOL "hub-echo"
#define CLIENTS_MAX 64
#define CALLS_MAX 10000
#define WARMUP 3
#define PATIENCE_NS ((int64_t)60 * 1000 * 1000 * 1000)

static const char help[] =
	"usage: hub-echo [OPTION]...\n"
	"A hub and its clients, a process each, over TCP. In turn: chunks of as\n"
	"many bytes are echoed over the connections, then an all-reduce goes\n"
	"through the hub, then one process copies the bytes of one client and\n"
	"adds those of all others. Prints medians, as rank 0 sees them, and the\n"
	"mean processor time of all processes.\n"
	"  --clients=N   (8)\n"
	"  --bytes=N     of each client's buffer (4194304)\n"
	"  --chunk=N     bytes of a chunk (32768)\n"
	"  --window=N    chunks ahead (8)\n"
	"  --calls=N     of each kind (100)\n";

enum kind { ECHO, HUB, ADD, KINDS };

struct shared {
	pthread_barrier_t all; /* an engine reads ahead what comes after a call */
	double us[KINDS][CALLS_MAX];
	/* of all processes' processors, in all calls; atomic */
	int64_t processor_ns[KINDS];
};

/* All processes have this. */
struct bench {
	int64_t n, bytes, chunk, window, calls;
	struct pl_schedules schedules;
	struct pl_mesh mesh[CLIENTS_MAX + 1];
	struct sockaddr_storage address[CLIENTS_MAX + 1];
	struct shared *shared;
};

static int fail(const char *what)
{
	fprintf(stderr, TOOL ": %s\n", what);
	exit(4);
}

static double now_us(void)
{
	return (double)pl_clock_ns() / 1e3;
}

/* Of this process. */
static int64_t processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* One hub adds up all. */
static void write_schedule(struct bench *b)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct pl_text of;
	struct pl_err err;

	if (!out)
		fail("out of memory");
	fprintf(out, "# plink-schedule 1\n");
	for (int64_t i = 0; i < b->n; i++)
		fprintf(out, "host %d h%d\n", (int)i, (int)i);
	fprintf(out,
		"aggregator hub\nschedule hub 0- chunk=%d window=%d\n"
		"slice 1\nround add",
		(int)b->chunk, (int)b->window);
	for (int64_t i = 0; i < b->n; i++)
		fprintf(out, " %d>%d", (int)i, (int)b->n);
	fprintf(out, "\nround store");
	for (int64_t i = 0; i < b->n; i++)
		fprintf(out, " %d>%d", (int)b->n, (int)i);
	fprintf(out, "\n");
	fclose(out);
	if (pl_text_copy(&of, "schedule", text, len, &err) ||
	    pl_schedules_parse(&b->schedules, &of, &err))
		fail(err.text);
	pl_text_fini(&of);
	free(text);
}

static void listen_all(struct bench *b)
{
	struct pl_mesh_options o = {.n_ranks = (uint32_t)b->n + 1,
				    .first_hub = (uint32_t)b->n,
				    .n_lanes = 1,
				    .patience_ns = PATIENCE_NS};
	struct pl_err err;

	for (; o.rank <= b->n; o.rank++) {
		struct sockaddr_in *a = (struct sockaddr_in *)&b->address[o.rank];

		*a = (struct sockaddr_in){.sin_family = AF_INET,
					  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		if (pl_mesh_listen(&b->mesh[o.rank], &o, &b->address[o.rank], &err))
			fail(err.text);
	}
}

/* Sends as many bytes as the window allows and takes what comes back. */
static void echo_client(const struct bench *b, int fd, char *buffer)
{
	const size_t all = (size_t)b->bytes;
	const size_t ahead = (size_t)(b->chunk * b->window);
	size_t sent = 0, got = 0;

	while (got < all) {
		const size_t most = got + ahead < all ? got + ahead : all;
		struct pollfd p = {.fd = fd, .events = POLLIN};
		ssize_t n = 0;

		if (sent < most)
			n = send(fd, buffer + sent, most - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0)
			sent += (size_t)n;
		else if (n < 0 && errno != EAGAIN)
			fail("the echo is broken");
		n = recv(fd, buffer + got, sent - got, MSG_DONTWAIT);
		if (n > 0)
			got += (size_t)n;
		else if (n == 0 && sent > got)
			fail("the echo has ended");
		if (n > 0)
			continue;
		p.events |= sent < most ? POLLOUT : 0;
		poll(&p, 1, -1);
	}
}

static void send_all(int fd, const char *from, size_t n)
{
	while (n > 0) {
		struct pollfd p = {.fd = fd, .events = POLLOUT};
		const ssize_t sent = send(fd, from, n, MSG_NOSIGNAL);

		if (sent > 0) {
			from += sent;
			n -= (size_t)sent;
		} else if (errno == EAGAIN) {
			poll(&p, 1, -1);
		} else {
			fail("the echo is broken");
		}
	}
}

/* Sends everything back to all clients, a chunk at most at once. */
static void echo_server(const struct bench *b, const struct pl_mesh *mesh, char *buffer)
{
	size_t left[CLIENTS_MAX];
	struct pollfd fd[CLIENTS_MAX];
	int64_t open = b->n;

	for (int64_t i = 0; i < b->n; i++) {
		left[i] = (size_t)b->bytes;
		fd[i] = (struct pollfd){.fd = mesh->lane[i].fd, .events = POLLIN};
	}
	while (open > 0) {
		poll(fd, (nfds_t)b->n, -1);
		for (int64_t i = 0; i < b->n; i++) {
			const size_t chunk = (size_t)b->chunk;
			ssize_t n;

			if (fd[i].fd < 0 || !fd[i].revents)
				continue;
			n = recv(fd[i].fd, buffer, left[i] < chunk ? left[i] : chunk, 0);
			if (n <= 0)
				fail("a client has gone");
			send_all(fd[i].fd, buffer, (size_t)n);
			left[i] -= (size_t)n;
			if (left[i] == 0) {
				fd[i].fd = -1;
				open--;
			}
		}
	}
}

/* What a hub does, without sockets. */
static void add_all(const struct bench *b, const struct pl_adder *adder, const char *clients,
		    char *sum)
{
	const size_t chunk = (size_t)b->chunk, all = (size_t)b->bytes;

	for (size_t at = 0; at < all; at += chunk) {
		const size_t n = all - at < chunk ? all - at : chunk;

		memcpy(sum + at, clients + at, n);
		for (int64_t i = 1; i < b->n; i++)
			adder->add(sum + at, clients + (size_t)i * all + at,
				   n / adder->element_bytes, adder->with);
	}
}

struct member {
	struct bench *b;
	uint32_t rank;
	struct pl_rank_part part;
	struct pl_engine engine;
	struct pl_adder adder;
	char *buffer, *clients;
};

static void begin(struct member *m)
{
	bool is_peer[CLIENTS_MAX + 1] = {false};
	struct pl_err err;

	m->engine.mesh = m->b->mesh[m->rank];
	m->engine.part = &m->part;
	m->engine.patience_ns = PATIENCE_NS;
	m->adder = pl_reduce_adder(PL_REDUCE_FLOAT, PL_REDUCE_SUM);
	m->buffer = calloc(1, (size_t)m->b->bytes);
	m->clients = calloc(m->rank == m->b->n ? (size_t)m->b->n : 1, (size_t)m->b->bytes);
	if (!m->buffer || !m->clients ||
	    pl_rank_part_init(&m->part, &m->b->schedules, m->rank, &err))
		fail("out of memory");
	if (m->rank == m->b->n) /* pages of its own */
		memset(m->clients, 1, (size_t)(m->b->n * m->b->bytes));
	pl_rank_part_peers(&m->part, is_peer);
	if (pl_mesh_connect(&m->engine.mesh, is_peer, m->b->address, &err))
		fail(err.text);
}

static void echo(struct member *m)
{
	if (m->rank == m->b->n)
		echo_server(m->b, &m->engine.mesh, m->buffer);
	else
		echo_client(m->b, m->engine.mesh.lane[m->b->n].fd, m->buffer);
}

static void all_reduce(struct member *m)
{
	const struct pl_allreduce_call call = {.buffer = m->buffer,
					       .count = (size_t)m->b->bytes / sizeof(float),
					       .adder = m->adder};
	struct pl_err err;

	if (pl_engine_allreduce(&m->engine, 0, &call, &err))
		fail(err.text);
}

static void add(struct member *m)
{
	if (m->rank == m->b->n)
		add_all(m->b, &m->adder, m->clients, m->buffer);
}

static void (*const make[KINDS])(struct member *m) = {
	[ECHO] = echo, [HUB] = all_reduce, [ADD] = add};

/* All begin together. Rank 0's time counts, or that of who adds. */
static void call(struct member *m, enum kind kind, int64_t k)
{
	struct shared *shared = m->b->shared;
	const uint32_t who = kind == ADD ? (uint32_t)m->b->n : 0;
	double begun_us;
	int64_t ns;

	memset(m->buffer, 0, (size_t)m->b->bytes);
	pthread_barrier_wait(&shared->all);
	begun_us = now_us();
	ns = processor_ns();
	make[kind](m);
	if (k < 0)
		return;
	__atomic_add_fetch(&shared->processor_ns[kind], processor_ns() - ns, __ATOMIC_RELAXED);
	if (m->rank == who)
		shared->us[kind][k] = now_us() - begun_us;
}

static void run(struct bench *b, uint32_t rank)
{
	struct member m = {.b = b, .rank = rank};

	begin(&m);
	for (int64_t k = -WARMUP; k < b->calls; k++)
		for (int kind = 0; kind < KINDS; kind++)
			call(&m, (enum kind)kind, k);
	free(m.buffer);
	free(m.clients);
	pl_rank_part_fini(&m.part);
	pl_engine_fini(&m.engine);
}

static void print(const struct bench *b)
{
	static const char *const name[KINDS] = {"echo", "hub", "memory"};
	double ms[KINDS], cpu_ms[KINDS];

	printf("%d clients, %d bytes in chunks of %d, window %d, %d calls of each kind, in turn\n",
	       (int)b->n, (int)b->bytes, (int)b->chunk, (int)b->window, (int)b->calls);
	for (int i = 0; i < KINDS; i++) {
		ms[i] = pl_median(b->shared->us[i], (size_t)b->calls) / 1e3;
		cpu_ms[i] = (double)b->shared->processor_ns[i] / 1e6 / (double)b->calls;
		printf("%-6s %8.2f ms  %6.2f GB/s in  %8.2f ms of processors\n", name[i], ms[i],
		       (double)(b->n * b->bytes) / ms[i] / 1e6, cpu_ms[i]);
	}
	printf("hub: %.2f of the echo's throughput, %.2f by processor time; %.2f of memory's\n",
	       ms[ECHO] / ms[HUB], cpu_ms[ECHO] / cpu_ms[HUB], ms[ADD] / ms[HUB]);
}

/* A process for each; if one fails, all end. */
static int run_all(struct bench *b)
{
	pid_t pid[CLIENTS_MAX + 1];
	int rc = 0;

	for (uint32_t r = 0; r <= b->n; r++) {
		pid[r] = fork();
		if (pid[r] == 0) {
			run(b, r);
			_exit(0);
		}
	}
	for (int status; wait(&status) > 0;) {
		for (uint32_t r = 0; status && rc == 0 && r <= b->n; r++)
			kill(pid[r], SIGTERM);
		rc = rc || status ? -1 : 0;
	}
	return rc;
}

static void share(struct bench *b)
{
	pthread_barrierattr_t attr;

	b->shared = mmap(NULL, sizeof(*b->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b->shared == MAP_FAILED)
		fail("out of memory");
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&b->shared->all, &attr, (unsigned)b->n + 1);
}

int main(int argc, char **argv)
{
	static struct bench b = {
		.n = 8, .bytes = 4 << 20, .chunk = 32768, .window = 8, .calls = 100};
	const struct bench_option options[] = {
		{"clients", .whole = &b.n, .least = 1, .most = CLIENTS_MAX},
		{"bytes", .whole = &b.bytes, .least = 4, .most = 1 << 30},
		{"chunk", .whole = &b.chunk, .least = 4, .most = 1 << 26},
		{"window", .whole = &b.window, .least = 1, .most = 1024},
		{"calls", .whole = &b.calls, .least = 1, .most = CALLS_MAX}};
	const int status = bench_options(TOOL, help, options, sizeof(options) / sizeof(options[0]),
					 argc, argv);

	if (status >= 0)
		return status;
	share(&b);
	write_schedule(&b);
	listen_all(&b);
	if (run_all(&b))
		return 4;
	print(&b);
	return 0;
}
