/* SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c - a libcuda.so.1 without a GPU, beside NCCL's double */
/*
 * As much of it as plink-nccl-bw calls: memory is the host's, and what the double does is done when
 * its call returns. A stream is not ready when first asked after an event. README has the
 * environment variables.
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOT_READY 600

int cuInit(unsigned int flags);
int cuGetErrorString(int rc, const char **text);
int cuDeviceGetCount(int *n);
int cuDeviceGet(int *device, int number);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
int cuMemsetD8_v2(uint64_t memory, unsigned char value, size_t bytes);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuStreamCreate(void **stream, unsigned int flags);
int cuStreamQuery(void *stream);
int cuEventCreate(void **event, unsigned int flags);
int cuEventRecord(void *event, void *stream);
int cuEventElapsedTime(float *ms, void *from, void *to);

static int context, stream_of_all, n_recorded;
static bool asked;

static int number(const char *name, int otherwise)
{
	const char *s = getenv(name);

	return s ? (int)strtol(s, NULL, 10) : otherwise;
}

int cuInit(unsigned int flags)
{
	return flags ? 1 : 0;
}

int cuGetErrorString(int rc, const char **text)
{
	*text = rc == 2 ? "out of memory" : "invalid argument";
	return 0;
}

int cuDeviceGetCount(int *n)
{
	*n = number("PLINK_TEST_GPUS", 8);
	return 0;
}

int cuDeviceGet(int *device, int i)
{
	*device = i;
	return i < number("PLINK_TEST_GPUS", 8) ? 0 : 1;
}

int cuDevicePrimaryCtxRetain(void **to, int device)
{
	(void)device;
	*to = &context;
	return 0;
}

int cuCtxSetCurrent(void *is)
{
	return is == &context ? 0 : 1;
}

int cuMemAlloc_v2(uint64_t *memory, size_t bytes)
{
	void *p = malloc(bytes);

	*memory = (uint64_t)(uintptr_t)p;
	return p ? 0 : 2;
}

int cuMemsetD8_v2(uint64_t memory, unsigned char value, size_t bytes)
{
	memset((void *)(uintptr_t)memory, value, bytes);
	return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, from, bytes);
	return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return 0;
}

int cuStreamCreate(void **stream, unsigned int flags)
{
	*stream = &stream_of_all;
	return flags ? 1 : 0;
}

int cuStreamQuery(void *stream)
{
	const bool again = asked;

	asked = true;
	if (stream != &stream_of_all)
		return 1;
	return again ? 0 : NOT_READY;
}

int cuEventCreate(void **event, unsigned int flags)
{
	*event = calloc(1, sizeof(struct timespec));
	return flags || !*event;
}

/* A process may end here, or stay for ever. */
int cuEventRecord(void *event, void *stream)
{
	n_recorded++;
	if (n_recorded == number("PLINK_TEST_CUDA_ENDS", 0))
		_exit(9);
	while (n_recorded == number("PLINK_TEST_CUDA_STAYS", 0))
		pause();
	asked = false;
	return clock_gettime(CLOCK_MONOTONIC, event) || stream != &stream_of_all;
}

int cuEventElapsedTime(float *ms, void *from, void *to)
{
	const struct timespec *a = from, *b = to;

	*ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 +
		      (double)(b->tv_nsec - a->tv_nsec) / 1e6);
	return 0;
}
