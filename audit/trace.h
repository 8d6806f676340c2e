/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the TCP streams of one capture */
#ifndef PLINK_AUDIT_TRACE_H
#define PLINK_AUDIT_TRACE_H

#include "audit/frame.h"
#include "audit/stream.h"
#include "audit/trips.h"
#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One direction of a connection. */
struct pl_tcp_flow {
	struct pl_ip src, dst;
	uint16_t src_port, dst_port;
	bool is_client, is_server; /* @src began it, accepted it; by the SYN */
	struct pl_tcp_stream stream;
	struct pl_trips trips; /* where the trace is read with them */
};

#define PL_NO_OWNER SIZE_MAX

/* Start with pl_trace_init, end with fini. */
struct pl_trace {
	char *name;      /* the file, for messages */
	size_t owner;    /* node on which it was taken, or PL_NO_OWNER */
	bool with_trips; /* round trips are looked for while it is read */
	bool between;    /* taken in the midst of the nodes */
	struct pl_tcp_flow *flow;
	size_t n_flows, flows_room;
	uint32_t *slot; /* [n_slots], a power of two: index of a flow + 1 */
	size_t n_slots;
	size_t last; /* the flow of the last segment */
	uint64_t n_packets, n_other, n_cut, n_fragments;
	const volatile sig_atomic_t
		*stop; /* ends reading; NULL: nothing does */
};

/* 0, or -1 with @err set. */
int pl_trace_init(struct pl_trace *t, const char *name, struct pl_err *err);
void pl_trace_fini(struct pl_trace *t);

/* A packet as it was captured. 0, or -1: out of memory. */
int pl_trace_add(struct pl_trace *t, int64_t ns, struct pl_capture_frame frame,
		 enum pl_capture_link link);

/* There are no more packets. 0, or -1: out of memory. */
int pl_trace_end(struct pl_trace *t);

#endif
