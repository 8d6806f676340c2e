/* SPDX-License-Identifier: BSD-3-Clause */
/* stop.c - when a solver has to come to an end */
#include "config.h"

#include "solver/stop.h"

#include "src/tool.h"

bool pl_stop_now(const struct pl_stop *stop)
{
	if (!stop)
		return false;
	if (stop->flag && *stop->flag)
		return true;
	return stop->deadline_ns && pl_tool_clock_ns() >= stop->deadline_ns;
}
