/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet.h - all agents of a run, served by one event loop */
#ifndef PLINK_PROBES_RUN_FLEET_H
#define PLINK_PROBES_RUN_FLEET_H

#include "probes/launch/push.h"
#include "probes/run/probe.h"
#include "probes/run/remote.h"

struct epoll_event;

/* Start with pl_fleet_init; end with stop and fini. */
struct pl_fleet {
	struct pl_remote *v; /* [n], by host */
	size_t n;
	size_t n_started;           /* hosts below this number were started */
	int epoll;                  /* watches the open pipes of all remotes */
	struct epoll_event *events; /* [3n] */
	int64_t look_ns;            /* when deadlines are checked next */
	size_t owing;               /* a host that owed an answer at the last check */
	bool starting;              /* in pl_fleet_start */
	struct pl_starts starts;
	const struct pl_probe_options *options; /* borrowed */
	const char *command;                    /* starts an agent; borrowed */
	const struct pl_push *push;             /* sent after it; NULL: none; borrowed */
	int64_t until_ns;                       /* waiting ends at this time; INT64_MAX: never */
	/* called for a message from a host that is greeted and ready */
	void (*message)(void *arg, size_t host, const struct pl_msg *msg);
	/* called when a host is lost; its remote has the reason */
	void (*lost)(void *arg, size_t host);
	/* called about ten times a second while waiting; NULL: none */
	void (*tick)(void *arg);
	void *arg;
};

/* 0, or -1 with @err set. Names are borrowed from @hosts. */
int pl_fleet_init(struct pl_fleet *fleet, const struct pl_hosts *hosts, struct pl_err *err);

/* Starts the agents and serves them until none owes an answer. 0, or -1 with @err set: PL_EPARTIAL
 * when told to stop. */
int pl_fleet_start(struct pl_fleet *fleet, struct pl_err *err);

/* Serves the agents until none owes an answer. 0, or -1 with @err set: PL_EPARTIAL when told to
 * stop or when until_ns is over, PL_ESYSTEM if waiting itself fails. */
int pl_fleet_wait(struct pl_fleet *fleet, struct pl_err *err);

/* Is the host's agent ready for the next command? */
bool pl_fleet_is_up(const struct pl_fleet *fleet, size_t host);
size_t pl_fleet_n_up(const struct pl_fleet *fleet);

/* Sends a line and expects an answer until @deadline_ns; @what names it for the error. The host may
 * be lost by this. */
void pl_fleet_ask(struct pl_fleet *fleet, size_t host, const struct pl_msg *msg, const char *what,
		  int64_t deadline_ns);

/* Gives up a host whose agent misbehaves; calls lost(). */
void pl_fleet_lose(struct pl_fleet *fleet, size_t host, const char *reason);

/* Tells all agents to end, reads their last messages, waits briefly, kills and reaps the rest: no
 * process is left. The remotes can still be read. */
void pl_fleet_stop(struct pl_fleet *fleet);

/* Call after pl_fleet_stop, or before any agent was started. */
void pl_fleet_fini(struct pl_fleet *fleet);

#endif
