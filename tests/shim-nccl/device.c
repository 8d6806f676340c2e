/* SPDX-License-Identifier: BSD-3-Clause */
/* device.c - memory and streams of a GPU, or of none */
#include "config.h"

#include "tests/shim-nccl/device.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the CUDA runtime; its errors are numbers but 0. */
static struct {
	int (*set_device)(int device);
	int (*stream_create)(cudaStream_t *stream);
	int (*stream_synchronize)(cudaStream_t stream);
	int (*alloc)(void **memory, size_t len);
	int (*release)(void *memory);
	int (*copy)(void *dst, const void *src, size_t len, int kind);
} cuda;
static cudaStream_t the_stream;

static void must(int rc, const char *what)
{
	if (!rc)
		return;
	fprintf(stderr, "device: %s: CUDA error %d\n", what, rc);
	exit(4);
}

static void *function(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found) {
		fprintf(stderr, "device: %s\n", dlerror());
		exit(4);
	}
	return found;
}

void device_open(void)
{
	const char *path = getenv("PLINK_TEST_CUDART");
	void *library;

	if (!path || !*path)
		return;
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		fprintf(stderr, "device: %s\n", dlerror());
		exit(4);
	}
	cuda.set_device = (int (*)(int))function(library, "cudaSetDevice");
	cuda.stream_create = (int (*)(cudaStream_t *))function(library, "cudaStreamCreate");
	cuda.stream_synchronize = (int (*)(cudaStream_t))function(library, "cudaStreamSynchronize");
	cuda.alloc = (int (*)(void **, size_t))function(library, "cudaMalloc");
	cuda.release = (int (*)(void *))function(library, "cudaFree");
	cuda.copy = (int (*)(void *, const void *, size_t, int))function(library, "cudaMemcpy");
	must(cuda.set_device(0), "cudaSetDevice");
	must(cuda.stream_create(&the_stream), "cudaStreamCreate");
}

void *device_alloc(size_t len)
{
	void *memory = NULL;

	if (!cuda.alloc)
		return calloc(1, len);
	must(cuda.alloc(&memory, len), "cudaMalloc");
	return memory;
}

void device_free(void *memory)
{
	if (!cuda.release)
		free(memory);
	else
		must(cuda.release(memory), "cudaFree");
}

static void copy(void *dst, const void *src, size_t len, int kind)
{
	device_sync();
	if (!cuda.copy)
		memcpy(dst, src, len);
	else
		must(cuda.copy(dst, src, len, kind), "cudaMemcpy");
}

void device_put(void *device, const void *host, size_t len)
{
	copy(device, host, len, 1);
}

void device_get(void *host, const void *device, size_t len)
{
	copy(host, device, len, 2);
}

cudaStream_t device_stream(void)
{
	return the_stream;
}

void device_sync(void)
{
	if (cuda.stream_synchronize)
		must(cuda.stream_synchronize(the_stream), "cudaStreamSynchronize");
}
