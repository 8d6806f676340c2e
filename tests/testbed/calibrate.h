/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.h - how long a packet takes from its sender's call to the daemon */
#ifndef PLINK_TESTBED_CALIBRATE_H
#define PLINK_TESTBED_CALIBRATE_H

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

/*
 * Has a process in the network of @host (a first process's number) send packets
 * that carry the time, reads them from its card @tun as the engine does, asleep
 * until one comes. *hand_over_ns is the least of 100: with it taken off,
 * packets are on time or late; early, by no more than that, only one that came
 * sooner than those did. Takes about 50 ms.
 * 0, or -1 with @err set (PL_ESYSTEM), also when no packet comes through.
 */
int tb_calibrate(pid_t host, int tun, int64_t *hand_over_ns,
		 struct pl_err *err);

#endif
