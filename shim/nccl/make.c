/* SPDX-License-Identifier: BSD-3-Clause */
/* make.c - making a hidden communicator beside one of the program's */
#include "config.h"

#include "shim/nccl/make.h"

#include "base/mem.h"
#include "shim/nccl/order.h"
#include "shim/nccl/stats/stats.h"
#include "shim/nccl/tell.h"
#include "shim/nccl/two-level.h"
#include "shim/nccl/watch.h"
#include "shim/ranks.h"

#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 3
#define POLL_US 100

/* What a process says of its rank; part of the color. */
enum answer {
	SAYS_NOTHING,
	SAYS_GIVEN,   /* numbered as the plan gives the hosts */
	SAYS_PLANNED, /* numbered as the order has them */
	ANSWERS
};

static __thread __attribute__((tls_model("initial-exec"))) bool inside;

bool pl_make_is_inside(void)
{
	return inside;
}

void pl_make_set_inside(bool is)
{
	inside = is;
}

/* When a split is over, all have seen who is there. */
static void set_making(struct pl_nccl_comm *comm, enum pl_making making)
{
	if (making == PL_MAKING_DONE)
		pl_same_host_hide(&comm->showing);
	__atomic_store_n(&comm->making, making, __ATOMIC_RELEASE);
}

static bool is_numbered(const struct pl_nccl_comm *comm, bool planned)
{
	const struct pl_nccl_order *order = pl_order();

	return comm->n == order->n_slots &&
	       pl_order_host_of(planned)[comm->rank] == (int)order->host;
}

static enum answer answer_of(const struct pl_nccl_comm *comm)
{
	if (comm->round == 0 && is_numbered(comm, false))
		return SAYS_GIVEN;
	if (comm->round <= 1 && is_numbered(comm, true))
		return SAYS_PLANNED;
	return SAYS_NOTHING;
}

/* May this process follow what it has to follow? */
static bool may_follow(void)
{
	return pl_order()->follows && !pl_order_obstacle(pl_nccl_version());
}

static int color_of(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_order *order = pl_order();

	if (!may_follow() || comm->on_one_host)
		return NCCL_SPLIT_NOCOLOR;
	if (order->two_level)
		return comm->is_nonblocking ? NCCL_SPLIT_NOCOLOR : pl_two_level_color(comm);
	return (int)order->digest * ANSWERS + (int)answer_of(comm);
}

/* When the program's own is there: all of its ranks have shown themselves. */
static ncclResult_t look(struct pl_nccl_comm *comm)
{
	ncclResult_t rc = PL_NCCL(CommCount)(comm->app, &comm->n);

	if (rc == ncclSuccess)
		rc = PL_NCCL(CommUserRank)(comm->app, &comm->rank);
	if (rc == ncclSuccess && comm->n > 1)
		comm->on_one_host = pl_same_host_all(&comm->showing, pl_order()->host, comm->n);
	return rc;
}

static ncclResult_t start_round(struct pl_nccl_comm *comm)
{
	comm->voted = NULL;
	comm->since_s = PL_WATCH_NOT;
	set_making(comm, PL_MAKING_SPLITS);
	return PL_NCCL(CommSplit)(comm->app, color_of(comm), (int)pl_order()->pos, &comm->voted,
				  NULL);
}

/* Where all say that the ranks are numbered as the plan gives the hosts. */
static int *map_ranks(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_order *order = pl_order();
	int *rank_in = pl_array_create((size_t)comm->n, sizeof(int));

	if (rank_in && pl_shim_place(&order->plan, (size_t)(order->order - order->plan.order),
				     pl_order_host_of(false), (size_t)comm->n, rank_in)) {
		free(rank_in);
		rank_in = NULL;
	}
	return rank_in;
}

/* What the program's ranks are in @shadow. */
static ncclResult_t use(struct pl_nccl_comm *comm, ncclComm_t shadow, enum answer answer)
{
	if (answer == SAYS_GIVEN) {
		comm->rank_in = map_ranks(comm);
		if (!comm->rank_in)
			return ncclSystemError;
	}
	pl_tell_made(comm, shadow);
	pl_nccl_stats_made(comm, shadow);
	if (!pl_order()->serves_rings) {
		free(comm->rank_in);
		comm->rank_in = NULL;
	}
	__atomic_store_n(&comm->shadow, shadow, __ATOMIC_RELEASE);
	return ncclSuccess;
}

static void stand_aside(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	pl_nccl_stats_aside(comm, why);
	pl_tell_aside(comm, why);
}

/* All are in the part: is it of use? */
static ncclResult_t accept(struct pl_nccl_comm *comm)
{
	const enum answer answer = answer_of(comm);
	const ncclComm_t shadow = comm->voted;
	ncclResult_t rc;

	if (answer == SAYS_PLANNED) {
		stand_aside(comm, PL_ASIDE_IN_ORDER);
		comm->voted = NULL;
		rc = PL_NCCL(CommDestroy)(shadow);
	} else {
		rc = use(comm, shadow, answer);
		if (rc == ncclSuccess) /* else it is still to be aborted */
			comm->voted = NULL;
	}
	/* from here on it is used */
	set_making(comm, PL_MAKING_DONE);
	return rc;
}

/* Why the ranks do not all agree, as far as this one knows. */
static enum pl_aside why_not(const struct pl_nccl_comm *comm)
{
	if (comm->on_one_host)
		return PL_ASIDE_ONE_HOST;
	if (!may_follow())
		return PL_ASIDE_ITSELF;
	if (!pl_order()->two_level)
		return PL_ASIDE_OTHERS;
	return comm->is_nonblocking ? PL_ASIDE_NONBLOCKING : PL_ASIDE_UNEVEN;
}

static ncclResult_t give_up(struct pl_nccl_comm *comm)
{
	set_making(comm, PL_MAKING_DONE);
	stand_aside(comm, why_not(comm));
	return pl_order_refuses() && !comm->on_one_host ? ncclInvalidUsage : ncclSuccess;
}

static ncclResult_t end_two_level_round(struct pl_nccl_comm *comm, int n)
{
	enum pl_two_level_next next;
	const ncclResult_t rc = pl_two_level_end_round(comm, n, &next);

	if (rc != ncclSuccess)
		return rc;
	if (next == PL_TWO_LEVEL_ON) {
		set_making(comm, PL_MAKING_WAITS);
		return ncclSuccess;
	}
	if (next == PL_TWO_LEVEL_NOT)
		return give_up(comm);
	if (next == PL_TWO_LEVEL_USELESS) {
		stand_aside(comm, PL_ASIDE_GROUPS);
	} else {
		pl_tell_two_level(comm);
		pl_nccl_stats_made(comm, NULL);
	}
	set_making(comm, PL_MAKING_DONE);
	return ncclSuccess;
}

static ncclResult_t end_round(struct pl_nccl_comm *comm)
{
	ncclResult_t rc = ncclSuccess;
	int n = 0;

	if (comm->voted)
		rc = PL_NCCL(CommCount)(comm->voted, &n);
	if (rc != ncclSuccess)
		return rc;
	if (pl_order()->two_level)
		return end_two_level_round(comm, n);
	if (n == comm->n)
		return accept(comm);
	if (comm->voted)
		rc = PL_NCCL(CommDestroy)(comm->voted);
	comm->voted = NULL;
	set_making(comm, PL_MAKING_WAITS);
	if (++comm->round == ROUNDS && rc == ncclSuccess)
		return give_up(comm);
	return rc;
}

static bool is_wrong(ncclResult_t rc)
{
	return rc != ncclSuccess && rc != ncclInProgress;
}

/* A round of all that are not done. */
static ncclResult_t start_rounds(struct pl_nccl_comm **comms, size_t n)
{
	struct pl_nccl_watch watch;
	ncclResult_t rc, ended;

	pl_watch_start(&watch);
	rc = PL_NCCL(GroupStart)();
	for (size_t i = 0; i < n && rc == ncclSuccess; i++)
		if (!pl_make_is_done(comms[i]))
			rc = start_round(comms[i]);
	ended = PL_NCCL(GroupEnd)();
	pl_watch_stop(&watch);
	return is_wrong(rc) ? rc : ended;
}

static ncclResult_t end_rounds(struct pl_nccl_comm **comms, size_t n, bool *more)
{
	ncclResult_t rc = ncclSuccess, one;

	*more = false;
	for (size_t i = 0; i < n; i++) {
		one = pl_make_is_done(comms[i]) ? ncclSuccess : end_round(comms[i]);
		if (is_wrong(one))
			rc = one;
		*more = *more || !pl_make_is_done(comms[i]);
	}
	return rc;
}

/* It has no order. */
static void leave_alone(struct pl_nccl_comm *comm)
{
	stand_aside(comm, PL_ASIDE_ONE_RANK);
	set_making(comm, PL_MAKING_DONE);
}

static ncclResult_t look_at_all(struct pl_nccl_comm **comms, size_t n, bool *more)
{
	ncclResult_t rc = ncclSuccess;

	*more = false;
	for (size_t i = 0; i < n && rc == ncclSuccess; i++) {
		rc = look(comms[i]);
		if (comms[i]->n > 1)
			*more = true;
		else if (rc == ncclSuccess)
			leave_alone(comms[i]);
	}
	return rc;
}

/* One on one host is kept, for those that are made from it. After an error the hidden ones are
 * aborted: no record of them is left. */
static void drop(struct pl_nccl_comm *comm, ncclResult_t rc)
{
	ncclComm_t hidden[PL_HIDDEN_MAX];
	size_t n;

	set_making(comm, PL_MAKING_DONE);
	n = pl_comm_hidden(comm, hidden);
	if (rc == ncclSuccess && (n || comm->on_one_host))
		return;
	if (comm->voted)
		PL_NCCL(CommAbort)(comm->voted);
	for (size_t i = 0; i < n; i++) {
		pl_nccl_stats_end(hidden[i]);
		PL_NCCL(CommAbort)(hidden[i]);
	}
	pl_comms_forget(comm);
	pl_comms_release(comm);
}

/* Under the lock, when NCCL has nothing under way. */
static ncclResult_t next_step(struct pl_nccl_comm *comm)
{
	ncclResult_t rc;

	if (comm->making == PL_MAKING_SPLITS)
		return end_round(comm);
	rc = comm->n ? ncclSuccess : look(comm);
	if (rc != ncclSuccess)
		return rc;
	if (comm->n > 1)
		return start_round(comm);
	leave_alone(comm);
	return ncclSuccess;
}

/* Only one that does not block comes here. */
static ncclResult_t advance(struct pl_nccl_comm *comm)
{
	ncclResult_t rc = ncclSuccess, state = ncclSuccess;

	comm->is_nonblocking = true;
	while (!is_wrong(rc) && !pl_make_is_done(comm)) {
		rc = PL_NCCL(CommGetAsyncError)(comm->app, &state);
		if (rc == ncclSuccess)
			rc = state;
		if (rc == ncclInProgress) {
			if (comm->making == PL_MAKING_SPLITS)
				pl_watch_ask(&comm->since_s);
			return rc;
		}
		if (rc == ncclSuccess)
			rc = next_step(comm);
	}
	return rc;
}

static ncclResult_t finish(struct pl_nccl_comm *comm)
{
	ncclResult_t rc;

	while ((rc = advance(comm)) == ncclInProgress)
		usleep(POLL_US);
	return rc;
}

/* Nonblocking ones, which a call has made that did not leave them in
 * progress. */
static ncclResult_t finish_all(struct pl_nccl_comm **comms, size_t n)
{
	ncclResult_t rc = ncclSuccess;

	for (size_t i = 0; i < n && rc == ncclSuccess; i++)
		if (!pl_make_is_done(comms[i]))
			rc = finish(comms[i]);
	return rc;
}

ncclResult_t pl_make_all(struct pl_nccl_comm **comms, size_t n)
{
	bool more = false;
	ncclResult_t rc;

	inside = true;
	rc = look_at_all(comms, n, &more);
	while (rc == ncclSuccess && more) {
		rc = start_rounds(comms, n);
		if (rc == ncclSuccess) {
			rc = end_rounds(comms, n, &more);
		} else if (rc == ncclInProgress) {
			rc = finish_all(comms, n);
			more = false;
		}
	}
	for (size_t i = 0; i < n; i++)
		drop(comms[i], rc);
	inside = false;
	return rc;
}

ncclResult_t pl_make_advance(struct pl_nccl_comm *comm, ncclComm_t app)
{
	ncclResult_t rc = ncclSuccess;

	pthread_mutex_lock(&comm->lock);
	if (comm->app == app && !pl_make_is_done(comm)) {
		inside = true;
		rc = advance(comm);
		if (rc != ncclInProgress)
			drop(comm, rc);
		inside = false;
	}
	pthread_mutex_unlock(&comm->lock);
	return rc;
}

ncclResult_t pl_make_finish(struct pl_nccl_comm *comm, ncclComm_t app)
{
	ncclResult_t rc;

	while ((rc = pl_make_advance(comm, app)) == ncclInProgress)
		usleep(POLL_US);
	return rc;
}
