/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - the bytes that a library adds to the messages of its ranks */
#ifndef PLINK_AUDIT_WIRE_H
#define PLINK_AUDIT_WIRE_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/pattern.h"

#include <stdint.h>

/* The bytes that a message takes beyond its payload. */
struct pl_overhead {
	uint64_t forward; /* in the direction of the message */
	uint64_t back;    /* from its receiver to its sender */
};

struct pl_wire {
	const char *name;
	const char *summary;  /* one line, with the library's version */
	uint64_t eager_bytes; /* the library's default eager limit; 0: none */
	/* the bytes that each end sends when a connection is made: the end that opened it, the end
	 * that accepted it */
	uint64_t client_bytes, server_bytes;
	struct pl_overhead (*overhead)(const struct pl_message *m, uint64_t eager_bytes);
	/* the ports that its ranks listen on by default */
	int port_min, port_max;
};

/* The entry called @name; NULL with @err set: PL_EUSAGE for an unknown name; the text lists the
 * known ones. */
const struct pl_wire *pl_wire_find(const char *name, struct pl_err *err);

/* The entry of the library that @a belongs to, called with @radix; NULL with @err set (PL_EUSAGE)
 * if it is not known. */
const struct pl_wire *pl_wire_of(const struct pl_algorithm *a, size_t radix, struct pl_err *err);

#endif
