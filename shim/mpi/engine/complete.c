/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c - the functions that start, complete and end requests */
/*
 * Where the program asks for requests, the library is told which of the mode's are done, and then
 * asked itself. Of a request that has failed only the shim knows.
 */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "shim/mpi/world.h"

/* Until none of the mode's is pending, or one has failed: that one, or -1. */
static int wait_for_all(int n, const MPI_Request *request)
{
	struct pl_engine_look look;

	while ((look = pl_engine_mode_look(n, request)).is_pending && look.failed < 0)
		pl_engine_mode_rest(n, request);
	return look.failed;
}

/* What the functions for several requests say where some of them have failed: the others are as
 * they were. */
static int fail_some(int n, MPI_Request *request, MPI_Status *status)
{
	for (int i = 0; i < n; i++) {
		int rc = MPI_ERR_PENDING;

		if (pl_engine_mode_has_failed(request[i]))
			rc = pl_engine_mode_end_failed(&request[i]);
		if (status != MPI_STATUSES_IGNORE)
			status[i].MPI_ERROR = rc;
	}
	return MPI_ERR_IN_STATUS;
}

/* And those that end one of them. */
static int fail_one(MPI_Request *request, int i, int *index)
{
	*index = i;
	return pl_engine_mode_end_failed(&request[i]);
}

/* The first of several that are told of. */
static int fail_first(MPI_Request *request, int i, int *n_done, int *index, MPI_Status *status)
{
	const int rc = fail_one(request, i, index);

	*n_done = 1;
	if (status != MPI_STATUSES_IGNORE)
		status->MPI_ERROR = rc;
	return MPI_ERR_IN_STATUS;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	if (pl_engine_mode_has_requests() && wait_for_all(1, request) == 0)
		return pl_engine_mode_end_failed(request);
	return PL_MPI_NEXT(PMPI_Wait)(request, status);
}
PL_MPI_ALIAS(MPI_Wait)

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	if (pl_engine_mode_has_requests() && pl_engine_mode_look(1, request).failed == 0) {
		*flag = 1;
		return pl_engine_mode_end_failed(request);
	}
	return PL_MPI_NEXT(PMPI_Test)(request, flag, status);
}
PL_MPI_ALIAS(MPI_Test)

int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
	if (pl_engine_mode_has_requests())
		pl_engine_mode_look(1, &request);
	return PL_MPI_NEXT(PMPI_Request_get_status)(request, flag, status);
}
PL_MPI_ALIAS(MPI_Request_get_status)

int PMPI_Waitall(int n, MPI_Request request[], MPI_Status status[])
{
	if (pl_engine_mode_has_requests() && wait_for_all(n, request) >= 0)
		return fail_some(n, request, status);
	return PL_MPI_NEXT(PMPI_Waitall)(n, request, status);
}
PL_MPI_ALIAS(MPI_Waitall)

int PMPI_Testall(int n, MPI_Request request[], int *flag, MPI_Status status[])
{
	if (pl_engine_mode_has_requests() && pl_engine_mode_look(n, request).failed >= 0) {
		*flag = 1;
		return fail_some(n, request, status);
	}
	return PL_MPI_NEXT(PMPI_Testall)(n, request, flag, status);
}
PL_MPI_ALIAS(MPI_Testall)

int PMPI_Testany(int n, MPI_Request request[], int *index, int *flag, MPI_Status *status)
{
	struct pl_engine_look look = {.failed = -1};

	if (pl_engine_mode_has_requests())
		look = pl_engine_mode_look(n, request);
	if (look.failed >= 0) {
		*flag = 1;
		return fail_one(request, look.failed, index);
	}
	return PL_MPI_NEXT(PMPI_Testany)(n, request, index, flag, status);
}
PL_MPI_ALIAS(MPI_Testany)

int PMPI_Waitany(int n, MPI_Request request[], int *index, MPI_Status *status)
{
	while (pl_engine_mode_has_requests()) {
		const struct pl_engine_look look = pl_engine_mode_look(n, request);
		int rc, flag;

		if (look.failed >= 0)
			return fail_one(request, look.failed, index);
		if (!look.is_pending)
			break;
		rc = PL_MPI_NEXT(PMPI_Testany)(n, request, index, &flag, status);
		if (rc != MPI_SUCCESS || flag)
			return rc;
		pl_engine_mode_rest(n, request);
	}
	return PL_MPI_NEXT(PMPI_Waitany)(n, request, index, status);
}
PL_MPI_ALIAS(MPI_Waitany)

int PMPI_Testsome(int n, MPI_Request request[], int *n_done, int index[], MPI_Status status[])
{
	struct pl_engine_look look = {.failed = -1};

	if (pl_engine_mode_has_requests())
		look = pl_engine_mode_look(n, request);
	if (look.failed >= 0)
		return fail_first(request, look.failed, n_done, index, status);
	return PL_MPI_NEXT(PMPI_Testsome)(n, request, n_done, index, status);
}
PL_MPI_ALIAS(MPI_Testsome)

int PMPI_Waitsome(int n, MPI_Request request[], int *n_done, int index[], MPI_Status status[])
{
	while (pl_engine_mode_has_requests()) {
		const struct pl_engine_look look = pl_engine_mode_look(n, request);
		int rc;

		if (look.failed >= 0)
			return fail_first(request, look.failed, n_done, index, status);
		if (!look.is_pending)
			break;
		rc = PL_MPI_NEXT(PMPI_Testsome)(n, request, n_done, index, status);
		if (rc != MPI_SUCCESS || *n_done != 0)
			return rc;
		pl_engine_mode_rest(n, request);
	}
	return PL_MPI_NEXT(PMPI_Waitsome)(n, request, n_done, index, status);
}
PL_MPI_ALIAS(MPI_Waitsome)

int PMPI_Start(MPI_Request *request)
{
	const int rc = PL_MPI_NEXT(PMPI_Start)(request);

	if (pl_engine_mode_has_requests() && rc == MPI_SUCCESS)
		pl_engine_mode_started(*request);
	return rc;
}
PL_MPI_ALIAS(MPI_Start)

int PMPI_Startall(int n, MPI_Request request[])
{
	const int rc = PL_MPI_NEXT(PMPI_Startall)(n, request);

	if (pl_engine_mode_has_requests() && rc == MPI_SUCCESS)
		for (int i = 0; i < n; i++)
			pl_engine_mode_started(request[i]);
	return rc;
}
PL_MPI_ALIAS(MPI_Startall)

int PMPI_Cancel(MPI_Request *request)
{
	int rc;

	if (pl_engine_mode_has_requests() && request && !pl_engine_mode_may_end(*request, &rc))
		return rc;
	return PL_MPI_NEXT(PMPI_Cancel)(request);
}
PL_MPI_ALIAS(MPI_Cancel)

int PMPI_Request_free(MPI_Request *request)
{
	int rc;

	if (pl_engine_mode_has_requests() && request) {
		if (!pl_engine_mode_may_end(*request, &rc))
			return rc;
		pl_engine_mode_forget(*request);
	}
	return PL_MPI_NEXT(PMPI_Request_free)(request);
}
PL_MPI_ALIAS(MPI_Request_free)
