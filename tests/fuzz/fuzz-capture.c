/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-capture.c - any bytes as a savefile: an error, or streams that make sense */
#include "config.h"

#include "audit/merge.h"
#include "audit/savefile.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NODES 4

static void check_stream(const struct pl_tcp_stream *s)
{
	if (s->n_points && s->point[s->n_points - 1].bytes != s->next)
		abort();
	for (size_t i = 1; i < s->n_points; i++)
		if (s->point[i].ns <= s->point[i - 1].ns ||
		    s->point[i].bytes <= s->point[i - 1].bytes)
			abort();
	if (s->lost_bytes > s->next)
		abort();
}

/* Two captures of the same count once. */
static void check_twice(struct pl_trace trace[2])
{
	const struct pl_port_list all = {{{1, UINT16_MAX}}, 1}, none = {.n = 0};
	struct pl_capture_merge merge = {.trace = trace,
					 .n_nodes = NODES,
					 .wire = pl_wire_find("openmpi", NULL),
					 .ports = &all,
					 .not_ports = &none,
					 .times = true};
	struct pl_who who = {.n = 0};
	struct pl_audit_pairs once = {.n = 0}, twice = {.n = 0};
	struct pl_merge_sums sums;

	for (uint8_t i = 0; i < NODES; i++) {
		const struct pl_ip ip = pl_ip_of_v4((const uint8_t[]){10, 0, 0, i});

		if (pl_who_add(&who, &ip, i, NULL))
			abort();
	}
	merge.who = &who;
	merge.n_traces = 1;
	if (pl_merge_traces(&once, &merge, &sums, NULL))
		abort();
	merge.n_traces = 2;
	if (pl_merge_traces(&twice, &merge, &sums, NULL))
		abort();
	if (once.n != twice.n)
		abort();
	for (size_t i = 0; i < once.n; i++) {
		const struct pl_audit_pair *p = &once.v[i];
		const struct pl_audit_pair *q = pl_pairs_find(&twice, p->src, p->dst);

		if (!q || q->seen_bytes != p->seen_bytes)
			abort();
	}
	pl_pairs_fini(&once);
	pl_pairs_fini(&twice);
	pl_who_fini(&who);
}

static int read_one(struct pl_trace *t, const uint8_t *data, size_t size)
{
	struct pl_err err = {0};
	FILE *f = fmemopen((void *)data, size, "r");

	if (!f || pl_trace_init(t, "fuzz", NULL))
		abort();
	if (pl_savefile_read(t, f, &err) == 0)
		return 0;
	if (err.code != PL_EINPUT)
		abort();
	return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_trace trace[2];
	int rc;

	if (size == 0)
		return 0;
	rc = read_one(&trace[0], data, size);
	if (read_one(&trace[1], data, size) != rc)
		abort();
	for (size_t i = 0; rc == 0 && i < trace[0].n_flows; i++)
		check_stream(&trace[0].flow[i].stream);
	if (rc == 0)
		check_twice(trace);
	pl_trace_fini(&trace[0]);
	pl_trace_fini(&trace[1]);
	return 0;
}
