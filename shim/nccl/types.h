/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h - how large NCCL's types are */
#ifndef PLINK_SHIM_NCCL_TYPES_H
#define PLINK_SHIM_NCCL_TYPES_H

#include "shim/nccl/nccl-abi.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of an element; 0: not known, as that of a newer type. */
static inline size_t pl_nccl_type_bytes(ncclDataType_t type)
{
	static const unsigned char size[] = {
		[ncclInt8] = 1,    [ncclUint8] = 1,    [ncclInt32] = 4,      [ncclUint32] = 4,
		[ncclInt64] = 8,   [ncclUint64] = 8,   [ncclFloat16] = 2,    [ncclFloat32] = 4,
		[ncclFloat64] = 8, [ncclBfloat16] = 2, [ncclFloat8e4m3] = 1, [ncclFloat8e5m2] = 1,
	};

	return (size_t)type < sizeof(size) ? size[type] : 0;
}

static inline bool pl_nccl_type_is_float(ncclDataType_t type)
{
	return type >= ncclFloat16 && type <= ncclFloat8e5m2;
}

#endif
