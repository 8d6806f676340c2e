/* SPDX-License-Identifier: BSD-3-Clause */
/* remedy.h - what to do about what was not measured */
#ifndef PLINK_SRC_PROBE_REMEDY_H
#define PLINK_SRC_PROBE_REMEDY_H

#include "src/common/kept.h"
#include "src/probe/args.h"

/* After the output was written: prints the commands that measure the rest and
 * that order by what there is. Where the output is no matrix in a file, @kept
 * becomes one, and stays. */
void probe_remedy(const struct probe_args *args,
		  const struct pl_probe_report *report,
		  const struct pl_matrix *m, struct pl_kept *kept);

#endif
