/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - the file of the running program, to be sent on */
#ifndef PLINK_PROBES_RELAY_PROGRAM_H
#define PLINK_PROBES_RELAY_PROGRAM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct pl_relay_program {
	const uint8_t *data; /* [len]; NULL: not mapped yet */
	size_t len;
};

/* Maps the file, even if it has no name any more. 0, or -1 with @err set. */
int pl_program_map(struct pl_relay_program *program, struct pl_err *err);

void pl_program_unmap(struct pl_relay_program *program);

#endif
