/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - what does not block is done in the order of its calls */
/*
 * A stream of a GPU runs one kernel after the other, whichever communicator it is of: one that
 * waits for others keeps all behind it waiting, and telling those to stop is of no use before their
 * turn.
 */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#define DEVICES 256

static struct {
	uint64_t n_entered, n_left;
} streams[DEVICES];

uint64_t stream_enter(int device)
{
	uint64_t ticket;

	pthread_mutex_lock(&process_lock);
	ticket = ++streams[device % DEVICES].n_entered;
	pthread_mutex_unlock(&process_lock);
	return ticket;
}

void stream_wait(int device, uint64_t ticket)
{
	pthread_mutex_lock(&process_lock);
	while (streams[device % DEVICES].n_left + 1 < ticket)
		pthread_cond_wait(&process_changed, &process_lock);
	pthread_mutex_unlock(&process_lock);
}

void stream_leave(int device)
{
	pthread_mutex_lock(&process_lock);
	streams[device % DEVICES].n_left++;
	pthread_cond_broadcast(&process_changed);
	pthread_mutex_unlock(&process_lock);
}
