/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the TCP streams of one capture */
#ifndef PLINK_AUDIT_TRACE_H
#define PLINK_AUDIT_TRACE_H

#include "audit/frame.h"
#include "audit/stream.h"
#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One direction of a connection. */
struct pl_tcp_flow {
	struct pl_ip src, dst;
	uint16_t src_port, dst_port;
	/* src opened it, accepted it; known from the SYN */
	bool is_client, is_server;
	struct pl_tcp_stream stream;
};

#define PL_NO_OWNER SIZE_MAX

/* Start with pl_trace_init, end with fini. */
struct pl_trace {
	char *name;   /* of the file, for messages */
	size_t owner; /* the node that it was taken on, or PL_NO_OWNER */
	bool between; /* taken between the nodes, on none of them */
	struct pl_tcp_flow *flow;
	size_t n_flows, flows_room;
	uint32_t *slot; /* [n_slots], a power of two: index of a flow + 1 */
	size_t n_slots;
	size_t last; /* index of the flow of the last segment */
	uint64_t n_packets, n_cut, n_fragments;
	const volatile sig_atomic_t *stop; /* not 0: end reading; NULL: never */
};

/* 0, or -1 with @err set: out of memory. @name is copied. */
int pl_trace_init(struct pl_trace *t, const char *name, struct pl_err *err);
void pl_trace_fini(struct pl_trace *t);

/* Adds a packet. 0, or -1: out of memory. */
int pl_trace_add(struct pl_trace *t, int64_t ns, struct pl_capture_frame frame,
		 enum pl_capture_link link);

/* Ends all streams after the last packet. 0, or -1: out of memory. */
int pl_trace_end(struct pl_trace *t);

#endif
