/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - plink-order --doctor: what would a run need on every host? */
#ifndef PLINK_SRC_DOCTOR_DOCTOR_H
#define PLINK_SRC_DOCTOR_DOCTOR_H

#include "src/order/options.h"

#include <signal.h>

/* Asks the hosts, judges, writes a table or JSON; says what fails. The exit
 * status: PL_EXIT_PARTIAL where something is wrong, or *stop ended it. */
int pl_doctor(const struct pl_order_options *o,
	      const volatile sig_atomic_t *stop);

#endif
