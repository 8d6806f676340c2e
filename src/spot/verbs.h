/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - the verbs of plink-spot: what runs them, and their help texts */
#ifndef PLINK_SRC_SPOT_VERBS_H
#define PLINK_SRC_SPOT_VERBS_H

#include "src/common/tool.h"

#define SPOT_TOOL "plink-spot"
#define spot_warn(...) pl_tool_warn(SPOT_TOOL, __VA_ARGS__)
#define spot_usage(...) pl_tool_usage(SPOT_TOOL, __VA_ARGS__)

/* A verb with its arguments; argv[0] ends in the verb. Each returns the exit status. */
int spot_curve_main(int argc, char **argv);
int spot_expect_main(int argc, char **argv);
int spot_checkpoint_main(int argc, char **argv);
int spot_fit_main(int argc, char **argv);
int spot_trace_main(int argc, char **argv);

extern const char spot_help[];
extern const char spot_curve_help[];
extern const char spot_expect_help[];
extern const char spot_checkpoint_help[];
extern const char spot_fit_help[];
extern const char spot_trace_help[];

#endif
