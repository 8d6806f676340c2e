/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu.c - NCCL and CUDA's driver, which are opened when the program runs */
/* So plink needs neither of them when it is built, and no CUDA runtime at all. Prototypes are those
 * of NCCL 2.7 and of CUDA 11, and later ones. */
#include "config.h"

#include "src/nccl-bw/gpu.h"

#include "base/clock.h"
#include "base/mem.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOT_READY 600 /* CUDA_ERROR_NOT_READY */
#define POLL_NS 20000
#define ASK_NS 50000000 /* how often NCCL is asked for errors */

typedef uint64_t device_address;

struct nccl_bw_gpu {
	void *nccl, *cuda; /* the libraries */
	char version[32];
	void *context;
	cudaStream_t stream;
	ncclComm_t comm;
	device_address send, receive;
	void **event; /* [n_events] */
	size_t n_events;

	struct {
		ncclResult_t (*get_version)(int *version);
		const char *(*get_error_string)(ncclResult_t rc);
		ncclResult_t (*get_unique_id)(ncclUniqueId *id);
		ncclResult_t (*init_rank)(ncclComm_t *comm, int n, ncclUniqueId id, int rank);
		ncclResult_t (*destroy)(ncclComm_t comm);
		ncclResult_t (*get_async_error)(ncclComm_t comm, ncclResult_t *state);
		ncclResult_t (*send)(const void *from, size_t count, ncclDataType_t type, int rank,
				     ncclComm_t comm, cudaStream_t stream);
		ncclResult_t (*receive)(void *to, size_t count, ncclDataType_t type, int rank,
					ncclComm_t comm, cudaStream_t stream);
		ncclResult_t (*all_reduce)(const void *from, void *to, size_t count,
					   ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
					   cudaStream_t stream);
		ncclResult_t (*reduce)(const void *from, void *to, size_t count,
				       ncclDataType_t type, ncclRedOp_t op, int root,
				       ncclComm_t comm, cudaStream_t stream);
	} n;
	struct {
		int (*init)(unsigned int flags);
		int (*error_string)(int rc, const char **text);
		int (*device_count)(int *n);
		int (*device)(int *device, int number);
		int (*retain)(void **context, int device);
		int (*set_current)(void *context);
		int (*alloc)(device_address *memory, size_t bytes);
		int (*set)(device_address memory, unsigned char value, size_t bytes);
		int (*to_device)(device_address to, const void *from, size_t bytes);
		int (*to_host)(void *to, device_address from, size_t bytes);
		int (*stream_create)(cudaStream_t *stream, unsigned int flags);
		int (*stream_query)(cudaStream_t stream);
		int (*event_create)(void **event, unsigned int flags);
		int (*event_record)(void *event, cudaStream_t stream);
		int (*event_elapsed)(float *ms, void *from, void *to);
	} c;
};

#define AT(member) offsetof(struct nccl_bw_gpu, member)

struct function {
	const char *name;
	size_t at;
};

static const struct function nccl_functions[] = {
	{"ncclGetVersion", AT(n.get_version)},
	{"ncclGetErrorString", AT(n.get_error_string)},
	{"ncclGetUniqueId", AT(n.get_unique_id)},
	{"ncclCommInitRank", AT(n.init_rank)},
	{"ncclCommDestroy", AT(n.destroy)},
	{"ncclCommGetAsyncError", AT(n.get_async_error)},
	{"ncclSend", AT(n.send)},
	{"ncclRecv", AT(n.receive)},
	{"ncclAllReduce", AT(n.all_reduce)},
	{"ncclReduce", AT(n.reduce)},
	{NULL, 0},
};
static const struct function cuda_functions[] = {
	{"cuInit", AT(c.init)},
	{"cuGetErrorString", AT(c.error_string)},
	{"cuDeviceGetCount", AT(c.device_count)},
	{"cuDeviceGet", AT(c.device)},
	{"cuDevicePrimaryCtxRetain", AT(c.retain)},
	{"cuCtxSetCurrent", AT(c.set_current)},
	{"cuMemAlloc_v2", AT(c.alloc)},
	{"cuMemsetD8_v2", AT(c.set)},
	{"cuMemcpyHtoD_v2", AT(c.to_device)},
	{"cuMemcpyDtoH_v2", AT(c.to_host)},
	{"cuStreamCreate", AT(c.stream_create)},
	{"cuStreamQuery", AT(c.stream_query)},
	{"cuEventCreate", AT(c.event_create)},
	{"cuEventRecord", AT(c.event_record)},
	{"cuEventElapsedTime", AT(c.event_elapsed)},
	{NULL, 0},
};

static void *open_library(struct nccl_bw_gpu *gpu, const char *path,
			  const struct function *function, struct pl_err *err)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		pl_err_set(err, PL_ESYSTEM, "%s", dlerror());
		return NULL;
	}
	for (; function->name; function++) {
		void **to = (void **)((char *)gpu + function->at);

		*to = dlsym(library, function->name);
		if (*to)
			continue;
		pl_err_set(err, PL_ESYSTEM, "%s has no %s", path, function->name);
		dlclose(library);
		return NULL;
	}
	return library;
}

static int check_cuda(const struct nccl_bw_gpu *gpu, int rc, const char *what, struct pl_err *err)
{
	const char *text = NULL;

	if (!rc)
		return 0;
	gpu->c.error_string(rc, &text);
	return pl_err_set(err, PL_ESYSTEM, "%s: %s", what, text ? text : "unknown error");
}

static int check_nccl(const struct nccl_bw_gpu *gpu, ncclResult_t rc, const char *what,
		      struct pl_err *err)
{
	return rc ? pl_err_set(err, PL_ESYSTEM, "%s: %s (NCCL_DEBUG=WARN tells more)", what,
			       gpu->n.get_error_string(rc))
		  : 0;
}

/* Before 2.9, 2708 was 2.7.8. */
static int take_version(struct nccl_bw_gpu *gpu, struct pl_err *err)
{
	int v = 0, unit;

	if (check_nccl(gpu, gpu->n.get_version(&v), "ncclGetVersion", err))
		return -1;
	unit = v < 10000 ? 1000 : 10000;
	snprintf(gpu->version, sizeof(gpu->version), "%d.%d.%d", v / unit, v % unit / 100, v % 100);
	return 0;
}

struct nccl_bw_gpu *nccl_bw_open(const char *path, struct pl_err *err)
{
	struct nccl_bw_gpu *gpu = calloc(1, sizeof(*gpu));

	if (!gpu) {
		pl_err_nomem(err);
		return NULL;
	}
	/* with 0 there, calls return before it is known whether they fail */
	setenv("NCCL_COMM_BLOCKING", "1", 1);
	gpu->cuda = open_library(gpu, "libcuda.so.1", cuda_functions, err);
	if (gpu->cuda)
		gpu->nccl = open_library(gpu, path ? path : "libnccl.so.2", nccl_functions, err);
	if (gpu->nccl && check_cuda(gpu, gpu->c.init(0), "cuInit", err) == 0 &&
	    take_version(gpu, err) == 0)
		return gpu;
	nccl_bw_close(gpu);
	return NULL;
}

/* The end of the process gives memory back and unloads the libraries, whose threads may still
 * run. */
void nccl_bw_close(struct nccl_bw_gpu *gpu)
{
	if (gpu->comm)
		gpu->n.destroy(gpu->comm);
	free(gpu->event);
	free(gpu);
}

const char *nccl_bw_version(const struct nccl_bw_gpu *gpu)
{
	return gpu->version;
}

int nccl_bw_unique_id(struct nccl_bw_gpu *gpu, ncclUniqueId *id, struct pl_err *err)
{
	return check_nccl(gpu, gpu->n.get_unique_id(id), "ncclGetUniqueId", err);
}

/* Launchers let a process see all GPUs of its host, or its own. */
static int take_device(struct nccl_bw_gpu *gpu, size_t local, struct pl_err *err)
{
	int n = 0, device = 0;

	if (check_cuda(gpu, gpu->c.device_count(&n), "cuDeviceGetCount", err))
		return -1;
	if (n < 1 || (n > 1 && local >= (size_t)n))
		return pl_err_set(err, PL_ESYSTEM,
				  "%d GPUs are visible: none for rank %zu of this host", n, local);
	if (check_cuda(gpu, gpu->c.device(&device, n == 1 ? 0 : (int)local), "cuDeviceGet", err) ||
	    check_cuda(gpu, gpu->c.retain(&gpu->context, device), "cuDevicePrimaryCtxRetain", err))
		return -1;
	return check_cuda(gpu, gpu->c.set_current(gpu->context), "cuCtxSetCurrent", err);
}

/* Messages of zeros. */
static int take_memory(struct nccl_bw_gpu *gpu, size_t bytes, struct pl_err *err)
{
	device_address *const buffer[] = {&gpu->send, &gpu->receive};

	for (int i = 0; i < 2; i++)
		if (check_cuda(gpu, gpu->c.alloc(buffer[i], bytes), "cuMemAlloc", err) ||
		    check_cuda(gpu, gpu->c.set(*buffer[i], 0, bytes), "cuMemsetD8", err))
			return -1;
	return 0;
}

static int take_events(struct nccl_bw_gpu *gpu, size_t n, struct pl_err *err)
{
	gpu->event = pl_array_create(n, sizeof(*gpu->event));
	if (!gpu->event)
		return pl_err_nomem(err);
	for (gpu->n_events = 0; gpu->n_events < n; gpu->n_events++)
		if (check_cuda(gpu, gpu->c.event_create(&gpu->event[gpu->n_events], 0),
			       "cuEventCreate", err))
			return -1;
	return 0;
}

int nccl_bw_join(struct nccl_bw_gpu *gpu, const struct nccl_bw_place *place, struct pl_err *err)
{
	if (take_device(gpu, place->local, err) || take_memory(gpu, place->bytes, err) ||
	    take_events(gpu, place->n_marks, err) ||
	    check_cuda(gpu, gpu->c.stream_create(&gpu->stream, 0), "cuStreamCreate", err))
		return -1;
	return check_nccl(gpu, gpu->n.init_rank(&gpu->comm, place->n, *place->id, place->rank),
			  "ncclCommInitRank", err);
}

static void *at(device_address memory)
{
	return (void *)(uintptr_t)memory;
}

int nccl_bw_send(struct nccl_bw_gpu *gpu, size_t bytes, int rank, struct pl_err *err)
{
	return check_nccl(gpu,
			  gpu->n.send(at(gpu->send), bytes, ncclInt8, rank, gpu->comm, gpu->stream),
			  "ncclSend", err);
}

int nccl_bw_receive(struct nccl_bw_gpu *gpu, size_t bytes, int rank, struct pl_err *err)
{
	return check_nccl(
		gpu,
		gpu->n.receive(at(gpu->receive), bytes, ncclInt8, rank, gpu->comm, gpu->stream),
		"ncclRecv", err);
}

int nccl_bw_mark(struct nccl_bw_gpu *gpu, size_t i, struct pl_err *err)
{
	return check_cuda(gpu, gpu->c.event_record(gpu->event[i], gpu->stream), "cuEventRecord",
			  err);
}

int nccl_bw_barrier(struct nccl_bw_gpu *gpu, struct pl_err *err)
{
	return check_nccl(gpu,
			  gpu->n.all_reduce(at(gpu->send), at(gpu->receive), 1, ncclInt32, ncclSum,
					    gpu->comm, gpu->stream),
			  "ncclAllReduce", err) ||
			       nccl_bw_wait(gpu, err)
		       ? -1
		       : 0;
}

/* A kernel of NCCL waits for ever for a rank that is gone, but other threads of NCCL may have seen
 * it go. */
int nccl_bw_wait(struct nccl_bw_gpu *gpu, struct pl_err *err)
{
	const struct timespec pause = {0, POLL_NS};
	int64_t ask_ns = pl_clock_ns() + ASK_NS;
	int rc;

	while ((rc = gpu->c.stream_query(gpu->stream)) == NOT_READY) {
		ncclResult_t state = ncclSuccess;

		nanosleep(&pause, NULL);
		if (pl_clock_ns() < ask_ns)
			continue;
		ask_ns += ASK_NS;
		if (check_nccl(gpu, gpu->n.get_async_error(gpu->comm, &state),
			       "ncclCommGetAsyncError", err) ||
		    check_nccl(gpu, state, "NCCL", err))
			return -1;
	}
	return check_cuda(gpu, rc, "cuStreamQuery", err);
}

int nccl_bw_took(struct nccl_bw_gpu *gpu, size_t i, double *ns, struct pl_err *err)
{
	float ms = 0;

	if (check_cuda(gpu, gpu->c.event_elapsed(&ms, gpu->event[i], gpu->event[i + 1]),
		       "cuEventElapsedTime", err))
		return -1;
	*ns = (double)ms * 1e6;
	return 0;
}

int nccl_bw_sum(struct nccl_bw_gpu *gpu, double *value, size_t n, struct pl_err *err)
{
	const size_t bytes = n * sizeof(*value);

	if (check_cuda(gpu, gpu->c.to_device(gpu->send, value, bytes), "cuMemcpyHtoD", err) ||
	    check_nccl(gpu,
		       gpu->n.reduce(at(gpu->send), at(gpu->receive), n, ncclFloat64, ncclSum, 0,
				     gpu->comm, gpu->stream),
		       "ncclReduce", err) ||
	    nccl_bw_wait(gpu, err))
		return -1;
	return check_cuda(gpu, gpu->c.to_host(value, gpu->receive, bytes), "cuMemcpyDtoH", err);
}
