/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - the bytes that a library adds to what its ranks send */
#ifndef PLINK_AUDIT_WIRE_H
#define PLINK_AUDIT_WIRE_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/pattern.h"

#include <stdint.h>

/* What a message costs beyond its payload. */
struct pl_overhead {
	uint64_t forward; /* with the message */
	uint64_t back;    /* from its receiver to its sender */
};

struct pl_wire {
	const char *name;
	const char *summary;  /* one line, with the library's version */
	uint64_t eager_bytes; /* limit the library has by default; 0: none */
	/* what each end sends when a connection is made: the one that made it,
	 * the one that took it */
	uint64_t client_bytes, server_bytes;
	struct pl_overhead (*overhead)(const struct pl_message *m,
				       uint64_t eager_bytes);
	int port_min, port_max; /* where its ranks listen by default */
};

/* The one of that name; NULL with @err set (PL_EUSAGE), which lists them. */
const struct pl_wire *pl_wire_find(const char *name, struct pl_err *err);

/* What an algorithm's own library adds (with @radix of the call); NULL with
 * @err set where that is not known. */
const struct pl_wire *pl_wire_of(const struct pl_algorithm *a, size_t radix,
				 struct pl_err *err);

#endif
