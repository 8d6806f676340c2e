/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - do hosts' agents hear one another, each the next one? */
#ifndef PLINK_SRC_DOCTOR_RING_H
#define PLINK_SRC_DOCTOR_RING_H

#include "probes/run/probe.h"
#include "src/doctor/facts.h"

/* Two neighbours in the given order, indexed by host. */
struct pl_doctor_pair {
	size_t a, b;
	bool well;                 /* both have heard the other */
	char why[PL_DOCTOR_FAULT]; /* where not */
};

struct pl_doctor_ring {
	struct pl_doctor_pair *v; /* [n], of hosts whose agents took part */
	size_t n;
	char fault[PL_DOCTOR_FAULT]; /* why no two could be tried; empty */
	uint64_t probes;
};

/*
 * Starts the agents of those hosts v[n] of which v[i].probed says so, and has
 * each probe the next of them, the last one the first. Of @options, the
 * launcher, the agent, its network and ports and fanout are kept. An agent that
 * does not start is told in its host's probe_fault. 0, or -1 with @err set: out
 * of memory, or PL_EPARTIAL when stopped. @ring must be {0}; end with fini.
 */
int pl_doctor_ring_probe(struct pl_doctor_ring *ring, struct pl_doctor_facts *v,
			 size_t n, const struct pl_probe_options *options,
			 int64_t limit_ns, struct pl_err *err);
void pl_doctor_ring_fini(struct pl_doctor_ring *ring);

#endif
