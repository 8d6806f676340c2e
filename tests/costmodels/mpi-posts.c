/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-posts.c - what a rank posts and waits for inside Open MPI's
 * collectives */
/*
 * All of them send and receive by functions of the pml that is in use, and wait by functions that a
 * transport may replace. Both are tables in libmpi; this puts functions of its own into them. A
 * persistent request counts as posted where it is made: what makes them starts them all at once,
 * after the last. A request is known again by its value, or where several share one, the one that
 * is complete from the start, by the place it was stored in.
 */
#include "config.h"

#include "tests/costmodels/mpi-posts.h"

#include "tests/costmodels/traffic-digest.h"

#include <assert.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void unknown(void);
typedef int irecv_function(void *, size_t, MPI_Datatype, int src, int tag, MPI_Comm, MPI_Request *);
typedef int isend_function(const void *, size_t, MPI_Datatype, int dst, int tag, int mode, MPI_Comm,
			   MPI_Request *);

/* The tables of Open MPI 4.1, ompi/mca/pml/pml.h and ompi/request/request.h, as far as needed. */
struct pml {
	unknown *before[6];
	irecv_function *irecv_init, *irecv;
	int (*recv)(void *, size_t, MPI_Datatype, int src, int tag, MPI_Comm, MPI_Status *);
	isend_function *isend_init, *isend;
	int (*send)(const void *, size_t, MPI_Datatype, int dst, int tag, int mode, MPI_Comm);
};

struct request_functions {
	unknown *before[4];
	int (*wait)(MPI_Request *, MPI_Status *);
	unknown *wait_any;
	int (*wait_all)(size_t, MPI_Request *, MPI_Status *);
};

#define NOT_WAITED UINT32_MAX
#define SYNCHRONOUS 0 /* the mode of a send, ompi/mca/pml/pml.h */

struct post {
	bool is_send, is_open, synchronous;
	int peer;
	uint64_t bytes;
	uint32_t step, end_step;
	MPI_Request value, *place;
};

static struct pml *pml, real_pml;
static struct request_functions *requests, real_requests;
static bool recording, waited;
static void (*tell_sent)(size_t dst, size_t bytes);
static uint32_t step;
static struct post *posts;
static size_t n_posts, posts_room, first_open;

/* In MPI_COMM_WORLD. The wildcards are below 0. */
static int world_rank(MPI_Comm comm, int peer)
{
	MPI_Group group, world;
	int rank = peer;

	if (peer < 0)
		return peer;
	PMPI_Comm_group(comm, &group);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, 1, &peer, world, &rank);
	PMPI_Group_free(&group);
	PMPI_Group_free(&world);
	return rank;
}

static struct post *add(bool is_send, int peer, size_t count, MPI_Datatype type)
{
	int bytes;

	if (n_posts == posts_room) {
		posts_room = posts_room ? 2 * posts_room : 1024;
		posts = realloc(posts, posts_room * sizeof(*posts));
		assert(posts);
	}
	if (waited)
		step++;
	waited = false;
	PMPI_Type_size(type, &bytes);
	posts[n_posts] = (struct post){.is_send = is_send,
				       .peer = peer,
				       .bytes = count * (size_t)bytes,
				       .step = step,
				       .end_step = NOT_WAITED};
	if (is_send && tell_sent)
		tell_sent((size_t)peer, posts[n_posts].bytes);
	return &posts[n_posts++];
}

/* Posted and waited for in one. */
static void add_blocking(bool is_send, int peer, size_t count, MPI_Datatype type)
{
	struct post *p = add(is_send, peer, count, type);

	p->end_step = step;
	waited = true;
}

static void add_open(bool is_send, int peer, size_t count, MPI_Datatype type, MPI_Request *place)
{
	struct post *p = add(is_send, peer, count, type);

	p->is_open = true;
	p->value = *place;
	p->place = place;
}

static void wait_for(MPI_Request *place)
{
	struct post *found = NULL;

	while (first_open < n_posts && !posts[first_open].is_open)
		first_open++;
	for (size_t i = first_open; i < n_posts; i++)
		if (posts[i].is_open && posts[i].value == *place &&
		    (!found || (posts[i].place == place && found->place != place)))
			found = &posts[i];
	if (!found)
		return;
	found->is_open = false;
	found->end_step = step;
	waited = true;
}

static int post_recv(irecv_function *real, void *buf, size_t count, MPI_Datatype type, int src,
		     int tag, MPI_Comm comm, MPI_Request *request)
{
	const int rc = real(buf, count, type, src, tag, comm, request);

	if (recording)
		add_open(false, world_rank(comm, src), count, type, request);
	return rc;
}

static int my_irecv(void *buf, size_t count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
		    MPI_Request *request)
{
	return post_recv(real_pml.irecv, buf, count, type, src, tag, comm, request);
}

static int my_irecv_init(void *buf, size_t count, MPI_Datatype type, int src, int tag,
			 MPI_Comm comm, MPI_Request *request)
{
	return post_recv(real_pml.irecv_init, buf, count, type, src, tag, comm, request);
}

static int my_recv(void *buf, size_t count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
		   MPI_Status *status)
{
	if (recording)
		add_blocking(false, world_rank(comm, src), count, type);
	return real_pml.recv(buf, count, type, src, tag, comm, status);
}

static int post_send(isend_function *real, const void *buf, size_t count, MPI_Datatype type,
		     int dst, int tag, int mode, MPI_Comm comm, MPI_Request *request)
{
	const int rc = real(buf, count, type, dst, tag, mode, comm, request);

	if (recording) {
		add_open(true, world_rank(comm, dst), count, type, request);
		posts[n_posts - 1].synchronous = mode == SYNCHRONOUS;
	}
	return rc;
}

static int my_isend(const void *buf, size_t count, MPI_Datatype type, int dst, int tag, int mode,
		    MPI_Comm comm, MPI_Request *request)
{
	return post_send(real_pml.isend, buf, count, type, dst, tag, mode, comm, request);
}

static int my_isend_init(const void *buf, size_t count, MPI_Datatype type, int dst, int tag,
			 int mode, MPI_Comm comm, MPI_Request *request)
{
	return post_send(real_pml.isend_init, buf, count, type, dst, tag, mode, comm, request);
}

static int my_send(const void *buf, size_t count, MPI_Datatype type, int dst, int tag, int mode,
		   MPI_Comm comm)
{
	if (recording) {
		add_blocking(true, world_rank(comm, dst), count, type);
		posts[n_posts - 1].synchronous = mode == SYNCHRONOUS;
	}
	return real_pml.send(buf, count, type, dst, tag, mode, comm);
}

static int my_wait(MPI_Request *request, MPI_Status *status)
{
	if (recording)
		wait_for(request);
	return real_requests.wait(request, status);
}

static int my_wait_all(size_t n, MPI_Request *list, MPI_Status *status)
{
	for (size_t i = 0; recording && i < n; i++)
		wait_for(&list[i]);
	return real_requests.wait_all(n, list, status);
}

int posts_install(void (*sent)(size_t dst, size_t bytes))
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int len;

	MPI_Get_library_version(version, &len);
	pml = dlsym(RTLD_DEFAULT, "mca_pml");
	requests = dlsym(RTLD_DEFAULT, "ompi_request_functions");
	if (!strstr(version, "Open MPI v4.1.") || !pml || !requests)
		return -1;
	tell_sent = sent;
	real_pml = *pml;
	real_requests = *requests;
	pml->irecv_init = my_irecv_init;
	pml->irecv = my_irecv;
	pml->recv = my_recv;
	pml->isend_init = my_isend_init;
	pml->isend = my_isend;
	pml->send = my_send;
	requests->wait = my_wait;
	requests->wait_all = my_wait_all;
	return 0;
}

void posts_begin(void)
{
	n_posts = first_open = 0;
	step = 0;
	waited = false;
	recording = true;
}

/* @bytes: 0 of a receive, since how much may come is not how much does. */
static uint64_t digest_post(uint64_t digest, const struct post *p, uint64_t bytes)
{
	digest = traffic_digest(digest, (size_t)p->peer, bytes);
	return traffic_digest(digest, p->step, p->is_open ? step : p->end_step);
}

uint64_t posts_end(void)
{
	uint64_t digest = 0;

	recording = false;
	for (size_t i = 0; i < n_posts; i++)
		if (posts[i].peer < 0)
			return 0;
	for (size_t i = 0; i < n_posts; i++)
		if (posts[i].is_send)
			digest = traffic_digest(digest_post(digest, &posts[i], posts[i].bytes),
						posts[i].synchronous, 0);
	for (size_t i = 0; i < n_posts; i++)
		if (!posts[i].is_send)
			digest = digest_post(digest, &posts[i], 0);
	return digest;
}
