/* SPDX-License-Identifier: BSD-3-Clause */
/* carrier.h - a relay's connection as used by a host behind the relay */
#ifndef PLINK_PROBES_RUN_CARRIER_H
#define PLINK_PROBES_RUN_CARRIER_H

#include "probes/protocol/frames.h"

#include <stdbool.h>
#include <stdint.h>

/* Start with pl_carrier_init; end with pl_carrier_fini. When the connection is
 * gone, output is dropped: the code that serves the relay reports why. */
struct pl_carrier {
	const char *host; /* the relay's host; borrowed */
	int fd;           /* the relay's input; borrowed; -1: closed */
	struct pl_outbox out;
};

void pl_carrier_init(struct pl_carrier *c, const char *host);

/* Queue frames for the relay (probes/protocol/frames.h). 0, or -1: too many
 * bytes are waiting, or out of memory. */
int pl_carrier_send(struct pl_carrier *c, enum pl_frame_kind kind, uint16_t channel,
		    const void *data, size_t len);
int pl_carrier_start(struct pl_carrier *c, uint16_t channel, bool push, char *const argv[]);

/* Sends waiting bytes as far as the relay takes them. */
void pl_carrier_flush(struct pl_carrier *c);

void pl_carrier_fini(struct pl_carrier *c);

#endif
