/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.c - table of the algorithms */
#include "config.h"

#include "costmodels/openmpi/openmpi.h"

const struct pl_algorithm pl_openmpi_algorithms[] = {
	{.name = NULL},
};
