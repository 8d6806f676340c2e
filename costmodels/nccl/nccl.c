/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - table of the algorithms */
#include "config.h"

#include "costmodels/nccl/nccl.h"

const struct pl_algorithm pl_nccl_algorithms[] = {
	{.name = NULL},
};
