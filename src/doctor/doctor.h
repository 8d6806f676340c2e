/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - plink-order --doctor: do all hosts have what a run needs? */
#ifndef PLINK_SRC_DOCTOR_DOCTOR_H
#define PLINK_SRC_DOCTOR_DOCTOR_H

#include "src/order/options.h"

#include <signal.h>

/* Asks the hosts, judges the answers, writes a table or JSON. Prints errors.
 * Returns the exit status: PL_EXIT_PARTIAL if something is wrong or *stop ended
 * it. */
int pl_doctor(const struct pl_order_options *o,
	      const volatile sig_atomic_t *stop);

#endif
