/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.c - table of the algorithms */
#include "config.h"

#include "costmodels/gloo/gloo.h"

const struct pl_algorithm pl_gloo_algorithms[] = {
	{.name = NULL},
};
