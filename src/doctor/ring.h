/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - can the agent of each host exchange UDP probes, and bytes by TCP, with the next
 * host's? */
#ifndef PLINK_SRC_DOCTOR_RING_H
#define PLINK_SRC_DOCTOR_RING_H

#include "probes/run/probe.h"
#include "src/doctor/facts.h"

enum pl_doctor_by { PL_DOCTOR_BY_UDP, PL_DOCTOR_BY_TCP, PL_DOCTOR_BYS };

/* Two neighbours in the given order, indexed by host. */
struct pl_doctor_pair {
	size_t a, b;
	struct pl_doctor_passing {
		bool well;                 /* both have received what the other has sent */
		char why[PL_DOCTOR_FAULT]; /* the reason if not */
	} by[PL_DOCTOR_BYS];
};

struct pl_doctor_ring {
	struct pl_doctor_pair *v; /* [n] of the hosts whose agents took part */
	size_t n;
	char fault[PL_DOCTOR_FAULT]; /* why no pair could be tried; or empty */
	uint64_t probes;
};

/*
 * Starts the agents of the hosts with v[i].probed, and makes each probe the next one, and send it
 * bytes by TCP, and the last the first. Uses the launcher, agent, network, ports and fanout of
 * @options. If an agent does not start, the probe_fault of its host gives the reason. 0, or -1 with
 * @err set: out of memory, or PL_EPARTIAL when stopped. @ring must be {0}; end with fini.
 */
int pl_doctor_ring_probe(struct pl_doctor_ring *ring, struct pl_doctor_facts *v, size_t n,
			 const struct pl_probe_options *options, int64_t limit_ns,
			 struct pl_err *err);
void pl_doctor_ring_fini(struct pl_doctor_ring *ring);

#endif
