/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - what the job's processes get: files and environment */
#ifndef PLINK_SRC_MPIRUN_SETTING_H
#define PLINK_SRC_MPIRUN_SETTING_H

#include "base/err.h"
#include "base/text/words.h"
#include "src/mpirun/options.h"

/* Paths are absolute, so that they are the same in every directory. Start with
 * {0}, end with fini. */
struct pl_mpirun_setting {
	char *plan;
	char *library;       /* to be preloaded */
	char *helper;        /* plink-mpi-check */
	struct pl_words env; /* "NAME=VALUE", LD_PRELOAD apart */
};

/*
 * @library is the name of ours for this launcher. Of the options and of all
 * PLINK_* in the environment but PLINK_HOST, which is each host's own. @self is
 * the program's argv[0]: what lies beside it comes before what is installed. @s
 * must be {0}. 0, or -1 with @s empty.
 */
int pl_mpirun_setting_make(struct pl_mpirun_setting *s,
			   const struct pl_mpirun_options *o,
			   const char *library, const char *self,
			   struct pl_err *err);
void pl_mpirun_setting_fini(struct pl_mpirun_setting *s);

#endif
