/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - table of the algorithms */
#include "config.h"

#include "costmodels/lightgbm/lightgbm.h"

const struct pl_algorithm pl_lightgbm_algorithms[] = {
	{.name = NULL},
};
