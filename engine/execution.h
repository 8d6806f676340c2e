/* SPDX-License-Identifier: BSD-3-Clause */
/* execution.h - the sends and receives of a pattern in an order that can be executed */
#ifndef PLINK_ENGINE_EXECUTION_H
#define PLINK_ENGINE_EXECUTION_H

#include "base/err.h"
#include "costmodels/pattern.h"

#include <stddef.h>
#include <stdint.h>

/* An event: a message is sent, or has been received and waited for. */
#define PL_EVENT_MESSAGE(event) ((event) / 2)
#define PL_EVENT_SENDS(event) ((event) % 2 == 0)

/* Start with {0}, end with fini. */
struct pl_execution {
	uint32_t *event; /* two of each message */
	size_t n;
};

void pl_execution_fini(struct pl_execution *e);

/*
 * Plays the pattern with sends that wait for nothing. The events of each rank are in the order of
 * its program, and a message is received after it has been sent. 0, or -1 with @err set and nothing
 * to release: PL_EUSAGE if ranks wait for one another for ever or have strands, PL_ESYSTEM for
 * memory.
 */
int pl_execution_init(struct pl_execution *e, const struct pl_pattern *p, struct pl_err *err);

#endif
