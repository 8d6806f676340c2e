/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather.c - an all-gather on a shadow, its blocks then put in their
 * places */
/*
 * MPI_Allgather itself runs on the shadow, so that the algorithm is the one that the order is for.
 * Block i then is what rank i of the shadow gave; the blocks change places along the cycles of the
 * order, each byte moved once. All processes must do the same, and the types that they receive with
 * need only hold the same: so what a type looks like decides how its blocks are moved, not whether.
 */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/pick.h"

#include <stdlib.h>
#include <string.h>

#define PART_BYTES ((size_t)16 << 10) /* that are moved at once */

/* Where the blocks lie. */
struct blocks {
	char *start;
	pl_form_count count;
	MPI_Datatype type;
	MPI_Aint lower, extent;           /* of an element */
	MPI_Aint true_lower, true_extent; /* without what its bounds say */
	size_t bytes;                     /* of a block without gaps, or 0 */
};

static void blocks_init(struct blocks *b, void *start, pl_form_count count, MPI_Datatype type)
{
	MPI_Count size;

	*b = (struct blocks){.start = start, .count = count, .type = type};
	PMPI_Type_get_extent(type, &b->lower, &b->extent);
	PMPI_Type_get_true_extent(type, &b->true_lower, &b->true_extent);
	PMPI_Type_size_x(type, &size);
	if (b->lower == 0 && b->true_lower == 0 && b->extent == size && b->true_extent == size)
		b->bytes = (size_t)count * (size_t)size;
}

static char *block_at(const struct blocks *b, int i)
{
	return b->start + (MPI_Aint)i * b->count * b->extent;
}

/* Of a type with gaps, where other data may lie: element by element. */
static void copy_block(const struct blocks *b, char *to, const char *from)
{
	PL_NEXT_FORM(PMPI_Allgather)
	(from, b->count, b->type, to, b->count, b->type, MPI_COMM_SELF);
}

/* Moves bytes [first, last) of the blocks. */
static void move_part(const struct pl_shadow *s, const struct blocks *b, size_t first, size_t last)
{
	char part[PART_BYTES];

	for (int l = 0; l < s->n_leaders; l++) {
		const int leader = s->leader[l];
		int to = leader;

		memcpy(part, block_at(b, leader) + first, last - first);
		for (int from = s->rank[to]; from != leader; from = s->rank[to]) {
			memcpy(block_at(b, to) + first, block_at(b, from) + first, last - first);
			to = from;
		}
		memcpy(block_at(b, to) + first, part, last - first);
	}
}

static void move_bytes(const struct pl_shadow *s, const struct blocks *b)
{
	for (size_t first = 0; first < b->bytes; first += PART_BYTES)
		move_part(s, b, first,
			  b->bytes - first < PART_BYTES ? b->bytes : first + PART_BYTES);
}

/* The same for a type with gaps; @spare is as a block. */
static void move_elements(const struct pl_shadow *s, const struct blocks *b, char *spare)
{
	for (int l = 0; l < s->n_leaders; l++) {
		const int leader = s->leader[l];
		int to = leader;

		copy_block(b, spare, block_at(b, leader));
		for (int from = s->rank[to]; from != leader; from = s->rank[to]) {
			copy_block(b, block_at(b, to), block_at(b, from));
			to = from;
		}
		copy_block(b, block_at(b, to), spare);
	}
}

/* MPI_IN_PLACE: what this process gives lies where its rank says. */
static void move_own(const struct pl_shadow *s, const struct blocks *b, MPI_Comm comm)
{
	int rank;

	PMPI_Comm_rank(comm, &rank);
	if (s->rank[rank] == rank)
		return;
	if (b->bytes)
		memcpy(block_at(b, s->rank[rank]), block_at(b, rank), b->bytes);
	else
		copy_block(b, block_at(b, s->rank[rank]), block_at(b, rank));
}

/* Room for a block with gaps, as the address of its first element. NULL with *room NULL, too: no
 * memory. */
static char *spare_create(const struct blocks *b, char **room)
{
	const MPI_Aint others = (MPI_Aint)(b->count - 1) * b->extent;
	const MPI_Aint span = (others < 0 ? -others : others) + b->true_extent;

	*room = malloc((size_t)span + 1);
	if (!*room)
		return NULL;
	return *room - b->true_lower - (others < 0 ? others : 0);
}

static int gather(const struct pl_shadow *s, const void *in, pl_form_count n_in,
		  MPI_Datatype type_in, const struct blocks *b, MPI_Comm comm)
{
	char *room = NULL, *spare = NULL;
	int rc;

	if (!b->bytes) {
		spare = spare_create(b, &room);
		if (!room) {
			PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
			return MPI_ERR_NO_MEM;
		}
	}
	if (in == MPI_IN_PLACE)
		move_own(s, b, comm);
	rc = PL_NEXT_FORM(PMPI_Allgather)(in, n_in, type_in, b->start, b->count, b->type, s->comm);
	if (rc == MPI_SUCCESS && b->bytes)
		move_bytes(s, b);
	else if (rc == MPI_SUCCESS)
		move_elements(s, b, spare);
	free(room);
	return rc;
}

/* Is there anything to move? Nothing on one process is nothing on all. */
static bool are_blocks(const void *out, pl_form_count count, MPI_Datatype type)
{
	return pl_shadow_bytes(count, type) > 0 && out != MPI_IN_PLACE;
}

/* Will it fail, whatever its types and what it receives? */
static bool is_wrong(const void *in, pl_form_count n_in, const void *out)
{
	return out == MPI_IN_PLACE || (in != MPI_IN_PLACE && n_in < 0);
}

int PL_FORM(pl_mpi_Allgather)(const void *in, pl_form_count n_in, MPI_Datatype type_in, void *out,
			      pl_form_count n_out, MPI_Datatype type_out, MPI_Comm comm)
{
	const struct pl_shadow *s = pl_shadow_pick(&(struct pl_shadow_call){
		.comm = comm,
		.kind = PL_SHADOW_ALLGATHER,
		.may = pl_shadow_unless(is_wrong(in, n_in, out)),
		.root = -1,
		.count = n_out,
		.type = type_out,
		.type_in = in == MPI_IN_PLACE ? MPI_BYTE : type_in,
		.op = MPI_OP_NULL,
	});

	if (s && are_blocks(out, n_out, type_out)) {
		struct blocks b;
		int rc;

		blocks_init(&b, out, n_out, type_out);
		rc = gather(s, in, n_in, type_in, &b, comm);
		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PMPI_Allgather)(in, n_in, type_in, out, n_out, type_out, comm);
}
