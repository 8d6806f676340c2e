/* SPDX-License-Identifier: BSD-3-Clause */
/* branch.c - hosts behind a relay, which starts their agents and carries their
 * messages */
#include "config.h"

#include "probes/run/branch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "probes/launch/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int pl_branches_create(struct pl_fleet *fleet, struct pl_err *err)
{
	const size_t size = fleet->options->tree;
	const size_t n = (fleet->n + size - 1) / size;

	fleet->branch = pl_array_create(n, sizeof(*fleet->branch));
	if (!fleet->branch)
		return pl_err_nomem(err);
	fleet->n_branches = n;
	/* all of them first: no descriptor is 0 where memory runs out */
	for (size_t k = 0; k < n; k++) {
		struct pl_branch *t = &fleet->branch[k];

		t->first = k * size;
		t->n = k + 1 < n ? size : fleet->n - t->first;
		pl_remote_init(&t->r, NULL);
		pl_carrier_init(&t->carrier, NULL);
	}
	for (size_t k = 0; k < n; k++) {
		fleet->branch[k].frames = pl_array_create(1, sizeof(*fleet->branch[k].frames));
		if (!fleet->branch[k].frames)
			return pl_err_nomem(err);
	}
	return 0;
}

static size_t number_of(const struct pl_fleet *fleet, const struct pl_branch *t)
{
	return fleet->n + (size_t)(t - fleet->branch);
}

static bool is_up(const struct pl_branch *t)
{
	return t->r.state == PL_REMOTE_UP && t->r.ready;
}

static bool is_starting(const struct pl_remote *r)
{
	return r->state == PL_REMOTE_UP && r->waiting_for;
}

/* No relay is tried any more. */
static bool is_given_up(const struct pl_branch *t)
{
	return t->at == PL_TRUNK_TRIES && t->r.state == PL_REMOTE_NEW;
}

/* Nothing can be sent any more. */
static void cut(struct pl_branch *t)
{
	pl_carrier_fini(&t->carrier);
	t->watched = false;
}

/* The host that was to be the relay cannot be it: it is lost for that reason.
 * Its launcher may be left to reap. */
static void pass_over(struct pl_fleet *fleet, struct pl_branch *t)
{
	struct pl_remote *r = &fleet->v[t->first + t->at];

	r->child = t->r.child;
	pl_fleet_lose(fleet, t->first + t->at, t->r.reason);
	t->n_started = ++t->at;
	pl_remote_init(&t->r, NULL);
}

/* All hosts behind it are lost. */
static void lose_all(struct pl_fleet *fleet, struct pl_branch *t)
{
	for (size_t k = 0; k < t->n; k++) {
		struct pl_remote *r = &fleet->v[t->first + k];

		if (r->state == PL_REMOTE_GONE && r->by != &t->carrier)
			continue;
		r->open = r->running = false; /* with it */
		if (r->state == PL_REMOTE_GONE)
			continue;
		if (r->ending) { /* nothing more is expected of it */
			pl_remote_settle(r);
			continue;
		}
		r->by = &t->carrier;
		pl_fleet_lose(fleet, t->first + k, t->r.reason);
	}
	t->n_started = t->n;
}

/* The relay is gone, for the reason in its remote. */
static void lose(struct pl_fleet *fleet, struct pl_branch *t)
{
	cut(t);
	if (t->r.ready)
		lose_all(fleet, t);
	else
		pass_over(fleet, t);
}

/* Starts a relay on the next host that is left. */
static void start_relay(struct pl_fleet *fleet, struct pl_branch *t)
{
	const char *name = fleet->v[t->first + t->at].name;

	pl_remote_init(&t->r, name);
	t->r.role = "its relay";
	t->r.relays = true;
	pl_carrier_init(&t->carrier, name);
	t->frames->len = t->frames->taken = 0;
	if (pl_fleet_start_one(fleet, number_of(fleet, t), &t->r, fleet->relay))
		lose(fleet, t);
	else
		t->watched = t->r.push_len > 0;
}

/* The relay's own agent by a shell, the others by the launcher. NULL:
 * neither. */
static char **command_of(const struct pl_fleet *fleet, const struct pl_branch *t, size_t k,
			 struct pl_err *err)
{
	return pl_launch_argv(k == t->at ? "sh -c" : fleet->options->launch,
			      fleet->v[t->first + k].name, fleet->command, err);
}

static void start_agent(struct pl_fleet *fleet, struct pl_branch *t, size_t k)
{
	const int64_t deadline = pl_clock_ns() + fleet->options->start_ns;
	struct pl_remote *r = &fleet->v[t->first + k];
	struct pl_err err = {0};
	char **argv = command_of(fleet, t, k, &err);

	if (!argv)
		pl_fleet_lose(fleet, t->first + k, err.text);
	else if (pl_remote_start_by(r, &t->carrier, (uint16_t)k, argv, fleet->push != NULL,
				    deadline))
		fleet->lost(fleet->arg, t->first + k);
	free(argv);
}

static void start_agents(struct pl_fleet *fleet, struct pl_branch *t)
{
	size_t starting = 0;

	for (size_t k = 0; k < t->n_started; k++)
		starting += is_starting(&fleet->v[t->first + k]);
	while (t->n_started < t->n && starting < fleet->options->fanout) {
		start_agent(fleet, t, t->n_started++);
		starting++;
	}
}

/* Relays, and agents that have none, that are being started from here. */
static size_t count_starting(const struct pl_fleet *fleet)
{
	size_t n = 0;

	for (size_t k = 0; k < fleet->n_branches; k++) {
		const struct pl_branch *t = &fleet->branch[k];

		n += is_starting(&t->r);
		for (size_t i = t->at; is_given_up(t) && i < t->n_started; i++)
			n += is_starting(&fleet->v[t->first + i]);
	}
	return n;
}

/* The next one of those that are started from here: a relay, or an agent that
 * is to have none. */
static bool start_here(struct pl_fleet *fleet, struct pl_branch *t)
{
	const size_t host = t->first + t->n_started;

	if (!is_given_up(t)) {
		start_relay(fleet, t);
		return is_starting(&t->r);
	}
	t->n_started++;
	if (!pl_fleet_start_one(fleet, host, &fleet->v[host], fleet->command))
		return true;
	fleet->lost(fleet->arg, host);
	return false;
}

void pl_branches_start_some(struct pl_fleet *fleet)
{
	size_t starting = count_starting(fleet);

	for (size_t k = 0; k < fleet->n_branches; k++) {
		struct pl_branch *t = &fleet->branch[k];

		while (t->r.state == PL_REMOTE_NEW && t->n_started < t->n &&
		       starting < fleet->options->fanout)
			starting += start_here(fleet, t);
		if (is_up(t))
			start_agents(fleet, t);
	}
}

bool pl_branches_are_starting(const struct pl_fleet *fleet)
{
	for (size_t k = 0; k < fleet->n_branches; k++)
		if (fleet->branch[k].n_started < fleet->branch[k].n)
			return true;
	return false;
}

static void take_greeting(struct pl_fleet *fleet, struct pl_branch *t, int64_t now_ns)
{
	struct pl_msg msg;

	pl_remote_read(&t->r, now_ns);
	if (pl_remote_next(&t->r, &msg) < 0) {
		lose(fleet, t);
	} else if (t->r.state == PL_REMOTE_CLOSING) {
		fleet->look_ns = now_ns;
	} else if (t->r.ready) {
		t->carrier.fd = t->r.child.in;
	}
}

/* An agent's output, which is taken a few lines at a time; no bytes: its
 * end. */
static void take_output(struct pl_fleet *fleet, size_t host, const struct pl_frame *frame,
			int64_t now_ns)
{
	struct pl_remote *r = &fleet->v[host];
	size_t taken = 0;

	while (r->state == PL_REMOTE_UP && taken < frame->len) {
		taken += pl_remote_put(r, frame->data + taken, frame->len - taken, now_ns);
		pl_fleet_take_lines(fleet, host);
	}
	if (r->state == PL_REMOTE_UP && frame->len == 0) {
		pl_remote_end(r, now_ns);
		fleet->look_ns = now_ns;
	}
}

static void take_errors(const struct pl_fleet *fleet, struct pl_remote *r,
			const struct pl_frame *frame)
{
	size_t taken = 0;

	while (r->state != PL_REMOTE_GONE && taken < frame->len) {
		taken += pl_lines_put(&r->errors, frame->data + taken, frame->len - taken);
		pl_fleet_log(fleet, r);
	}
}

static void take_failure(struct pl_fleet *fleet, size_t host, const struct pl_frame *frame)
{
	struct pl_remote *r = &fleet->v[host];
	char why[PL_LINE_CHARS];
	const size_t len = frame->len < sizeof(why) - 1 ? frame->len : sizeof(why) - 1;

	memcpy(why, frame->data, len);
	why[len] = '\0';
	if (r->state == PL_REMOTE_GONE)
		return;
	r->open = false;
	pl_fleet_lose(fleet, host, why);
}

/* 0, or -1: there is no such frame. */
static int take_frame(struct pl_fleet *fleet, struct pl_branch *t, const struct pl_frame *frame,
		      int64_t now_ns)
{
	const size_t host = t->first + frame->channel;
	struct pl_remote *r;
	int status;

	if (frame->channel >= t->n || fleet->v[host].by != &t->carrier)
		return -1;
	r = &fleet->v[host];
	switch (frame->kind) {
	case PL_FRAME_OUTPUT:
		take_output(fleet, host, frame, now_ns);
		return 0;
	case PL_FRAME_ERRORS:
		take_errors(fleet, r, frame);
		return 0;
	case PL_FRAME_FAILED:
		take_failure(fleet, host, frame);
		return 0;
	case PL_FRAME_EXIT:
		if (pl_frame_take_status(frame, &status))
			return -1;
		pl_remote_ended_by(r, status);
		fleet->look_ns = now_ns;
		return 0;
	default:
		return -1;
	}
}

static void take_frames(struct pl_fleet *fleet, struct pl_branch *t, int64_t now_ns)
{
	const enum pl_frames_got got = pl_frames_fill(t->frames, t->r.child.out);
	struct pl_frame frame;
	int have;

	while ((have = pl_frames_next(t->frames, &frame)) > 0)
		if (take_frame(fleet, t, &frame, now_ns)) {
			have = -1;
			break;
		}
	if (have < 0) {
		pl_remote_lose(&t->r, "its relay sent an invalid frame");
		lose(fleet, t);
	} else if (got == PL_FRAMES_END) {
		cut(t);
		pl_remote_end(&t->r, now_ns);
		fleet->look_ns = now_ns;
	}
}

/* Sends what waits; that is watched for no longer than something does. */
static void send_more(struct pl_fleet *fleet, struct pl_branch *t)
{
	if (pl_remote_push(&t->r))
		return;
	pl_carrier_flush(&t->carrier);
	if (pl_outbox_waiting(&t->carrier.out) > 0)
		return;
	pl_fleet_unwatch(fleet, t->r.child.in);
	t->watched = false;
}

void pl_branches_watch_input(struct pl_fleet *fleet)
{
	for (size_t k = 0; k < fleet->n_branches; k++) {
		struct pl_branch *t = &fleet->branch[k];

		if (!t->watched && pl_outbox_waiting(&t->carrier.out) > 0)
			t->watched = !pl_fleet_watch(fleet, number_of(fleet, t), &t->r.child,
						     PL_FLEET_IN);
	}
}

void pl_branch_take_event(struct pl_fleet *fleet, struct pl_branch *t, enum pl_fleet_pipe pipe,
			  int64_t now_ns)
{
	if (pipe == PL_FLEET_ERR) {
		pl_fleet_read_errors(fleet, &t->r);
	} else if (pipe == PL_FLEET_IN) {
		if (t->r.child.in >= 0)
			send_more(fleet, t);
	} else if (t->r.child.out >= 0) {
		if (t->r.ready)
			take_frames(fleet, t, now_ns);
		else
			take_greeting(fleet, t, now_ns);
	}
}

bool pl_branches_check_times(struct pl_fleet *fleet, int64_t now_ns)
{
	bool soon = false;

	for (size_t k = 0; k < fleet->n_branches; k++) {
		struct pl_branch *t = &fleet->branch[k];

		if (pl_fleet_is_over(fleet, &t->r, now_ns))
			lose(fleet, t);
		soon |= t->r.state == PL_REMOTE_CLOSING;
	}
	return soon;
}

void pl_branches_close(struct pl_fleet *fleet)
{
	for (size_t k = 0; k < fleet->n_branches; k++) {
		struct pl_branch *t = &fleet->branch[k];

		for (size_t i = 0; i < t->n; i++)
			fleet->v[t->first + i].running = false;
		cut(t);
		pl_remote_close(&t->r);
	}
}

bool pl_branches_reap(struct pl_fleet *fleet)
{
	bool all = true;

	for (size_t k = 0; k < fleet->n_branches; k++)
		all &= pl_remote_reap(&fleet->branch[k].r);
	return all;
}

void pl_branches_signal(const struct pl_fleet *fleet, int signal)
{
	for (size_t k = 0; k < fleet->n_branches; k++)
		pl_remote_signal(&fleet->branch[k].r, signal);
}

void pl_branches_destroy(struct pl_fleet *fleet)
{
	for (size_t k = 0; k < fleet->n_branches; k++) {
		pl_carrier_fini(&fleet->branch[k].carrier);
		if (fleet->branch[k].frames)
			pl_frames_fini(fleet->branch[k].frames);
		free(fleet->branch[k].frames);
	}
	free(fleet->branch);
	fleet->branch = NULL;
	fleet->n_branches = 0;
}
