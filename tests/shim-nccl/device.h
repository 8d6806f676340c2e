/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h - memory and streams of a GPU, or of none */
/*
 * If PLINK_TEST_CUDART has the path of a libcudart, memory is the GPU's, and calls of NCCL go to a
 * stream. Without it, memory is the host's, for the double.
 */
#ifndef PLINK_TESTS_SHIM_NCCL_DEVICE_H
#define PLINK_TESTS_SHIM_NCCL_DEVICE_H

#include "shim/nccl/nccl-abi.h"

/* Ends the program with a message if that library cannot be loaded. */
void device_open(void);

/* Like malloc and free. NULL: no memory is left. */
void *device_alloc(size_t len);
void device_free(void *memory);

/* Copies to the device and back, after all work of the stream has ended. */
void device_put(void *device, const void *host, size_t len);
void device_get(void *host, const void *device, size_t len);

cudaStream_t device_stream(void);

/* Waits until the stream has nothing left to do. */
void device_sync(void);

#endif
