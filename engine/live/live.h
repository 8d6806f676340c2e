/* SPDX-License-Identifier: BSD-3-Clause */
/* live.h - what a process sends and waits for, written while the job runs */
/*
 * PLINK_LIVE (plink-stats(5)) names a file for each process. After the first all-reduce that ends
 * an interval, the process writes what has happened in it: a line of JSON, or the file anew in the
 * text form of Prometheus, with what has happened since the start.
 *
 * Engines of a process may share it, in several threads.
 */
#ifndef PLINK_ENGINE_LIVE_LIVE_H
#define PLINK_ENGINE_LIVE_LIVE_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_live;

/* Between this process and another. */
struct pl_live_peer {
	uint64_t bytes;    /* that it has acknowledged */
	uint64_t busy_us;  /* while some were not */
	int64_t waited_ns; /* for what was to come from it */
	/* as the kernel measured them last; 0: not known */
	uint32_t rtt_us;
	uint64_t bytes_per_s; /* delivered */
};

/*
 * For that process of a job on @hosts, which must last, by PLINK_LIVE as @setting has it:
 * "FILE[,interval=SECONDS]". NULL with @err set: PL_EUSAGE for a setting that is none, PL_ESYSTEM
 * for a file that cannot be written. @failed is told once if that comes later, and nothing more is
 * written.
 */
struct pl_live *pl_live_create(const char *setting, uint32_t process, const struct pl_hosts *hosts,
			       void (*failed)(const struct pl_err *err), struct pl_err *err);

/* Writes what has not been written. NULL is none. */
void pl_live_destroy(struct pl_live *live);

/* How long an interval is. */
int64_t pl_live_interval_ns(const struct pl_live *live);

/* Nothing came that long; something of the peer was to come first. */
void pl_live_waited(struct pl_live *live, uint32_t peer, int64_t ns);

/* An all-reduce of so many bytes took that long. */
void pl_live_called(struct pl_live *live, uint64_t bytes, int64_t ns);

/* The schedules have changed; @why is for people. */
void pl_live_changed(struct pl_live *live, const char *why);

/* What an engine has sent to the peer since it last said so, and the latest of the rest. */
void pl_live_sent(struct pl_live *live, uint32_t peer, const struct pl_live_peer *more);

/* Writes, if the interval is over at that time. */
void pl_live_write(struct pl_live *live, int64_t now_ns);

#endif
