/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - lists the catalogue, or the messages of a pattern */
#ifndef PLINK_SRC_AUDIT_SHOW_H
#define PLINK_SRC_AUDIT_SHOW_H

#include "base/err.h"
#include "src/audit/options.h"

#include <signal.h>
#include <stdio.h>

/* Both: 0, or -1 with @err set; PL_EPARTIAL if *stop was set first. */
int audit_show_list(const struct audit_options *o, FILE *out, struct pl_err *err);
int audit_show_pattern(const struct audit_options *o, FILE *out, const volatile sig_atomic_t *stop,
		       struct pl_err *err);

#endif
