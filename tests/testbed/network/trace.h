/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - every packet delivered: its head, and the delay that it got */
#ifndef PLINK_TESTS_TESTBED_NETWORK_TRACE
#define PLINK_TESTS_TESTBED_NETWORK_TRACE

#include "base/err.h"
#include "tests/testbed/network/heap.h"

#include <stddef.h>
#include <stdint.h>

#define TB_TRACE_MAGIC 0x3252546b6e696c70ull /* "plinkTR2" */
#define TB_TRACE_ROOM_MAX (1 << 24)
#define TB_TRACE_HEAD 64 /* bytes kept, from the IPv4 header on */

struct tb_traced {
	int64_t applied_ns; /* from hand-over to delivery, as in the ledger */
	uint32_t len;       /* of the packet; min(len, TB_TRACE_HEAD) are kept */
	uint32_t change;    /* the ledger's changes when the packet came */
	uint16_t src, dst;  /* host indices */
	unsigned char head[TB_TRACE_HEAD];
};

/* Memory of the daemon, which alone writes, locked if that is allowed: a write to a disk would make
 * packets late. Other processes find it through a link in the state directory. */
struct tb_trace {
	uint64_t magic;
	uint64_t room;
	uint64_t n; /* delivered, copies too; the first min(n, room) are kept */
	struct tb_traced packet[];
};

/* Makes room for @room packets, and a link to it in directory @dirfd, which is valid as long as the
 * calling process lives and keeps the memory. NULL with @err set. */
struct tb_trace *tb_trace_create(int dirfd, size_t room, struct pl_err *err);

/* Maps the trace of a living daemon for reading. NULL with @err set; PL_EUSAGE if the daemon keeps
 * none. */
const struct tb_trace *tb_trace_open(int dirfd, struct pl_err *err);

void tb_trace_close(const struct tb_trace *trace);

/* Records one delivery; does nothing when @trace is NULL or full. */
void tb_trace_put(struct tb_trace *trace, const struct tb_packet *packet, int64_t applied_ns);

#endif
