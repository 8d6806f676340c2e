/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet.h - all agents of a run, served by one loop */
#ifndef PLINK_PROBES_RUN_FLEET_H
#define PLINK_PROBES_RUN_FLEET_H

#include "probes/launch/push.h"
#include "probes/run/probe.h"
#include "probes/run/remote.h"

struct epoll_event;
struct pl_branch;

/* Start with pl_fleet_init; end with stop and fini. */
struct pl_fleet {
	struct pl_remote *v; /* [n], by host */
	size_t n;
	size_t n_started;           /* hosts below this one were started */
	int epoll;                  /* all that is open of all of them */
	struct epoll_event *events; /* [3n] */
	int64_t look_ns;            /* when deadlines are looked at next */
	size_t owing;               /* a host that owed an answer last time */
	const struct pl_probe_options *options; /* borrowed */
	const char *command;        /* that starts an agent; borrowed */
	const struct pl_push *push; /* what is sent after it; NULL: nothing;
				     * borrowed */
	const char *relay; /* command that starts a relay; NULL: there are none;
			    * borrowed */
	struct pl_branch *branch; /* [n_branches], by their first hosts */
	size_t n_branches;        /* 0: all agents are started from here */
	int64_t until_ns;         /* waiting ends then; INT64_MAX: never */
	/* a line came from a host that was greeted and ready */
	void (*message)(void *arg, size_t host, const struct pl_msg *msg);
	/* a host is lost, for the reason in its remote */
	void (*lost)(void *arg, size_t host);
	/* called some ten times a second while waiting; NULL: nobody */
	void (*tick)(void *arg);
	void *arg;
};

/* 0, or -1 with @err set. Names are borrowed from @hosts. */
int pl_fleet_init(struct pl_fleet *fleet, const struct pl_hosts *hosts,
		  struct pl_err *err);

/* Starts agents and serves them until none owes an answer. 0, or -1 when told
 * to stop, or when @err is set. */
int pl_fleet_start(struct pl_fleet *fleet, struct pl_err *err);

/* Serves the agents until none owes an answer. 0, or -1 when told to stop or
 * when until_ns is over (err untouched) or where waiting itself fails. */
int pl_fleet_wait(struct pl_fleet *fleet, struct pl_err *err);

/* Is the host's agent there for the next command? */
bool pl_fleet_is_up(const struct pl_fleet *fleet, size_t host);
size_t pl_fleet_n_up(const struct pl_fleet *fleet);

/* Sends a line and expects @what until then; the host may be lost by it. */
void pl_fleet_ask(struct pl_fleet *fleet, size_t host, const struct pl_msg *msg,
		  const char *what, int64_t deadline_ns);

/* Loses a host whose agent misbehaves; calls lost(). */
void pl_fleet_lose(struct pl_fleet *fleet, size_t host, const char *reason);

/* Tells all agents to end, takes their last words, gives them a moment, makes
 * sure, reaps: no process is left. Remotes stay for reading. */
void pl_fleet_stop(struct pl_fleet *fleet);

/* After pl_fleet_stop, or before any agent was started. */
void pl_fleet_fini(struct pl_fleet *fleet);

#endif
