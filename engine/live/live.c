/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c - what a process sends and waits for, written while the job runs */
#include "config.h"

#include "engine/live/live.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/live/output.h"
#include "engine/live/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1e9

struct pl_live {
	pthread_mutex_t lock;
	void (*failed)(const struct pl_err *err);
	struct pl_live_output output;
	int64_t last_ns; /* the last writing, or the start */
	uint32_t process, n;
	const char **host;                   /* [n] */
	struct pl_live_record total, before; /* before: at the last writing */
	struct pl_live_record more;          /* room for a difference */
	bool is_over;
};

/* Of what has happened since the last writing, or since the start. */
static struct pl_live_head make_head(const struct pl_live *live, int64_t now_ns)
{
	struct pl_live_head head = {.process = live->process,
				    .n = live->n,
				    .host = live->host,
				    .seconds = (double)(now_ns - live->last_ns) / NS_PER_S};
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	head.time = (double)t.tv_sec + (double)(t.tv_nsec / 1000000) / 1000;
	return head;
}

static int name_hosts(struct pl_live *live, const struct pl_hosts *hosts)
{
	uint32_t rank = 0;

	live->n = (uint32_t)pl_hosts_ranks(hosts);
	live->host = pl_array_create(live->n, sizeof(*live->host));
	live->total.peer = pl_array_create(live->n, sizeof(*live->total.peer));
	live->before.peer = pl_array_create(live->n, sizeof(*live->before.peer));
	live->more.peer = pl_array_create(live->n, sizeof(*live->more.peer));
	if (!live->host || !live->total.peer || !live->before.peer || !live->more.peer)
		return -1;
	for (size_t h = 0; h < hosts->n; h++)
		for (int i = 0; i < hosts->v[h].slots; i++)
			live->host[rank++] = hosts->v[h].name;
	return 0;
}

static void release(struct pl_live *live)
{
	pl_live_output_close(&live->output);
	free(live->host);
	free(live->total.peer);
	free(live->before.peer);
	free(live->more.peer);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

/* Prometheus' file is there from the start. */
static int write_first(const struct pl_live *live, struct pl_err *err)
{
	const struct pl_live_head head = make_head(live, live->last_ns);

	return live->output.prometheus
		       ? pl_live_output_write(&live->output, &head, &live->total, &live->more, err)
		       : 0;
}

struct pl_live *pl_live_create(const char *setting, uint32_t process, const struct pl_hosts *hosts,
			       void (*failed)(const struct pl_err *err), struct pl_err *err)
{
	struct pl_live *live = calloc(1, sizeof(*live));

	if (!live) {
		pl_err_nomem(err);
		return NULL;
	}
	pthread_mutex_init(&live->lock, NULL);
	live->process = process;
	live->failed = failed;
	live->last_ns = pl_clock_ns();
	if (name_hosts(live, hosts))
		pl_err_nomem(err);
	else if (pl_live_output_open(&live->output, setting, process, err) == 0 &&
		 write_first(live, err) == 0)
		return live;
	release(live);
	return NULL;
}

int64_t pl_live_interval_ns(const struct pl_live *live)
{
	return live->output.interval_ns;
}

void pl_live_waited(struct pl_live *live, uint32_t peer, int64_t ns)
{
	pthread_mutex_lock(&live->lock);
	live->total.peer[peer].waited_ns += ns;
	pthread_mutex_unlock(&live->lock);
}

void pl_live_called(struct pl_live *live, uint64_t bytes, int64_t ns)
{
	pthread_mutex_lock(&live->lock);
	live->total.calls++;
	live->total.bytes += bytes;
	live->total.called_ns += ns;
	pthread_mutex_unlock(&live->lock);
}

void pl_live_changed(struct pl_live *live, const char *why)
{
	pthread_mutex_lock(&live->lock);
	live->total.changes++;
	snprintf(live->total.why, sizeof(live->total.why), "%s", why);
	pthread_mutex_unlock(&live->lock);
}

void pl_live_sent(struct pl_live *live, uint32_t peer, const struct pl_live_peer *more)
{
	struct pl_live_peer *p = &live->total.peer[peer];

	pthread_mutex_lock(&live->lock);
	p->bytes += more->bytes;
	p->busy_us += more->busy_us;
	if (more->rtt_us > 0)
		p->rtt_us = more->rtt_us;
	if (more->bytes_per_s > 0)
		p->bytes_per_s = more->bytes_per_s;
	pthread_mutex_unlock(&live->lock);
}

/* What has been added to the total since the last writing, to live->more. */
static void subtract(struct pl_live *live)
{
	const struct pl_live_record *a = &live->total, *b = &live->before;
	struct pl_live_record *d = &live->more;

	d->calls = a->calls - b->calls;
	d->bytes = a->bytes - b->bytes;
	d->changes = a->changes - b->changes;
	d->called_ns = a->called_ns - b->called_ns;
	memcpy(d->why, a->why, sizeof(d->why));
	for (uint32_t p = 0; p < live->n; p++) {
		d->peer[p] = a->peer[p];
		d->peer[p].bytes -= b->peer[p].bytes;
		d->peer[p].busy_us -= b->peer[p].busy_us;
		d->peer[p].waited_ns -= b->peer[p].waited_ns;
	}
}

static void keep(struct pl_live *live)
{
	struct pl_live_peer *peer = live->before.peer;

	memcpy(peer, live->total.peer, live->n * sizeof(*peer));
	live->before = live->total;
	live->before.peer = peer;
}

/* With the lock held. */
static void write_now(struct pl_live *live, int64_t now_ns)
{
	const struct pl_live_head head = make_head(live, now_ns);
	struct pl_err err = {0};

	subtract(live);
	live->is_over =
		pl_live_output_write(&live->output, &head, &live->total, &live->more, &err) != 0;
	keep(live);
	live->last_ns = now_ns;
	if (live->is_over && live->failed)
		live->failed(&err);
}

/* Has anything happened since the last writing? */
static bool has_news(const struct pl_live *live)
{
	bool news = live->total.calls > live->before.calls;

	for (uint32_t p = 0; p < live->n; p++)
		news |= live->total.peer[p].bytes > live->before.peer[p].bytes;
	return news;
}

void pl_live_write(struct pl_live *live, int64_t now_ns)
{
	pthread_mutex_lock(&live->lock);
	if (!live->is_over && now_ns - live->last_ns >= live->output.interval_ns)
		write_now(live, now_ns);
	pthread_mutex_unlock(&live->lock);
}

void pl_live_destroy(struct pl_live *live)
{
	if (!live)
		return;
	if (!live->is_over && has_news(live))
		write_now(live, pl_clock_ns());
	release(live);
}
