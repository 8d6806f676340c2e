/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-cases.h - the calls for which a pattern is compared with a library */
#ifndef PLINK_TESTS_COSTMODELS_TRAFFIC_CASES_H
#define PLINK_TESTS_COSTMODELS_TRAFFIC_CASES_H

#include "costmodels/algorithm.h"

#include <stddef.h>

/* Prints the cases of that library for n_pos ranks, @slots on each host, one case in a line
 * (traffic-check.c). */
void traffic_say_cases(enum pl_impl impl, size_t n_pos, size_t slots);

#endif
