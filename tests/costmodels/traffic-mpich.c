/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-mpich.c - MPICH's part in the recording of what it sends */
/*
 * Device ch4:ucx hands every message to UCX; this takes the place of the functions that it does so
 * by, and calls UCX's. Algorithms are set by control variables, which MPICH reads in every call.
 * Which endpoint is whose is learnt from a message to each rank. A message to the rank itself does
 * not count, nor its receive, which is posted before. What MPICH waits for is not to be seen from
 * there: what is digested of the posts is the order of sends and receives.
 */
#include "config.h"

#include "tests/costmodels/traffic-digest.h"
#include "tests/costmodels/traffic-library.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 64
#define TYPES_MAX 4096

/* As much of UCX's interface (ucp/api/ucp.h, 1.13) as MPICH 4.0 uses. */
struct param {
	uint32_t mask, flags;
	void *request, *callback;
	uint64_t datatype;
};
#define HAS_DATATYPE (1U << 3)

struct generic {
	void *(*start_pack)(void *context, const void *buf, size_t count);
	void *(*start_unpack)(void *context, void *buf, size_t count);
	size_t (*packed_size)(void *state);
	size_t (*pack)(void *state, size_t offset, void *to, size_t max);
	int (*unpack)(void *state, size_t offset, const void *from, size_t len);
	void (*finish)(void *state);
};

typedef void *send_function(void *endpoint, const void *buf, size_t count, uint64_t tag,
			    const struct param *param);
typedef void *recv_function(void *worker, void *buf, size_t count, uint64_t tag, uint64_t mask,
			    const struct param *param);
typedef int type_function(const struct generic *ops, void *context, uint64_t *datatype);

send_function ucp_tag_send_nbx, ucp_tag_send_sync_nbx;
recv_function ucp_tag_recv_nbx;
type_function ucp_dt_create_generic;

static struct generic generic;
static struct type {
	uint64_t datatype;
	void *context;
} types[TYPES_MAX];
static size_t n_types;

static void *endpoint_of[RANKS_MAX]; /* by world rank */
static int own_rank, n_ranks, learning = -1;
static bool recording;
static uint64_t posts, n_recvs;

static void *real(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		traffic_die("no %s: needs MPICH over UCX", name);
	return f;
}

int ucp_dt_create_generic(const struct generic *ops, void *context, uint64_t *datatype)
{
	static type_function *next;
	size_t i = 0;
	int rc;

	if (!next)
		next = (type_function *)real("ucp_dt_create_generic");
	rc = next(ops, context, datatype);
	while (i < n_types && types[i].datatype != *datatype)
		i++;
	if (i == TYPES_MAX)
		traffic_die("too many datatypes");
	if (i == n_types)
		n_types++;
	types[i] = (struct type){*datatype, context};
	generic = *ops;
	return rc;
}

static size_t bytes_of(const void *buf, size_t count, const struct param *param)
{
	size_t i = 0, bytes;
	void *state;

	if (!(param->mask & HAS_DATATYPE))
		return count;
	while (i < n_types && types[i].datatype != param->datatype)
		i++;
	if (i == n_types)
		traffic_die("an unknown datatype is sent");
	state = generic.start_pack(types[i].context, buf, count);
	bytes = generic.packed_size(state);
	/* never finished: that would give back a reference that MPICH takes only for what it sends
	 * itself */
	return bytes;
}

static void sent(void *endpoint, const void *buf, size_t count, const struct param *param,
		 bool synchronous)
{
	size_t dst = 0, bytes;

	if (learning >= 0)
		endpoint_of[learning] = endpoint;
	if (!recording)
		return;
	while (dst < (size_t)n_ranks && endpoint_of[dst] != endpoint)
		dst++;
	if (dst == (size_t)n_ranks)
		traffic_die("a message to nobody");
	if (dst == (size_t)own_rank) {
		n_recvs--;
		return;
	}
	bytes = bytes_of(buf, count, param);
	traffic_sent(dst, bytes);
	posts = traffic_digest(posts, dst, bytes);
	posts = traffic_digest(posts, n_recvs, synchronous);
}

void *ucp_tag_send_nbx(void *endpoint, const void *buf, size_t count, uint64_t tag,
		       const struct param *param)
{
	static send_function *next;

	if (!next)
		next = (send_function *)real("ucp_tag_send_nbx");
	sent(endpoint, buf, count, param, false);
	return next(endpoint, buf, count, tag, param);
}

void *ucp_tag_send_sync_nbx(void *endpoint, const void *buf, size_t count, uint64_t tag,
			    const struct param *param)
{
	static send_function *next;

	if (!next)
		next = (send_function *)real("ucp_tag_send_sync_nbx");
	sent(endpoint, buf, count, param, true);
	return next(endpoint, buf, count, tag, param);
}

void *ucp_tag_recv_nbx(void *worker, void *buf, size_t count, uint64_t tag, uint64_t mask,
		       const struct param *param)
{
	static recv_function *next;

	if (!next)
		next = (recv_function *)real("ucp_tag_recv_nbx");
	n_recvs++;
	return next(worker, buf, count, tag, mask, param);
}

void traffic_library_open(int rank, int n)
{
	own_rank = rank;
	n_ranks = n;
	if (n > RANKS_MAX)
		traffic_die("more than %d ranks", RANKS_MAX);
	for (int i = 0; n > 1 && i < n; i++) {
		char out = 0, in;

		learning = (rank + i) % n;
		MPI_Sendrecv(&out, 1, MPI_CHAR, learning, 0, &in, 1, MPI_CHAR, (rank + n - i) % n,
			     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (!endpoint_of[learning])
			traffic_die("messages are not seen: needs MPICH's device ch4:ucx");
	}
	learning = -1;
}

/* "reduce-scatter" is MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM. */
void traffic_library_set(const struct traffic_case *c, int setting)
{
	const bool broadcast = !strcmp(c->collective, "broadcast");
	char name[128];

	snprintf(name, sizeof(name), "MPIR_CVAR_%s%s_INTRA_ALGORITHM",
		 broadcast ? "bcast" : c->collective, traffic_is_block(c) ? "_block" : "");
	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
	traffic_set_variable(name, setting);
}

void traffic_posts_begin(void)
{
	posts = n_recvs = 0;
	recording = true;
}

/* Of each send the rank, the bytes, how many receives were posted before and whether it is
 * synchronous; and how many receives there were. */
uint64_t traffic_posts_end(void)
{
	recording = false;
	return posts || n_recvs ? traffic_digest(posts, n_recvs, 0) : 0;
}
