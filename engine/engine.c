/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.c - all-reduces of a schedule, one after the other */
#include "config.h"

#include "engine/engine.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>

#define EVENTS 64
#define MINUTE_MS 60000
#define YIELDS 20 /* of the processor, before the engine sleeps */
/* Shorter chunks wait until all can be begun, and go together. */
#define BYTES_AT_ONCE 16384

int pl_engine_tune(struct pl_engine *e, const struct pl_tuning_rules *rules, struct pl_err *err)
{
	if (!e->part->schedules->is_tuned)
		return 0;
	e->tuning = pl_tuning_create(&e->mesh, e->part, rules);
	return e->tuning ? 0 : pl_err_nomem(err);
}

int pl_engine_tell(struct pl_engine *e, struct pl_live *live, struct pl_err *err)
{
	const size_t n = e->mesh.options.n_ranks;

	e->sent = pl_array_create(2 * n, sizeof(*e->sent));
	if (!e->sent)
		return pl_err_nomem(err);
	pl_sent_read(&e->mesh, e->sent);
	e->told_ns = pl_clock_ns();
	e->live = live;
	return 0;
}

/* What has been sent since the last time. */
static void tell_sent(struct pl_engine *e)
{
	const size_t n = e->mesh.options.n_ranks;
	struct pl_sent *before = e->sent, *now = e->sent + n;

	pl_sent_read(&e->mesh, now);
	for (size_t p = 0; p < n; p++) {
		const struct pl_live_peer more = {.bytes = now[p].bytes - before[p].bytes,
						  .busy_us = now[p].busy_us - before[p].busy_us,
						  .rtt_us = now[p].rtt_us,
						  .bytes_per_s = now[p].bytes_per_s};

		pl_live_sent(e->live, (uint32_t)p, &more);
		before[p] = now[p];
	}
}

void pl_engine_fini(struct pl_engine *e)
{
	if (e->sent)
		tell_sent(e);
	if (e->carrier.end)
		e->carrier.end(e->carrier.self, e->failed);
	e->carrier = (struct pl_chunk_carrier){0};
	pl_mesh_fini(&e->mesh);
	pl_arrivals_fini(&e->spare);
	e->unsent = NULL;
	pl_tuning_destroy(e->tuning);
	e->tuning = NULL;
	free(e->sent);
	e->sent = NULL;
}

/* Tells epoll what the lane waits for: bells, where memory is shared. */
static void watch(struct pl_engine *e, size_t at)
{
	struct pl_lane *lane = &e->mesh.lane[at];
	struct epoll_event event = {.events = (lane->held ? 0U : (uint32_t)EPOLLIN) |
					      (lane->blocked ? (uint32_t)EPOLLOUT : 0U),
				    .data.u64 = at};

	lane->is_armed = lane->blocked;
	if (!lane->shared || lane->ended)
		epoll_ctl(e->mesh.epoll, lane->ended ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, lane->fd,
			  &event);
}

void pl_engine_resume(struct pl_engine *e)
{
	const struct pl_mesh_options *o = &e->mesh.options;

	for (size_t i = 0; i < o->n_ranks * o->n_lanes; i++)
		if (e->mesh.lane[i].fd >= 0 && pl_mesh_serves(&e->mesh, i))
			watch(e, i);
}

/* After a call. */
static void tell(struct pl_engine *e, uint64_t bytes, int64_t begun_ns)
{
	const int64_t now_ns = pl_clock_ns();

	pl_live_called(e->live, bytes, now_ns - begun_ns);
	if (now_ns - e->told_ns < pl_live_interval_ns(e->live))
		return;
	e->told_ns = now_ns;
	tell_sent(e);
	pl_live_write(e->live, now_ns);
}

/* What is sent of one chunk keeps its order: it goes through one lane. */
static size_t lane_of(const struct pl_engine *e, uint32_t peer, uint32_t chunk)
{
	return peer * e->mesh.options.n_lanes + pl_allreduce_lane(e->current, chunk);
}

/* Has the peer closed a lane on which something is still to come or to go? */
static bool ended_early(const struct pl_engine *e, size_t at)
{
	const size_t n = e->mesh.options.n_lanes;
	const struct pl_lane *lane = &e->mesh.lane[at];

	return lane->ended && (lane->n > 0 || pl_allreduce_expects(e->current, lane->peer, at % n));
}

/* The lane is to be flushed when what has come is served. */
static void list(struct pl_engine *e, struct pl_lane *lane)
{
	if (lane->is_listed)
		return;
	lane->is_listed = true;
	lane->next = NULL;
	if (!e->unsent)
		e->last_unsent = &e->unsent;
	*e->last_unsent = lane;
	e->last_unsent = &lane->next;
}

/* What goes together costs the processors least: a packet takes little less than 64 KiB, and a
 * chunk sent alone leaves a short one behind. */
static int send_chunk(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		      bool signal, struct pl_err *err)
{
	struct pl_engine *e = self;
	const size_t at = lane_of(e, peer, chunk);
	struct pl_lane *lane = &e->mesh.lane[at];
	int rc;

	if (pl_lane_queue(lane, e->call, chunk, data, bytes, signal, err))
		return -1;
	if (lane->blocked)
		return 0;
	if (lane->n > 1 || (!lane->shared && (e->serves || bytes < BYTES_AT_ONCE))) {
		list(e, lane);
		return 0;
	}
	rc = pl_lane_flush(lane, &chunk, err);
	if (lane->blocked != lane->is_armed)
		watch(e, at);
	return rc;
}

/* Sends what the lane has, and what comes of that. */
static int go_on_sending(struct pl_engine *e, size_t at, struct pl_err *err)
{
	struct pl_lane *lane = &e->mesh.lane[at];
	uint32_t chunk;
	int rc;

	while ((rc = pl_lane_flush(lane, &chunk, err)) > 0)
		if (pl_allreduce_sent(e->current, chunk, err))
			return -1;
	if (rc == 0 && lane->blocked != lane->is_armed)
		watch(e, at);
	return rc;
}

static int send_listed(struct pl_engine *e, struct pl_err *err)
{
	while (e->unsent) {
		struct pl_lane *lane = e->unsent;

		if (go_on_sending(e, (size_t)(lane - e->mesh.lane), err))
			return -1;
		e->unsent = lane->next;
		lane->is_listed = false;
	}
	return 0;
}

static int receive_all(struct pl_engine *e, size_t at, struct pl_err *err)
{
	struct pl_lane *lane = &e->mesh.lane[at];
	struct pl_chunk_arrival *arrival;
	uint32_t chunk;
	int rc;

	while ((rc = pl_lane_receive(lane, e->current, e->call, &chunk, &arrival, err)) > 0)
		if (pl_allreduce_arrived(e->current, chunk, arrival, err))
			return -1;
	if (rc == 0 && ended_early(e, at))
		return pl_lane_gone(lane, err);
	if (rc == 0 && (lane->held || lane->ended))
		watch(e, at);
	return rc;
}

/* What peers sent of this call before it began here; and none may have gone since the last one. */
static int release_held(struct pl_engine *e, struct pl_err *err)
{
	const struct pl_mesh_options *o = &e->mesh.options;

	for (size_t i = 0; i < o->n_ranks * o->n_lanes; i++) {
		const struct pl_lane *lane = &e->mesh.lane[i];

		if (!pl_mesh_serves(&e->mesh, i))
			continue;
		if (ended_early(e, i))
			return pl_lane_gone(lane, err);
		if (!lane->held)
			continue;
		if (receive_all(e, i, err))
			return -1;
		watch(e, i);
	}
	return 0;
}

/* Nothing comes on these connections but what the tuning has to say. */
static int listen_to(struct pl_engine *e, size_t at, struct pl_err *err)
{
	const struct pl_mesh_options *o = &e->mesh.options;

	if (e->tuning &&
	    pl_tuning_hear(e->tuning, &e->mesh, (uint32_t)(at - o->n_ranks * o->n_lanes)))
		return 0;
	return pl_mesh_watch(&e->mesh, at, err);
}

static int serve(struct pl_engine *e, const struct epoll_event *event, struct pl_err *err)
{
	const struct pl_mesh_options *o = &e->mesh.options;
	const size_t at = (size_t)event->data.u64;

	if (at >= o->n_ranks * o->n_lanes)
		return listen_to(e, at, err);
	if (e->mesh.lane[at].shared) {
		pl_lane_hear(&e->mesh.lane[at]);
		return receive_all(e, at, err);
	}
	if (event->events & EPOLLOUT && go_on_sending(e, at, err))
		return -1;
	if (event->events & ~(uint32_t)EPOLLOUT && !e->mesh.lane[at].held)
		return receive_all(e, at, err);
	return 0;
}

static bool is_readable(struct pl_lane *lane)
{
	return !lane->held && pl_fifo_head(&lane->in);
}

/* Goes on where memory is shared. 1: something had come; 0: nothing. */
static int look(struct pl_engine *e, struct pl_err *err)
{
	int found = 0;

	for (size_t i = 0; i < e->mesh.n_shared; i++) {
		const size_t at = e->mesh.shared[i];
		struct pl_lane *lane = &e->mesh.lane[at];

		if (lane->n > 0 && go_on_sending(e, at, err))
			return -1;
		if (!is_readable(lane))
			continue;
		if (receive_all(e, at, err))
			return -1;
		found = 1;
	}
	return found;
}

/* As look(); lets others run a few times before it finds nothing. */
static int look_again(struct pl_engine *e, struct pl_err *err)
{
	int found = look(e, err);

	if (e->mesh.n_shared == 0)
		return 0;
	for (int i = 0; found == 0 && i < YIELDS; i++) {
		sched_yield();
		found = look(e, err);
	}
	return found;
}

/* Peers that share memory are to ring from now on. false: something has come from one of them. */
static bool fall_asleep(struct pl_engine *e)
{
	bool nothing = true;

	for (size_t i = 0; i < e->mesh.n_shared; i++) {
		struct pl_lane *lane = &e->mesh.lane[e->mesh.shared[i]];

		nothing &= lane->held || pl_fifo_sleep(&lane->in);
	}
	return nothing;
}

static void wake_up(struct pl_engine *e)
{
	for (size_t i = 0; i < e->mesh.n_shared; i++)
		pl_fifo_wake(&e->mesh.lane[e->mesh.shared[i]].in);
}

/* Events, or 0 if none has come for the engine's patience; -1 with errno
 * set. */
static int wait_for_events(struct pl_engine *e, struct epoll_event *event)
{
	const int64_t patience_ns = e->patience_ns ? e->patience_ns : INT64_MAX;
	const int64_t begun_ns = pl_clock_ns();
	int64_t left_ns = patience_ns;
	int n;

	for (;;) {
		const int64_t left_ms = left_ns / 1000000 + 1;
		const int most_ms = e->idle ? 1 : MINUTE_MS;

		n = epoll_wait(e->mesh.epoll, event, EVENTS,
			       left_ms < most_ms ? (int)left_ms : most_ms);
		left_ns = patience_ns - (pl_clock_ns() - begun_ns);
		if (n != 0 || left_ns <= 0)
			return n;
		if (e->idle)
			e->idle(e->with);
	}
}

static int out_of_patience(const struct pl_engine *e, struct pl_err *err)
{
	const uint32_t peer = pl_allreduce_waits_for(e->current);
	const double patience_s = (double)e->patience_ns / 1e9;
	char name[PL_PEER_CHARS];

	if (peer == e->mesh.options.rank)
		return pl_err_set(err, PL_ESYSTEM, "nothing could be sent for %.3g s", patience_s);
	return pl_err_set(err, PL_ESYSTEM, "nothing has come from %s for %.3g s",
			  pl_mesh_peer(&e->mesh.options, peer, name), patience_s);
}

/* As wait_for_events, and tells whom it waits for. */
static int wait_and_tell(struct pl_engine *e, struct epoll_event *event)
{
	const uint32_t peer = pl_allreduce_waits_for(e->current);
	const int64_t begun_ns = pl_clock_ns();
	const int n = wait_for_events(e, event);

	if (peer != e->mesh.options.rank)
		pl_live_waited(e->live, peer, pl_clock_ns() - begun_ns);
	return n;
}

/* Whatever has come; waits until something has. */
static int step(struct pl_engine *e, struct pl_err *err)
{
	struct epoll_event event[EVENTS];
	const int found = send_listed(e, err) ? -1 : look_again(e, err);
	bool sleeps;
	int n;

	if (found < 0 || send_listed(e, err))
		return -1;
	if (pl_allreduce_is_done(e->current))
		return 0;
	sleeps = !found && fall_asleep(e);
	if (!sleeps)
		n = epoll_wait(e->mesh.epoll, event, EVENTS, 0);
	else
		n = e->live ? wait_and_tell(e, event) : wait_for_events(e, event);
	if (!found)
		wake_up(e);
	if (n == 0 && sleeps)
		return out_of_patience(e, err);
	if (n < 0 && errno != EINTR)
		return pl_err_errno(err, "cannot wait for chunks");
	e->serves = true;
	for (int i = 0; i < n; i++)
		if (serve(e, &event[i], err))
			return -1;
	e->serves = false;
	return 0;
}

static int carry_chunk(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		       bool signal, struct pl_err *err)
{
	struct pl_engine *e = self;

	return e->carrier.send(e->carrier.self, e->call, peer, chunk, data, bytes, signal, err);
}

/* As step(), where a carrier has the chunks. */
static int carried_step(struct pl_engine *e, struct pl_err *err)
{
	const uint32_t peer = e->live ? pl_allreduce_waits_for(e->current) : 0;
	const int64_t begun_ns = pl_clock_ns();
	int64_t waited_ns = 0;
	int found;

	while ((found = e->carrier.step(e->carrier.self, e->call, e->current, err)) == 0) {
		sched_yield();
		waited_ns = pl_clock_ns() - begun_ns;
		if (e->patience_ns && waited_ns > e->patience_ns)
			return out_of_patience(e, err);
	}
	if (e->live && waited_ns > 0 && peer != e->mesh.options.rank)
		pl_live_waited(e->live, peer, waited_ns);
	return found < 0 ? -1 : 0;
}

static int run(struct pl_engine *e, const struct pl_program *program,
	       const struct pl_allreduce_call *call, struct pl_err *err)
{
	const struct pl_transport lanes = {.send = send_chunk,
					   .self = e,
					   .chunks_max = PL_LANE_CHUNKS_MAX,
					   .spare = &e->spare,
					   .n_lanes = e->mesh.options.n_lanes,
					   .share = e->mesh.share.lanes};
	const struct pl_transport carried = {.send = carry_chunk,
					     .self = e,
					     .chunks_max = e->carrier.chunks_max,
					     .spare = &e->spare};
	const struct pl_transport transport = e->carrier.step ? carried : lanes;
	struct pl_allreduce r;
	int rc;

	e->call++;
	e->current = &r;
	if (pl_allreduce_init(&r, program, transport, call, err)) {
		e->current = NULL;
		return -1;
	}
	rc = release_held(e, err);
	while (rc == 0 && !pl_allreduce_is_done(&r))
		rc = e->carrier.step ? carried_step(e, err) : step(e, err);
	e->signalled = pl_allreduce_signalled(&r);
	pl_allreduce_fini(&r);
	e->current = NULL;
	return rc;
}

int pl_engine_allreduce(struct pl_engine *e, size_t schedule, const struct pl_allreduce_call *call,
			struct pl_err *err)
{
	const struct pl_rank_part *part = e->tuning ? pl_tuning_part(e->tuning) : e->part;
	const struct pl_schedule *s = &part->schedules->schedule[schedule];
	const int64_t begun_ns = pl_clock_ns();
	const uint64_t bytes = call->count * call->adder.element_bytes;
	struct pl_allreduce_call cut = *call;
	int rc;

	cut.chunk_bytes = s->chunk_bytes;
	cut.window = s->window;
	cut.any_order = s->any_order;
	cut.signal = e->tuning && pl_tuning_raises(e->tuning);
	rc = run(e, &part->program[schedule], &cut, err);
	e->failed = rc != 0;
	if (rc == 0 && e->tuning)
		pl_tuning_called(e->tuning, &e->mesh, schedule, bytes, pl_clock_ns() - begun_ns,
				 e->signalled);
	if (rc == 0 && e->live) {
		if (e->tuning && pl_tuning_part(e->tuning) != part)
			pl_live_changed(e->live, pl_tuning_why(e->tuning));
		tell(e, bytes, begun_ns);
	}
	return rc;
}
