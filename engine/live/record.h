/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - what the file of a process' live statistics says */
#ifndef PLINK_ENGINE_LIVE_RECORD_H
#define PLINK_ENGINE_LIVE_RECORD_H

#include "base/hosts/hosts.h"
#include "engine/live/live.h"

#include <stdint.h>
#include <stdio.h>

#define PL_LIVE_WHY_CHARS 160

/* Of an interval, or of all so far. */
struct pl_live_record {
	uint64_t calls, bytes, changes;
	int64_t called_ns;
	char why[PL_LIVE_WHY_CHARS]; /* of the last change; "": none */
	struct pl_live_peer *peer;   /* [n] */
};

struct pl_live_head {
	uint32_t process, n; /* numbered as in the schedules */
	const char **host;   /* [n] */
	double seconds;      /* that the record is of */
	double time;         /* since 1970, at its end */
};

/* A line. */
void pl_live_write_json(FILE *out, const struct pl_live_head *head, const struct pl_live_record *r);

/* A file. */
void pl_live_write_prometheus(FILE *out, const struct pl_live_head *head,
			      const struct pl_live_record *r);

#endif
