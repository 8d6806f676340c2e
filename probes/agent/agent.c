/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.c - the program on each host: sends probes and answers them during a run */
#include "config.h"

#include "probes/agent/agent.h"

#include "base/clock.h"
#include "probes/agent/parts.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define S INT64_C(1000000000)

static int tell_result(struct pl_agent *a, struct pl_err *err)
{
	struct pl_msg msg = {
		.kind = PL_MSG_RESULT,
		.round = a->exchange.round,
		.peer = a->exchange.peer,
	};

	pl_agent_count_dropped(a);
	msg.refused = a->exchange.refused;
	pl_prober_result(&a->prober, &msg.pair);
	if (msg.pair.answered == 0 && a->send_errno)
		snprintf(msg.text, sizeof(msg.text), "cannot send: %s", strerror(a->send_errno));
	pl_agent_stop_probing(a);
	return pl_agent_tell(a, &msg, err);
}

static int probe(struct pl_agent *a, struct pl_err *err)
{
	uint32_t seq;

	if (!a->probing)
		return 0;
	while (pl_prober_step(&a->prober, pl_clock_ns(), &seq))
		pl_agent_send_request(a, seq);
	return a->prober.done ? tell_result(a, err) : 0;
}

static int step_flows(struct pl_agent *a, struct pl_err *err)
{
	struct pl_msg msg;

	for (size_t k = 0; k < 2; k++) {
		if (!pl_flow_step(&a->flow[k], pl_clock_ns(), &msg))
			continue;
		msg.refused = a->exchange.refused + a->flow[PL_AGENT_RECEIVES].refused;
		if (pl_agent_tell(a, &msg, err))
			return -1;
	}
	return 0;
}

static int64_t sooner(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* In a flood, sockets are read only now and then; but not during a flow of bytes, which would
 * suffer. */
static bool rests(struct pl_agent *a, int64_t now_ns)
{
	return a->flow[PL_AGENT_RECEIVES].stage == PL_FLOW_NONE &&
	       a->flow[PL_AGENT_SENDS].stage == PL_FLOW_NONE && pl_guard_naps(&a->guard, now_ns);
}

/* Waits for commands only; after that all sockets are read. */
static int nap(const struct pl_agent *a, struct pollfd *fds, int64_t ns, struct pl_err *err)
{
	const struct timespec wait = {.tv_nsec = (long)ns};

	for (unsigned k = 0; k < a->n_udp; k++)
		fds[1 + k].revents = POLLIN;
	if (ppoll(fds, 1, &wait, NULL) >= 0)
		return 0;
	fds[0].revents = 0;
	return errno == EINTR ? 0 : pl_err_errno(err, "ppoll");
}

/* fds[0] is for commands, fds[1 + k] for flow k, the others for bytes. */
static int wait_for_events(struct pl_agent *a, struct pollfd *fds, struct pl_err *err)
{
	const int64_t now = pl_clock_ns();
	int64_t wake = now + PL_SILENCE_LOOK_NS;
	struct timespec wait;
	unsigned n = 1;

	if (pl_silence_look(&a->silence, now) >= a->options->patience_ns)
		return pl_err_set(err, PL_ESYSTEM, "no word from the coordinator for %g s",
				  (double)a->options->patience_ns / (double)S);
	if (a->probing)
		wake = sooner(wake, pl_prober_wake(&a->prober));
	for (size_t k = 0; k < 2; k++)
		wake = sooner(wake, pl_flow_wake(&a->flow[k]));
	wake = wake > now ? wake - now : 0;
	if (rests(a, now))
		return nap(a, fds, sooner(wake, PL_GUARD_NAP_NS), err);
	wait.tv_sec = (time_t)(wake / S);
	wait.tv_nsec = (long)(wake % S);
	for (unsigned k = 0; k < a->n_udp; k++)
		fds[n++] = (struct pollfd){.fd = a->udp[k], .events = POLLIN};
	for (size_t k = 0; k < 2; k++)
		n += pl_flow_poll(&a->flow[k], fds + n);
	if (ppoll(fds, n, &wait, NULL) >= 0)
		return 0;
	for (unsigned k = 0; k <= a->n_udp; k++)
		fds[k].revents = 0;
	return errno == EINTR ? 0 : pl_err_errno(err, "ppoll");
}

static int loop(struct pl_agent *a, struct pl_err *err)
{
	struct pollfd fds[1 + PL_FLOWS_MAX + 2 * PL_FLOW_FDS] = {
		{.fd = a->options->in, .events = POLLIN}};
	unsigned n;

	while (!a->ended) {
		n = a->n_udp; /* a command may bind them */
		if (wait_for_events(a, fds, err))
			return -1;
		for (unsigned k = 0; k < n; k++)
			if (fds[1 + k].revents)
				pl_agent_take_packets(a, k);
		if (fds[0].revents && pl_agent_take_commands(a, err))
			return -1;
		if (probe(a, err) || step_flows(a, err))
			return -1;
	}
	return 0;
}

int pl_agent_run(const struct pl_agent_options *options, struct pl_err *err)
{
	struct pl_agent a = {.options = options};
	struct pl_err why = {0};
	int status;

	if (sodium_init() < 0)
		return pl_err_set(
			err, PL_ESYSTEM,
			"libsodium does not start: this machine provides no random numbers");
	a.prober.done = true;
	pl_wire_clock_init(&a.clock);
	pl_silence_break(&a.silence, pl_clock_ns());
	status = pl_agent_greet(&a, &why) || loop(&a, &why) ? -1 : 0;
	/* first: the coordinator is told the reason even if nothing more may be read */
	pl_agent_stop_probing(&a);
	pl_agent_end_flows(&a);
	for (unsigned k = 0; k < a.n_udp; k++)
		close(a.udp[k]);
	if (status) {
		struct pl_msg msg = {.kind = PL_MSG_ERROR};

		snprintf(msg.text, sizeof(msg.text), "%.250s", why.text);
		pl_agent_tell(&a, &msg, NULL);
		if (err)
			*err = why;
	}
	sodium_memzero(&a, sizeof(a));
	return status;
}
