/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-abi.h - the ABI of libnccl.so.2, 2.18 to 2.30 */
/*
 * This header has as much of NCCL's types as a function needs that stands between the program and
 * the library: types that are passed on by address have no members. Names are NCCL's, so that a
 * prototype reads as in NCCL's documentation. Values are those of NCCL's ABI, which has only been
 * added to since 2.18.
 */
#ifndef PLINK_SHIM_NCCL_ABI_H
#define PLINK_SHIM_NCCL_ABI_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow_vidmem *ncclWindow_t;
typedef struct ncclParamHandle *ncclParamHandle_t;
typedef struct CUstream_st *cudaStream_t;

typedef struct {
	char internal[128];
} ncclUniqueId;

typedef enum {
	ncclSuccess = 0,
	ncclUnhandledCudaError = 1,
	ncclSystemError = 2,
	ncclInternalError = 3,
	ncclInvalidArgument = 4,
	ncclInvalidUsage = 5,
	ncclRemoteError = 6,
	ncclInProgress = 7,
	ncclTimeout = 8, /* 2.30 */
} ncclResult_t;

/* ncclBfloat16 came with 2.10, those after it with 2.24 */
typedef enum {
	ncclInt8 = 0,
	ncclUint8 = 1,
	ncclInt32 = 2,
	ncclUint32 = 3,
	ncclInt64 = 4,
	ncclUint64 = 5,
	ncclFloat16 = 6,
	ncclFloat32 = 7,
	ncclFloat64 = 8,
	ncclBfloat16 = 9,
	ncclFloat8e4m3 = 10,
	ncclFloat8e5m2 = 11,
} ncclDataType_t;

/* ncclRedOpCreatePreMulSum makes values from ncclNumOps on, each for one communicator */
typedef enum {
	ncclSum = 0,
	ncclProd = 1,
	ncclMax = 2,
	ncclMin = 3,
	ncclAvg = 4,
	ncclNumOps = 5,
	ncclMaxRedOp = INT_MAX,
} ncclRedOp_t;

typedef enum {
	ncclScalarDevice = 0,
	ncclScalarHostImmediate = 1,
} ncclScalarResidence_t;

typedef enum {
	ncclStatGpuMemSuspend = 0,
	ncclStatGpuMemSuspended = 1,
	ncclStatGpuMemPersist = 2,
	ncclStatGpuMemTotal = 3,
} ncclCommMemStat_t;

#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_API_MAGIC 0xcafebeef

/*
 * The config of 2.18. Later ones are longer and say so in size; those of 2.14 to 2.17 are shorter:
 * nothing behind size bytes may be read. A member that the caller did not set is
 * NCCL_CONFIG_UNDEF_INT or NULL.
 */
typedef struct {
	size_t size;
	unsigned int magic, version; /* version: 21801 of 2.18.1 */
	int blocking;
	int cga_cluster_size;
	int min_ctas, max_ctas;
	const char *net_name;
	int split_share;
	int traffic_class; /* since 2.25; padding before */
} ncclConfig_t;

typedef struct {
	size_t size;
	unsigned int magic, version;
	float estimated_time;
} ncclSimInfo_t;

typedef struct {
	int op_cnt, peer, sig_idx, ctx;
} ncclWaitSignalDesc_t;

/* Types of the device interface that are passed by value, with their members */
typedef struct ncclTeam {
	int n_ranks, rank, stride;
} ncclTeam_t;
typedef struct ncclMultimemHandle {
	void *mc_base;
} ncclMultimemHandle_t;

/* and those that are passed by address */
typedef struct ncclCommProperties ncclCommProperties_t;
typedef struct ncclDevComm ncclDevComm_t;
typedef struct ncclDevCommRequirements ncclDevCommRequirements_t;
typedef struct ncclDevResourceRequirements ncclDevResourceRequirements_t;
typedef struct ncclGinBarrierHandle ncclGinBarrierHandle_t;
typedef struct ncclGinInboxA2AHandle ncclGinInboxA2AHandle;
typedef struct ncclGinOutboxHandle ncclGinOutboxHandle;
typedef struct ncclLLA2AHandle ncclLLA2AHandle_t;
typedef struct ncclLsaBarrierHandle ncclLsaBarrierHandle_t;

#endif
