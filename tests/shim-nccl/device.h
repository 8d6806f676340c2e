/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h - memory and streams of a GPU, or of none */
/*
 * With PLINK_TEST_CUDART, the path of a libcudart, memory is the GPU's, and
 * calls of NCCL go to a stream; without, memory is the host's, for the double.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_DEVICE_H
#define PLINK_TESTS_SHIM_NCCL_DEVICE_H

#include "shim/nccl/nccl-abi.h"

/* Ends the program, with a word, where that library cannot be had. */
void device_open(void);

/* As malloc and free; NULL: none left. */
void *device_alloc(size_t len);
void device_free(void *memory);

/* To the device and back; what the stream has begun is over before. */
void device_put(void *device, const void *host, size_t len);
void device_get(void *host, const void *device, size_t len);

cudaStream_t device_stream(void);

/* Until the stream has nothing left to do. */
void device_sync(void);

#endif
