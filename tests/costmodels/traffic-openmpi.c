/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-openmpi.c - Open MPI's part in the recording of what it sends */
/*
 * Algorithms are set by control variables, which coll/tuned reads when a communicator is made; that
 * needs --mca coll_tuned_use_dynamic_rules 1. What is sent is what the library's pml/monitoring
 * records, message by message, given --mca pml_monitoring_enable 1. Its performance variables are
 * gone as soon as it runs (4.1 unregisters them when it puts itself in front of the other pml), so
 * this takes the place of the function that it records by. Without monitoring, which crashes where
 * coll/han frees its communicators, it is what the collectives hand to the pml (mpi-posts.h).
 * coll/han reads its variables in every call, but they may not be set as such: they are written
 * where they lie.
 */
#include "config.h"

#include "tests/costmodels/mpi-posts.h"
#include "tests/costmodels/traffic-library.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static bool seen; /* a message, ever */

/* Of Open MPI 4.x: called for every message that is handed to the pml. */
void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);

void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag)
{
	(void)tag;
	seen = true;
	traffic_sent((size_t)world_rank, bytes);
}

void traffic_library_open(int rank, int n_ranks)
{
	char out[3] = {0}, in[3];

	(void)n_ranks;
	MPI_Sendrecv(out, 3, MPI_CHAR, rank, 0, in, 3, MPI_CHAR, rank, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	if (posts_install(seen ? NULL : traffic_sent))
		traffic_die("needs Open MPI 4.1 to see what it waits for");
}

/* The name that coll/tuned has for the collective. */
static const char *tuned_name(const struct traffic_case *c)
{
	if (!strcmp(c->collective, "broadcast"))
		return "bcast";
	if (!strcmp(c->collective, "reduce-scatter"))
		return traffic_is_block(c) ? "reduce_scatter_block" : "reduce_scatter";
	return c->collective;
}

static void set(const char *name, const char *suffix, int value)
{
	char text[128];

	snprintf(text, sizeof(text), "coll_tuned_%s_%s", name, suffix);
	traffic_set_variable(text, value);
}

/* A variable of coll/han: by functions of Open MPI's base library, which tell where it lies
 * (opal/mca/base/mca_base_var.h). */
static void set_han(const char *name, const void *value, size_t size)
{
	int (*find)(const char *, const char *, const char *, const char *);
	int (*get)(int, void *, void *, void *);
	void *place = NULL;
	int index;

	*(void **)&find = dlsym(RTLD_DEFAULT, "mca_base_var_find");
	*(void **)&get = dlsym(RTLD_DEFAULT, "mca_base_var_get_value");
	index = find && get ? find("ompi", "coll", "han", name) : -1;
	if (index < 0 || get(index, &place, NULL, NULL) || !place)
		traffic_die("no variable %s", name);
	memcpy(place, value, size);
}

/* Of the algorithms for hosts with several ranks, as far as there are two. A case that names no
 * segments has them as long as by default. */
static void set_levels(const struct traffic_case *c)
{
	const bool simple = !strcmp(c->algorithm, "han-simple");
	const int segment = c->segment_bytes ? c->segment_bytes : 65536;
	const char *name = tuned_name(c);
	char text[128];

	if (strncmp(c->algorithm, "han", 3) != 0 || !strcmp(name, "allgather") ||
	    !strcmp(name, "barrier"))
		return;
	snprintf(text, sizeof(text), "use_simple_%s", name);
	set_han(text, &simple, sizeof(simple));
	snprintf(text, sizeof(text), "%s_segsize", name);
	set_han(text, &segment, sizeof(segment));
}

/* Also what the library has for those that take a radix. */
void traffic_library_set(const struct traffic_case *c, int setting)
{
	const char *name = tuned_name(c);
	const int fanout = c->radix ? c->radix : 4;

	set(name, "algorithm", setting);
	set(name, "algorithm_segmentsize", c->segment_bytes);
	if (!strcmp(name, "bcast") || !strcmp(name, "reduce"))
		set(name, "algorithm_chain_fanout", fanout);
	if (!strcmp(name, "bcast"))
		set(name, "algorithm_knomial_radix", fanout);
	set_levels(c);
}

void traffic_posts_begin(void)
{
	posts_begin();
}

uint64_t traffic_posts_end(void)
{
	return posts_end();
}
