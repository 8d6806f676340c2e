/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - the bytes that a library adds to what its ranks send */
#include "config.h"

#include "audit/wire.h"

#include "costmodels/catalogue.h"

#include <string.h>

/*
 * Open MPI 4.1, pml ob1 over btl tcp, without heterogeneous support, contiguous buffers, one
 * connection between two ranks. Sizes of its headers:
 *
 *   8   of btl tcp, before whatever it sends (btl_tcp_hdr.h)
 *   14  match, 32 rendezvous, 40 ack, 56 put, 24 fin (pml_ob1_hdr.h)
 *   16  the segment that a put names (btl.h)
 *   24  on a new connection from either end: a magic word and the process' name
 *
 * A message that fits into the eager limit, with the largest of the headers, goes at once behind a
 * match header; one that is sent synchronously goes at once behind that of a rendezvous, and the
 * receive is acknowledged. Of a larger one the sender first tells the length (rendezvous); btl tcp
 * registers no memory, so the receiver takes all of it by puts of up to 2^31 - 1024 bytes, and each
 * one ends with a fin.
 */
#define BTL_HEADER 8
#define MATCH_HEADER 14
#define RENDEZVOUS_HEADER 32
#define ACK_HEADER 40
#define PUT_HEADER 56
#define FIN_HEADER 24
#define PUT_SEGMENT 16
#define LARGEST_HEADER PUT_HEADER
#define PUT_MAX (((uint64_t)1 << 31) - 1024)

static struct pl_overhead openmpi(const struct pl_message *m, uint64_t eager_bytes)
{
	const uint64_t limit = eager_bytes > LARGEST_HEADER ? eager_bytes - LARGEST_HEADER : 0;
	const uint64_t puts = m->bytes / PUT_MAX + (m->bytes % PUT_MAX != 0);

	if (m->bytes <= limit && m->synchronous)
		return (struct pl_overhead){BTL_HEADER + RENDEZVOUS_HEADER,
					    BTL_HEADER + ACK_HEADER};
	if (m->bytes <= limit)
		return (struct pl_overhead){BTL_HEADER + MATCH_HEADER, 0};
	return (struct pl_overhead){
		BTL_HEADER + RENDEZVOUS_HEADER +
			puts * (BTL_HEADER + PUT_SEGMENT + BTL_HEADER + FIN_HEADER),
		puts * (BTL_HEADER + PUT_HEADER)};
}

/*
 * Gloo over its tcp transport (pair.h) puts a preamble of six words of 8 bytes before whatever it
 * sends. Its functions have unbound buffers: the sender announces a message, the receiver that it
 * is ready, and the data follow. Its classes have buffers that were made known before: the data go
 * at once.
 */
#define PREAMBLE 48

static struct pl_overhead gloo(const struct pl_message *m, uint64_t eager_bytes)
{
	(void)m;
	(void)eager_bytes;
	return (struct pl_overhead){2 * PREAMBLE, PREAMBLE};
}

static struct pl_overhead gloo_buffers(const struct pl_message *m, uint64_t eager_bytes)
{
	(void)m;
	(void)eager_bytes;
	return (struct pl_overhead){PREAMBLE, 0};
}

/*
 * plink's own engine: a head before each chunk (engine/lane.h); on a new connection from either end
 * a hello (engine/hello.h): a magic word, a key of 16 bytes, a digest of 8, a rank, a number and an
 * offer of memory of 24.
 */
#define CHUNK_HEAD 8
#define HELLO (4 + 16 + 8 + 4 + 4 + 24)

static struct pl_overhead engine(const struct pl_message *m, uint64_t eager_bytes)
{
	(void)m;
	(void)eager_bytes;
	return (struct pl_overhead){CHUNK_HEAD, 0};
}

static struct pl_overhead plain(const struct pl_message *m, uint64_t eager_bytes)
{
	(void)m;
	(void)eager_bytes;
	return (struct pl_overhead){0, 0};
}

static const struct pl_wire wires[] = {
	{
		.name = "openmpi",
		.summary = "Open MPI 4.1, ob1 over btl tcp: 22 bytes a message up to the eager "
			   "limit (synchronous: 40 and 48 back), above it 96 and 64 back",
		.eager_bytes = 65536,
		.client_bytes = 24,
		.server_bytes = 24,
		.overhead = openmpi,
		.port_min = 1024,  /* btl_tcp_port_min_v4, counted up from */
		.port_max = 32767, /* the kernel gives out those above */
	},
	{
		.name = "gloo",
		.summary = "Gloo's functions, over TCP: 96 bytes a message and 48 back",
		.overhead = gloo,
		.port_min = 1024,
		.port_max = 65535,
	},
	{
		.name = "gloo-buffers",
		.summary = "Gloo's classes, over TCP: 48 bytes a message",
		.overhead = gloo_buffers,
		.port_min = 1024,
		.port_max = 65535,
	},
	{
		.name = "lightgbm",
		.summary = "LightGBM's sockets: nothing but the data, and the rank when a "
			   "connection is made",
		.client_bytes = 4,
		.overhead = plain,
		.port_min = 1024,
		.port_max = 65535,
	},
	{
		.name = "engine",
		.summary = "plink's own schedules: 8 bytes a chunk",
		.client_bytes = HELLO,
		.server_bytes = HELLO,
		.overhead = engine,
		.port_min = 32768, /* the kernel gives them out */
		.port_max = 65535,
	},
	{
		.name = "plain",
		.summary = "nothing but the data",
		.overhead = plain,
		.port_min = 1024,
		.port_max = 65535,
	},
};

#define N_WIRES (sizeof(wires) / sizeof(*wires))

const struct pl_wire *pl_wire_find(const char *name, struct pl_err *err)
{
	for (size_t i = 0; i < N_WIRES; i++)
		if (strcmp(name, wires[i].name) == 0)
			return &wires[i];
	pl_err_set(err, PL_EUSAGE,
		   "no headers are known as \"%s\"; there are: openmpi, gloo, gloo-buffers, "
		   "lightgbm, engine, plain",
		   name);
	return NULL;
}

const struct pl_wire *pl_wire_of(const struct pl_algorithm *a, size_t radix, struct pl_err *err)
{
	switch (a->impl) {
	case PL_OPENMPI:
	case PL_LIGHTGBM:
		return pl_wire_find(pl_impl_name(a->impl), err);
	case PL_GLOO:
		return pl_wire_find(pl_gloo_is_function(a, radix) ? "gloo" : "gloo-buffers", err);
	case PL_THESIS: /* runs over whatever library it is written for */
	case PL_NCCL:
	case PL_MPICH:
	case PL_XGBOOST:
		break;
	}
	pl_err_set(err, PL_EUSAGE,
		   "the headers that %s adds to its messages are not known: name them with --wire "
		   "(\"plain\": none), and give a --tolerance",
		   pl_impl_name(a->impl));
	return NULL;
}
