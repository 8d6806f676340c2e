/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - how long a packet takes from its sender's call to the daemon */
#ifndef PLINK_TESTS_TESTBED_NETWORK_CALIBRATE
#define PLINK_TESTS_TESTBED_NETWORK_CALIBRATE

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

/*
 * Has a process in the network of @host (a first process's number) send packets that carry the
 * time. Reads them from the host's card @tun as the engine does, asleep until one comes.
 * *hand_over_ns is the shortest of 100 hand-over times. With this time subtracted, packets are on
 * time or late; a packet is early, by no more than that time, only if its hand-over was faster than
 * all of these. Takes about 50 ms.
 *
 * 0, or -1 with @err set (PL_ESYSTEM), also when no packet comes through.
 */
int tb_calibrate(pid_t host, int tun, int64_t *hand_over_ns, struct pl_err *err);

#endif
