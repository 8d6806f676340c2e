/* SPDX-License-Identifier: BSD-3-Clause */
/* protobuf.h - the fields of a message of Protocol Buffers */
#ifndef PLINK_JOB_IMPORT_PROTOBUF_H
#define PLINK_JOB_IMPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are not yet taken; borrowed. */
struct pl_protobuf {
	const unsigned char *at;
	size_t len;
};

enum pl_protobuf_type {
	PL_PROTOBUF_VARINT = 0,
	PL_PROTOBUF_FIXED64 = 1,
	PL_PROTOBUF_BYTES = 2, /* a string, or a message within this one */
	PL_PROTOBUF_FIXED32 = 5,
};

struct pl_protobuf_field {
	uint64_t number;
	enum pl_protobuf_type type;
	uint64_t value;           /* of all but PL_PROTOBUF_BYTES */
	struct pl_protobuf bytes; /* of PL_PROTOBUF_BYTES */
};

/* Takes a number of 7 bits a byte. 0, or -1: it is cut off or has more than 64
 * bits. */
int pl_protobuf_varint(struct pl_protobuf *w, uint64_t *value);

/* Takes the next field. 1; 0 at the end; -1: this is no field. */
int pl_protobuf_next(struct pl_protobuf *w, struct pl_protobuf_field *field);

#endif
