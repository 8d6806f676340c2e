/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - the edges of a distributed graph, known to all processes */
#include "config.h"

#include "shim/mpi/topology/records.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"

#include <limits.h>
#include <stdlib.h>

/* Numbers in all records together. */
#define NUMBERS_MAX (16 << 20)

static void *array(size_t n, size_t size)
{
	void *made = pl_array_create(n, size);

	if (!made)
		pl_mpi_no_memory();
	return made;
}

/* start[] from the lengths of all; false if they do not fit. */
static bool add_up(const int *len, int n, int *start)
{
	for (int rank = 0; rank < n; rank++) {
		if (len[rank] <= 0 || len[rank] > NUMBERS_MAX - start[rank])
			return false;
		start[rank + 1] = start[rank] + len[rank];
	}
	return true;
}

/*
 * Collective: tells all processes the record mine[len] of each. False on all, with nothing to fini,
 * if a process has none (len is 0), or all together are too long. Ends the job if memory runs out.
 */
static bool share_records(struct pl_topo_records *r, const struct pl_topo_members *m,
			  const int *mine, int len)
{
	int *all = array((size_t)m->n, sizeof(*all));
	bool fits;

	r->v = NULL;
	r->start = array((size_t)m->n + 1, sizeof(*r->start));
	PL_MPI_NEXT(PMPI_Allgather)
	(&len, 1, MPI_INT, all, 1, MPI_INT, m->comm);
	fits = add_up(all, m->n, r->start);
	if (fits) {
		r->v = array((size_t)r->start[m->n], sizeof(*r->v));
		PL_MPI_NEXT(PMPI_Allgatherv)
		(mine, len, MPI_INT, r->v, all, r->start, MPI_INT, m->comm);
	} else {
		pl_topo_records_fini(r);
	}
	free(all);
	return fits;
}

void pl_topo_records_fini(struct pl_topo_records *r)
{
	free(r->start);
	free(r->v);
}

static bool are_ranks(const int *v, int n, int n_ranks)
{
	for (int i = 0; i < n; i++)
		if (!v || v[i] < 0 || v[i] >= n_ranks)
			return false;
	return true;
}

/* Not negative; or none at all. */
static bool are_weights(const int *v, int n)
{
	for (int i = 0; v != MPI_UNWEIGHTED && i < n; i++)
		if (!v || v[i] < 0)
			return false;
	return true;
}

static int *put(int *to, const int *from, int n)
{
	for (int i = 0; i < n; i++)
		*to++ = from == MPI_UNWEIGHTED ? 1 : from[i];
	return to;
}

static bool is_adjacent(const struct pl_topo_adjacent *a, int n_ranks)
{
	return a->n_in >= 0 && a->n_out >= 0 && a->n_in < NUMBERS_MAX / 4 &&
	       a->n_out < NUMBERS_MAX / 4 && are_ranks(a->in, a->n_in, n_ranks) &&
	       are_ranks(a->out, a->n_out, n_ranks) && are_weights(a->in_weight, a->n_in) &&
	       are_weights(a->out_weight, a->n_out);
}

/* A record: are there weights, how many edges in and out, then these, then their weights. */
bool pl_topo_adjacent_tell(struct pl_topo_records *r, const struct pl_topo_members *m,
			   const struct pl_topo_adjacent *own, bool *weighted)
{
	const bool valid = is_adjacent(own, m->n);
	const int n = valid ? own->n_in + own->n_out : 0;
	int *mine = array(3 + 2 * (size_t)n, sizeof(*mine)), *to = mine;
	bool there;

	if (valid) {
		*to++ = n > 0 && own->in_weight != MPI_UNWEIGHTED &&
			own->out_weight != MPI_UNWEIGHTED;
		*to++ = own->n_in;
		*to++ = own->n_out;
		to = put(to, own->in, own->n_in);
		to = put(to, own->out, own->n_out);
		to = put(to, own->in_weight, own->n_in);
		to = put(to, own->out_weight, own->n_out);
	}
	there = share_records(r, m, mine, (int)(to - mine));
	free(mine);
	*weighted = false;
	for (int rank = 0; there && rank < m->n; rank++)
		*weighted = *weighted || r->v[r->start[rank]];
	return there;
}

struct pl_topo_adjacent pl_topo_adjacent_of(const struct pl_topo_records *r, int v, bool weighted)
{
	const int *at = &r->v[r->start[v]];
	struct pl_topo_adjacent a = {.n_in = at[1], .n_out = at[2]};

	a.in = &at[3];
	a.out = a.in + a.n_in;
	a.in_weight = weighted ? a.out + a.n_out : MPI_UNWEIGHTED;
	a.out_weight = weighted ? a.in_weight + a.n_in : MPI_UNWEIGHTED;
	return a;
}

/* Places the edges, and frees them. */
static int *place(const struct pl_topo_members *m, struct pl_topo_edge *edge, size_t n,
		  const char *name)
{
	struct pl_topo_graph g;
	int *rank_at;

	if (pl_topo_graph_init(&g, (size_t)m->n, edge, n))
		pl_mpi_no_memory();
	free(edge);
	rank_at = pl_topo_place(m, &g, NULL, name);
	pl_topo_graph_fini(&g);
	return rank_at;
}

int *pl_topo_place_adjacent(const struct pl_topo_members *m, const struct pl_topo_records *r,
			    bool weighted)
{
	struct pl_topo_edge *edge = array((size_t)r->start[m->n], sizeof(*edge));
	size_t n = 0;

	for (int v = 0; v < m->n; v++) {
		const struct pl_topo_adjacent a = pl_topo_adjacent_of(r, v, weighted);

		for (int i = 0; i < a.n_out; i++)
			edge[n++] = (struct pl_topo_edge){.from = v,
							  .to = a.out[i],
							  .weight = weighted ? a.out_weight[i] : 1};
	}
	return place(m, edge, n, "MPI_Dist_graph_create_adjacent");
}

/* The number of edges passed, or -1: there are none such. */
static int count_edges(const struct pl_topo_members *m, int n, const int *sources,
		       const int *degrees, const int *destinations, const int *weights)
{
	int n_edges = 0;

	if (n < 0 || !are_ranks(sources, n, m->n))
		return -1;
	for (int i = 0; i < n; i++) {
		if (!degrees || degrees[i] < 0 || degrees[i] > NUMBERS_MAX / 3 - 1 - n_edges)
			return -1;
		n_edges += degrees[i];
	}
	return are_ranks(destinations, n_edges, m->n) && are_weights(weights, n_edges) ? n_edges
										       : -1;
}

/* The edges of all records: after a first number that is not used, triples of source, destination
 * and weight. */
static int *place_triples(const struct pl_topo_members *m, const struct pl_topo_records *r)
{
	struct pl_topo_edge *edge = array((size_t)r->start[m->n], sizeof(*edge));
	size_t n = 0;

	for (int rank = 0; rank < m->n; rank++)
		for (int i = r->start[rank] + 1; i < r->start[rank + 1]; i += 3)
			edge[n++] = (struct pl_topo_edge){
				.from = r->v[i], .to = r->v[i + 1], .weight = r->v[i + 2]};
	return place(m, edge, n, "MPI_Dist_graph_create");
}

int *pl_topo_place_edges(const struct pl_topo_members *m, int n, const int *sources,
			 const int *degrees, const int *destinations, const int *weights)
{
	const int n_edges = count_edges(m, n, sources, degrees, destinations, weights);
	int *mine = array(1 + 3 * (n_edges > 0 ? (size_t)n_edges : 0), sizeof(*mine));
	struct pl_topo_records r;
	int *rank_at = NULL, at = 0;

	for (int i = 0; n_edges >= 0 && i < n; i++)
		for (const int last = at + degrees[i]; at < last; at++) {
			mine[1 + 3 * at] = sources[i];
			mine[2 + 3 * at] = destinations[at];
			mine[3 + 3 * at] = weights == MPI_UNWEIGHTED ? 1 : weights[at];
		}
	/* so that a process that passes no edges has a record, too */
	if (share_records(&r, m, mine, n_edges < 0 ? 0 : 1 + 3 * n_edges)) {
		rank_at = place_triples(m, &r);
		pl_topo_records_fini(&r);
	}
	free(mine);
	return rank_at;
}
