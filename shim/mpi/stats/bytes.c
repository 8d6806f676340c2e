/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.c - the bytes of a call, as plink-stats(5) counts them */
#include "config.h"

#include "shim/mpi/stats/bytes.h"

#include "shim/mpi/world.h"

#include <stddef.h>

uint64_t pl_bytes_of(int count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (count <= 0)
		return 0;
	PMPI_Type_size_x(type, &size);
	return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

uint64_t pl_bytes_with(int rank, int count, MPI_Datatype type)
{
	return rank == MPI_PROC_NULL ? 0 : pl_bytes_of(count, type);
}

uint64_t pl_bytes_rooted(int root, const void *buf, struct pl_bytes_part own,
			 struct pl_bytes_part in_place)
{
	if (root == MPI_PROC_NULL || root == MPI_ROOT)
		return 0;
	if (buf == MPI_IN_PLACE)
		own = in_place;
	return pl_bytes_of(own.count, own.type);
}

uint64_t pl_bytes_rooted_v(int root, const void *buf, struct pl_bytes_part own,
			   struct pl_bytes_parts in_place, MPI_Comm comm)
{
	int rank;

	if (root == MPI_PROC_NULL || root == MPI_ROOT)
		return 0;
	if (buf != MPI_IN_PLACE)
		return pl_bytes_of(own.count, own.type);
	PL_MPI_NEXT(PMPI_Comm_rank)(pl_mpi_enter(comm), &rank);
	return pl_bytes_of(in_place.counts[rank], in_place.type);
}

/* Ranks that each rank sends to. */
static int n_others(MPI_Comm comm)
{
	int is_inter, n;

	PL_MPI_NEXT(PMPI_Comm_test_inter)(pl_mpi_enter(comm), &is_inter);
	if (is_inter)
		PL_MPI_NEXT(PMPI_Comm_remote_size)(comm, &n);
	else
		PL_MPI_NEXT(PMPI_Comm_size)(pl_mpi_enter(comm), &n);
	return n;
}

static uint64_t sum(const int *counts, MPI_Datatype type, int n)
{
	uint64_t elements = 0;

	for (int i = 0; i < n; i++)
		elements += (uint64_t)counts[i];
	return elements ? elements * pl_bytes_of(1, type) : 0;
}

uint64_t pl_bytes_to_all(const void *buf, struct pl_bytes_part own, struct pl_bytes_part in_place,
			 MPI_Comm comm)
{
	if (buf == MPI_IN_PLACE)
		own = in_place;
	return pl_bytes_of(own.count, own.type) * (uint64_t)n_others(comm);
}

uint64_t pl_bytes_to_all_v(const void *buf, struct pl_bytes_parts own,
			   struct pl_bytes_parts in_place, MPI_Comm comm)
{
	if (buf == MPI_IN_PLACE)
		own = in_place;
	return sum(own.counts, own.type, n_others(comm));
}

uint64_t pl_bytes_to_all_w(const void *buf, struct pl_bytes_typed own,
			   struct pl_bytes_typed in_place, MPI_Comm comm)
{
	const int n = n_others(comm);
	uint64_t bytes = 0;

	if (buf == MPI_IN_PLACE)
		own = in_place;
	for (int i = 0; i < n; i++)
		bytes += pl_bytes_of(own.counts[i], own.types[i]);
	return bytes;
}

uint64_t pl_bytes_scattered(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
	int n;

	PL_MPI_NEXT(PMPI_Comm_size)(pl_mpi_enter(comm), &n);
	return sum(counts, type, n);
}

uint64_t pl_bytes_scattered_block(int count, MPI_Datatype type, MPI_Comm comm)
{
	int n;

	PL_MPI_NEXT(PMPI_Comm_size)(pl_mpi_enter(comm), &n);
	return pl_bytes_of(count, type) * (uint64_t)n;
}
