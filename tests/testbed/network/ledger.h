/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.h - what the engine did, in memory that `status` reads, too */
#ifndef PLINK_TESTS_TESTBED_NETWORK_LEDGER
#define PLINK_TESTS_TESTBED_NETWORK_LEDGER

#include "base/err.h"
#include "base/matrix/tiers.h"
#include "tests/testbed/network/topology.h"

#include <stddef.h>
#include <stdint.h>

#define TB_LEDGER_MAGIC 0x3342546b6e696c70ull /* "plinkTB3" */

/* Lateness: bucket 0 counts packets under 1 us late, bucket k under 2^k us, the last bucket all
 * others. */
#define TB_BUCKETS 24

/* A packet written this long after its time counts as late. */
#define TB_LATE_NS 200000

#define TB_NO_PATH (-1) /* asked_ns of a pair without a connection */

/* One directed pair. An applied delay is the time from when the sender handed
 * the packet over (the read minus the calibrated hand-over time) to its
 * write. */
struct tb_pair {
	int64_t asked_ns;
	uint64_t packets, bytes; /* delivered, copies among them */
	uint64_t lost;           /* by --loss, or no path */
	uint64_t late;
	uint64_t duplicated, reordered; /* copies made; packets held up */
	/* applied delays of the packets delivered that came since the last change */
	uint64_t timed; /* number of these packets */
	int64_t sum_ns, min_ns, max_ns;
};

/*
 * A file in the state directory, mapped by the daemon, which alone writes, and by `status`.
 * Counters are read while they change: each is right, but two need not belong to the same moment.
 * Host byte order; does not outlive a boot.
 */
struct tb_ledger {
	uint64_t magic;
	uint64_t n; /* hosts */
	int64_t started_ns, compensation_ns;
	int64_t jitter_ns, behind_ns;
	double loss, duplicate, reorder; /* 0: none */
	double cpu;                      /* as in tb_shape */
	uint64_t n_groups;
	size_t within[TB_GROUPS_MAX]; /* pl_tiers; rates of 0: no limit */
	struct pl_link_rate card[TB_HOSTS_MAX], uplink[TB_GROUPS_MAX];
	uint32_t changes;              /* how often the delays have changed */
	int64_t changed_ns;            /* when they last changed; 0: never */
	uint64_t realtime;             /* 1: the daemon runs under SCHED_FIFO */
	uint64_t awake;                /* 1: idle processors do not sleep */
	uint64_t unroutable;           /* packets to an address that is no host */
	uint64_t overflow;             /* dropped: too much on its way */
	uint64_t refused;              /* dropped: the receiver would not take it */
	uint64_t lateness[TB_BUCKETS]; /* packets by time after the deadline */
	struct tb_pair pair[];         /* n * n, row = source */
};

/* Makes the file in directory @dirfd for @n hosts: zeroed, mapped, and locked in memory if that is
 * allowed. NULL with @err set. */
struct tb_ledger *tb_ledger_create(int dirfd, size_t n, struct pl_err *err);

/* Maps an existing one for reading. NULL with @err set. */
const struct tb_ledger *tb_ledger_open(int dirfd, struct pl_err *err);

void tb_ledger_close(const struct tb_ledger *ledger);

/* One delivery. */
struct tb_delivery {
	int64_t applied_ns; /* from hand-over to write */
	int64_t late_ns;    /* write minus deadline, >= 0 */
	uint32_t bytes;
	uint32_t change; /* of the ledger when the packet came */
};
void tb_ledger_deliver(struct tb_ledger *ledger, struct tb_pair *pair, struct tb_delivery delivery);

/* What `up` and `change` ask for: delays [n * n], TB_NO_PATH if there is no connection, and rates
 * of cards and of the present groups; a rate of 0 leaves the old one. */
struct tb_asked {
	const int64_t *delay_ns;
	const struct pl_link_rate *card, *uplink;
};

/* Sets these delays and rates from now on. Forgets the applied delays so far, and keeps the other
 * counters. */
void tb_ledger_change(struct tb_ledger *ledger, const struct tb_asked *asked, int64_t now_ns);

/* Upper end of a lateness bucket in us; 0 for the last, which has none. */
uint64_t tb_bucket_us(size_t bucket);

#endif
