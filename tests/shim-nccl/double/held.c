/* SPDX-License-Identifier: BSD-3-Clause */
/* held.c - registered buffers and windows of a communicator, memory of NCCL */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <stdlib.h>
#include <string.h>

static struct held *first_held;

static struct held *hold(struct ncclComm *comm, void *buff, size_t size, bool is_window)
{
	struct held *held = calloc(1, sizeof(*held));

	if (!held)
		return NULL;
	held->comm = comm;
	held->buff = buff;
	held->size = size;
	held->is_window = is_window;
	pthread_mutex_lock(&process_lock);
	held->next = first_held;
	first_held = held;
	pthread_mutex_unlock(&process_lock);
	return held;
}

static ncclResult_t let_go(const struct ncclComm *comm, const void *handle, bool is_window,
			   const char *caller)
{
	struct held **at, *found;

	pthread_mutex_lock(&process_lock);
	for (at = &first_held; *at && *at != handle;)
		at = &(*at)->next;
	found = *at;
	if (found && found->comm == comm && found->is_window == is_window)
		*at = found->next;
	else
		found = NULL;
	pthread_mutex_unlock(&process_lock);
	free(found);
	if (!found)
		return log_fault(ncclInvalidArgument, "%s: the handle is none of this communicator",
				 caller);
	log_line("deregister %s %d", comm ? comm->name : "memory", comm ? comm->rank : 0);
	return ncclSuccess;
}

bool held_window(const struct ncclComm *comm, ncclWindow_t window, int number, struct held *found)
{
	const struct held *held;

	pthread_mutex_lock(&process_lock);
	for (held = first_held; held; held = held->next)
		if (held->comm == comm && held->is_window &&
		    (window ? (const void *)held == (const void *)window : held->number == number))
			break;
	if (held)
		*found = *held;
	pthread_mutex_unlock(&process_lock);
	return held != NULL;
}

void held_report(const struct ncclComm *comm)
{
	size_t n = 0;

	pthread_mutex_lock(&process_lock);
	for (const struct held *held = first_held; held; held = held->next)
		n += held->comm == comm;
	pthread_mutex_unlock(&process_lock);
	if (n)
		log_line("still %s %d holds %zu buffers", comm->name, comm->rank, n);
}

NCCL_FUNCTION(ncclResult_t, ncclCommRegister, ncclComm_t comm, void *buff, size_t size,
	      void **handle)
{
	const ncclResult_t rc = comm_ready(comm, __func__);
	struct held *held;

	if (rc)
		return rc;
	if (!buff || !size || !handle)
		return log_fault(ncclInvalidArgument, "%s: no buffer", __func__);
	held = hold(comm, buff, size, false);
	*handle = held;
	log_line("register %s %d size=%zu", comm->name, comm->rank, size);
	return held ? ncclSuccess : ncclSystemError;
}

NCCL_FUNCTION(ncclResult_t, ncclCommDeregister, ncclComm_t comm, void *handle)
{
	const ncclResult_t rc = comm_check(comm, __func__);

	return rc ? rc : let_go(comm, handle, false, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommWindowRegister, ncclComm_t comm, void *buff, size_t size,
	      ncclWindow_t *win, int flags)
{
	ncclResult_t rc = comm_ready(comm, __func__);
	struct held *held;
	struct job *job;

	if (rc)
		return group_fail(rc);
	if (!buff || !size || !win || (flags & ~1))
		return group_fail(log_fault(ncclInvalidArgument, "%s", __func__));
	job = calloc(1, sizeof(*job));
	held = hold(comm, buff, size, true);
	if (!job || !held) {
		free(job);
		return ncclSystemError;
	}
	held->number = ++comm->n_windows;
	*win = (ncclWindow_t)(void *)held;
	log_line("register %s %d window=%zu", comm->name, comm->rank, size);
	job->func = FUNC_WINDOW;
	job->comm = comm;
	job->call.func = FUNC_WINDOW;
	job->call.sum = size;
	return group_add(job, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommWindowDeregister, ncclComm_t comm, ncclWindow_t win)
{
	const ncclResult_t rc = comm_check(comm, __func__);

	return rc ? rc : let_go(comm, win, true, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclMemAlloc, void **ptr, size_t size)
{
	void *memory;

	if (!ptr)
		return log_fault(ncclInvalidArgument, "%s", __func__);
	memory = malloc(size ? size : 1);
	if (!memory || !hold(NULL, memory, size, false)) {
		free(memory);
		return ncclSystemError;
	}
	*ptr = memory;
	return ncclSuccess;
}

NCCL_FUNCTION(ncclResult_t, ncclMemFree, void *ptr)
{
	struct held *held;

	pthread_mutex_lock(&process_lock);
	for (held = first_held; held && (held->comm || held->buff != ptr);)
		held = held->next;
	pthread_mutex_unlock(&process_lock);
	if (!held)
		return log_fault(ncclInvalidArgument, "%s: not from ncclMemAlloc", __func__);
	let_go(NULL, held, false, __func__);
	free(ptr);
	return ncclSuccess;
}
