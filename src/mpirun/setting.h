/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - the files and environment of the job's processes */
#ifndef PLINK_SRC_MPIRUN_SETTING_H
#define PLINK_SRC_MPIRUN_SETTING_H

#include "base/err.h"
#include "base/text/words.h"
#include "src/mpirun/options.h"

/* Paths are absolute, so that they hold in every directory. Start with {0}, end with fini. */
struct pl_mpirun_setting {
	char *plan;
	char *library;       /* the preload library */
	char *helper;        /* plink-mpi-check */
	struct pl_words env; /* "NAME=VALUE", without LD_PRELOAD */
};

/*
 * Collects the settings from the options and from all PLINK_* variables except PLINK_HOST, which
 * differs by host. @library is the file name of plink's preload library for this launcher. @self is
 * argv[0]: files beside it come before installed ones. @s must be {0}. 0, or -1 with @err set and
 * @s empty.
 */
int pl_mpirun_setting_make(struct pl_mpirun_setting *s, const struct pl_mpirun_options *o,
			   const char *library, const char *self, struct pl_err *err);
void pl_mpirun_setting_fini(struct pl_mpirun_setting *s);

#endif
