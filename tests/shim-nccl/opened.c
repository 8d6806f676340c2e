/* SPDX-License-Identifier: BSD-3-Clause */
/* opened.c - a program that opens NCCL when it runs, as stubs of NCCL do */
/*
 *     RANK=0 WORLD_SIZE=4 NCCL_COMM_ID=127.0.0.1:29555 opened LIBRARY
 *
 * LIBRARY is a name or a path.
 */
#include "config.h"

#include "shim/nccl/prototypes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION(name) __typeof__(nccl##name) *name

static struct {
	FUNCTION(GetUniqueId);
	FUNCTION(CommInitRank);
	FUNCTION(AllReduce);
	FUNCTION(Bcast);
	FUNCTION(CommDestroy);
} nccl;

#define GET(library, name) (nccl.name = (__typeof__(nccl.name))find(library, "nccl" #name))

static void *find(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found) {
		printf("not ok - %s\n", dlerror());
		exit(1);
	}
	return found;
}

static int number_of(const char *name)
{
	const char *s = getenv(name);

	return s ? (int)strtol(s, NULL, 10) : 0;
}

static void must(ncclResult_t rc, const char *what)
{
	if (rc) {
		printf("not ok - %s: %d\n", what, rc);
		exit(1);
	}
}

/* The id is of NCCL_COMM_ID. */
static int use(int n, int rank)
{
	int sum = rank + 1, from = rank;
	ncclUniqueId id;
	ncclComm_t comm;

	must(nccl.GetUniqueId(&id), "id");
	must(nccl.CommInitRank(&comm, n, id, rank), "init");
	must(nccl.AllReduce(&sum, &sum, 1, ncclInt32, ncclSum, comm, NULL), "all-reduce");
	must(nccl.Bcast(&from, 1, ncclInt32, n - 1, comm, NULL), "broadcast");
	must(nccl.CommDestroy(comm), "destroy");
	if (sum != n * (n + 1) / 2 || from != n - 1)
		printf("rank %d: not ok - %d %d\n", rank, sum, from);
	else
		printf("rank %d: 2 checks, 0 failed\n", rank);
	return sum != n * (n + 1) / 2 || from != n - 1;
}

int main(int argc, char **argv)
{
	void *library;

	if (argc != 2)
		return 2;
	library = dlopen(argv[1], RTLD_NOW);
	if (!library) {
		printf("not ok - %s\n", dlerror());
		return 1;
	}
	GET(library, GetUniqueId);
	GET(library, CommInitRank);
	GET(library, AllReduce);
	GET(library, Bcast);
	GET(library, CommDestroy);
	return use(number_of("WORLD_SIZE"), number_of("RANK"));
}
