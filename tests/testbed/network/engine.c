/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.c - carries packets between hosts, each after its delay */
#include "config.h"

#include "tests/testbed/network/engine.h"

#include "base/clock.h"
#include "base/mem.h"
#include "tests/testbed/network/netdev.h"
#include "tests/testbed/network/topology.h"

#include <errno.h>
#include <linux/virtio_net.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

/* Waking up takes this long at most, nearly always: sleep until so long before a deadline, then
 * look again and again. */
#define SPIN_NS 60000

/* Packets taken from one host, or delivered, before looking elsewhere. */
#define BATCH 16

/* Packets on their way take no more than this; further ones are dropped. */
#define QUEUE_BYTES_MAX ((size_t)2 << 30)

#define EVENTS 64
#define STOP_BIT ((uint64_t)1 << 32) /* in epoll data: a stop, not a host */

static int watch(int epoll, int fd, uint64_t data, struct pl_err *err)
{
	struct epoll_event ev = {.events = EPOLLIN};

	ev.data.u64 = data;
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev))
		return pl_err_errno(err, "cannot watch a descriptor");
	return 0;
}

int tb_engine_init(struct tb_engine *engine, const struct tb_engine_options *opt,
		   struct pl_err *err)
{
	memset(engine, 0, sizeof(*engine));
	engine->n = opt->n;
	engine->tun = opt->tun;
	engine->ledger = opt->ledger;
	engine->rates = opt->rates;
	engine->trace = opt->trace;
	tb_chance_init(&engine->chance, &opt->odds);
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (engine->epoll < 0)
		return pl_err_errno(err, "cannot make an epoll descriptor");
	engine->buffer = malloc(TB_READ_BYTES);
	engine->last = pl_array_create(opt->n * opt->n, sizeof(*engine->last));
	if (!engine->buffer || !engine->last) {
		pl_err_nomem(err);
		goto fail;
	}
	for (size_t i = 0; i < engine->n; i++)
		if (engine->tun[i] >= 0 && watch(engine->epoll, engine->tun[i], i, err))
			goto fail;
	return 0;
fail:
	tb_engine_fini(engine);
	return -1;
}

void tb_engine_fini(struct tb_engine *engine)
{
	tb_heap_fini(&engine->heap);
	free(engine->last);
	free(engine->buffer);
	close(engine->epoll);
	memset(engine, 0, sizeof(*engine));
}

void tb_engine_drop_host(struct tb_engine *engine, size_t host)
{
	if (engine->tun[host] < 0)
		return;
	epoll_ctl(engine->epoll, EPOLL_CTL_DEL, engine->tun[host], NULL);
	engine->tun[host] = -1;
}

/* Index of the host an IPv4 packet goes to, or -1. */
static ptrdiff_t destination(const unsigned char *ip, size_t len, size_t n)
{
	uint32_t addr;

	if (len < 20 || ip[0] >> 4 != 4)
		return -1;
	addr = (uint32_t)ip[16] << 24 | (uint32_t)ip[17] << 16 | (uint32_t)ip[18] << 8 | ip[19];
	addr -= TB_FIRST_ADDR;
	return addr < n ? (ptrdiff_t)addr : -1;
}

/* Bytes of all the segments a packet would be cut into. */
static uint32_t wire_bytes(const unsigned char *data, size_t len)
{
	struct virtio_net_hdr hdr;
	uint32_t bytes = (uint32_t)len - TB_OFFLOAD_BYTES;
	uint32_t segments;

	memcpy(&hdr, data, sizeof(hdr));
	if (hdr.gso_type == VIRTIO_NET_HDR_GSO_NONE || hdr.gso_size == 0 || bytes <= hdr.hdr_len)
		return bytes;
	segments = (bytes - hdr.hdr_len + hdr.gso_size - 1) / hdr.gso_size;
	return bytes + (segments - 1) * hdr.hdr_len;
}

/* A pair is first in, first out: what would overtake waits. */
static int64_t in_turn(int64_t *last_ns, int64_t due_ns)
{
	if (due_ns > *last_ns)
		*last_ns = due_ns;
	return *last_ns;
}

/* Through the next link: sets when the first bit is through, and the last. */
static void pass(struct tb_engine *engine, struct tb_packet *packet, const struct tb_way *way)
{
	struct tb_passage passage = {
		.way = way,
		.bytes = packet->wire_bytes,
		.head_ns = packet->due_ns,
		.tail_ns = packet->tail_ns,
	};

	tb_rates_pass(engine->rates, packet->hop++, &passage);
	packet->due_ns = passage.head_ns;
	packet->tail_ns = passage.tail_ns;
}

static struct tb_turn *last_of(struct tb_engine *engine, const struct tb_packet *packet)
{
	return &engine->last[packet->src * engine->n + packet->dst];
}

static struct tb_pair *pair_of(struct tb_engine *engine, const struct tb_packet *packet)
{
	return &engine->ledger->pair[packet->src * engine->n + packet->dst];
}

/* For a packet of @len bytes; NULL: counted as dropped. */
static struct tb_packet *make_room(struct tb_engine *engine, size_t len)
{
	struct tb_packet *packet = NULL;

	if (engine->queued_bytes + len <= QUEUE_BYTES_MAX)
		packet = malloc(sizeof(*packet) + len);
	if (packet)
		engine->queued_bytes += len;
	else
		engine->ledger->overflow++;
	return packet;
}

static void forget(struct tb_engine *engine, struct tb_packet *packet)
{
	engine->queued_bytes -= packet->len;
	free(packet);
}

static void push(struct tb_engine *engine, struct tb_packet *packet)
{
	if (tb_heap_push_take(&engine->heap, packet) == 0)
		return;
	engine->ledger->overflow++;
	forget(engine, packet);
}

/* The same once more, so much later; 0: not at all. */
static void copy(struct tb_engine *engine, const struct tb_packet *packet, int64_t behind_ns)
{
	struct tb_packet *twin;

	if (behind_ns == 0)
		return;
	twin = make_room(engine, packet->len);
	if (!twin)
		return;
	memcpy(twin, packet, sizeof(*packet) + packet->len);
	if (twin->tail_ns < twin->due_ns)
		twin->tail_ns = twin->due_ns;
	twin->due_ns += behind_ns;
	twin->tail_ns += behind_ns;
	twin->stray = true;
	pair_of(engine, twin)->duplicated++;
	push(engine, twin);
}

/* From the near side to the far one. */
static void fly(struct tb_engine *engine, struct tb_packet *packet)
{
	const int64_t delay_ns = packet->delay_ns + tb_chance_jitter(&engine->chance);
	const int64_t behind_ns = tb_chance_holds_up(&engine->chance);

	packet->due_ns += delay_ns + behind_ns;
	packet->tail_ns += delay_ns + behind_ns;
	packet->stray = behind_ns > 0;
	if (packet->stray)
		pair_of(engine, packet)->reordered++;
	else
		packet->due_ns = in_turn(&last_of(engine, packet)->head_ns, packet->due_ns);
	copy(engine, packet, tb_chance_copies(&engine->chance));
}

/* From its last link on: there when its last bit is. */
static void arrive(struct tb_engine *engine, struct tb_packet *packet)
{
	packet->arrived = true;
	packet->due_ns = packet->tail_ns;
	if (!packet->stray)
		packet->due_ns = in_turn(&last_of(engine, packet)->tail_ns, packet->tail_ns);
}

/* A packet has come to a link: it goes on to the next that has a rate. */
static void go_on(struct tb_engine *engine, struct tb_packet *packet)
{
	const struct tb_way *way = tb_rates_way(engine->rates, packet->src, packet->dst);
	const bool near = packet->hop < way->n_near;
	const size_t end = near ? way->n_near : way->n_links;

	pass(engine, packet, way);
	while (packet->hop < end && tb_rates_is_open(engine->rates, way, packet->hop))
		packet->hop++;
	if (packet->hop < end)
		return;
	if (near)
		fly(engine, packet);
	else
		arrive(engine, packet);
}

/* On, as long as it comes to no later time. Is it to be delivered now? */
static bool go_on_now(struct tb_engine *engine, struct tb_packet *packet)
{
	const int64_t due_ns = packet->due_ns;

	while (!packet->arrived && packet->due_ns <= due_ns)
		go_on(engine, packet);
	return packet->due_ns <= due_ns;
}

static void deliver(struct tb_engine *engine, struct tb_packet *packet)
{
	struct tb_ledger *ledger = engine->ledger;
	const int64_t now = pl_clock_ns();
	const int64_t late = now - packet->due_ns;
	const int fd = engine->tun[packet->dst];

	if (fd < 0 || write(fd, packet->data, packet->len) != (ssize_t)packet->len) {
		ledger->refused++;
	} else {
		tb_ledger_deliver(ledger, pair_of(engine, packet),
				  (struct tb_delivery){
					  .applied_ns = now - packet->sent_ns,
					  .late_ns = late > 0 ? late : 0,
					  .bytes = packet->len - TB_OFFLOAD_BYTES,
					  .change = packet->change,
				  });
		tb_trace_put(engine->trace, packet, now - packet->sent_ns);
	}
	forget(engine, packet);
}

/* Does chance or the topology take this packet? */
static bool is_lost(struct tb_engine *engine, struct tb_pair *pair)
{
	if (pair->asked_ns != TB_NO_PATH && !tb_chance_loses(&engine->chance))
		return false;
	pair->lost++;
	return true;
}

/*
 * When was a packet handed over that is read @now? Who sleeps reads it the calibrated time later;
 * who looks all the time, since the last look.
 */
static int64_t sent_at(const struct tb_engine *engine, int64_t now)
{
	const int64_t asleep = now - engine->ledger->compensation_ns;

	return engine->looked_ns > asleep ? engine->looked_ns : asleep;
}

static void accept_packet(struct tb_engine *engine, size_t src, size_t len)
{
	struct tb_ledger *ledger = engine->ledger;
	const int64_t now = pl_clock_ns();
	const ptrdiff_t dst =
		destination(engine->buffer + TB_OFFLOAD_BYTES, len - TB_OFFLOAD_BYTES, engine->n);
	struct tb_packet *packet;
	struct tb_pair *pair;

	if (dst < 0 || (size_t)dst == src) {
		ledger->unroutable++;
		return;
	}
	pair = &ledger->pair[src * engine->n + (size_t)dst];
	if (is_lost(engine, pair))
		return;
	packet = make_room(engine, len);
	if (!packet)
		return;
	packet->src = (uint16_t)src;
	packet->dst = (uint16_t)dst;
	packet->len = (uint32_t)len;
	packet->sent_ns = packet->due_ns = packet->tail_ns = sent_at(engine, now);
	packet->delay_ns = pair->asked_ns;
	packet->change = ledger->changes;
	packet->hop = 0;
	packet->arrived = packet->stray = false;
	packet->wire_bytes = wire_bytes(engine->buffer, len);
	memcpy(packet->data, engine->buffer, len);
	go_on_now(engine, packet);
	push(engine, packet);
}

static void take_from(struct tb_engine *engine, size_t src)
{
	for (int i = 0; i < BATCH && engine->tun[src] >= 0; i++) {
		const ssize_t len = read(engine->tun[src], engine->buffer, TB_READ_BYTES);

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0) {
			if (errno != EAGAIN)
				tb_engine_drop_host(engine, src);
			return;
		}
		if (len > TB_OFFLOAD_BYTES)
			accept_packet(engine, src, (size_t)len);
	}
}

/* Handles what is due now; gives ns until the next deadline, -1: none. */
static int64_t deliver_due(struct tb_engine *engine)
{
	for (int i = 0; i < BATCH; i++) {
		const struct tb_packet *top = tb_heap_top(&engine->heap);
		const int64_t now = pl_clock_ns();
		struct tb_packet *packet;

		if (!top)
			return -1;
		if (top->due_ns > now)
			return top->due_ns - now;
		packet = tb_heap_pop(&engine->heap);
		/* due too, perhaps, but others may be due before */
		if (go_on_now(engine, packet))
			deliver(engine, packet);
		else
			push(engine, packet);
	}
	return 0;
}

/* Sleeps no longer than to SPIN_NS before the next deadline. */
static int wait_events(int epoll, struct epoll_event *ev, int64_t next_ns)
{
	struct timespec timeout = {0};

	if (next_ns > SPIN_NS) {
		timeout.tv_sec = (next_ns - SPIN_NS) / 1000000000;
		timeout.tv_nsec = (next_ns - SPIN_NS) % 1000000000;
	}
	return epoll_pwait2(epoll, ev, EVENTS, next_ns < 0 ? NULL : &timeout, NULL);
}

static int run(struct tb_engine *engine, struct pl_err *err)
{
	struct epoll_event ev[EVENTS];
	int64_t now = pl_clock_ns();

	for (;;) {
		const int64_t next_ns = deliver_due(engine);
		int n, stop = -1;

		engine->looked_ns = now;
		now = pl_clock_ns();
		n = wait_events(engine->epoll, ev, next_ns);

		if (n < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot wait for packets");
		for (int i = 0; i < n; i++) {
			if (ev[i].data.u64 & STOP_BIT)
				stop = (int)(uint32_t)ev[i].data.u64;
			else
				take_from(engine, ev[i].data.u64);
		}
		if (stop >= 0)
			return stop;
	}
}

int tb_engine_run(struct tb_engine *engine, struct tb_stops stops, struct pl_err *err)
{
	size_t i;
	int ret = -1;

	for (i = 0; i < stops.n; i++)
		if (stops.fd[i] >= 0 && watch(engine->epoll, stops.fd[i], STOP_BIT | i, err))
			goto out;
	ret = run(engine, err);
out:
	while (i-- > 0)
		if (stops.fd[i] >= 0)
			epoll_ctl(engine->epoll, EPOLL_CTL_DEL, stops.fd[i], NULL);
	return ret;
}
