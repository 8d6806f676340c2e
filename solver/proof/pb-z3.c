/* SPDX-License-Identifier: BSD-3-Clause */
/* pb-z3.c - pseudo-boolean constraints, by Z3 */
#include "config.h"

#include "solver/proof/pb.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

struct pl_pb {
	Z3_context z3;
	Z3_solver solver;
	Z3_model model; /* NULL: none yet */
	Z3_ast *var;    /* [n_vars] */
	size_t n_vars, vars_room;
	Z3_ast *arg; /* scratch */
	size_t args_room;
	uint64_t work;       /* done so far */
	Z3_error_code fault; /* the first while constraints were added */
	bool no_memory;
};

bool pl_pb_built(void)
{
	return true;
}

/* Without a handler Z3 would end the program; its error code is asked for instead. */
static void note_fault(Z3_context z3, Z3_error_code code)
{
	(void)z3;
	(void)code;
}

/* Z3 keeps the error of its last call only. */
static void keep_fault(struct pl_pb *pb)
{
	if (pb->fault == Z3_OK)
		pb->fault = Z3_get_error_code(pb->z3);
}

struct pl_pb *pl_pb_create(struct pl_err *err)
{
	struct pl_pb *pb = pl_array_create(1, sizeof(*pb));
	Z3_config config;

	if (!pb) {
		pl_err_nomem(err);
		return NULL;
	}
	config = Z3_mk_config();
	pb->z3 = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(pb->z3, note_fault);
	pb->solver = Z3_mk_solver_for_logic(pb->z3, Z3_mk_string_symbol(pb->z3, "QF_FD"));
	if (!pb->solver) {
		pl_err_set(err, PL_ESYSTEM, "Z3: %s",
			   Z3_get_error_msg(pb->z3, Z3_get_error_code(pb->z3)));
		pl_pb_destroy(pb);
		return NULL;
	}
	Z3_solver_inc_ref(pb->z3, pb->solver);
	return pb;
}

void pl_pb_destroy(struct pl_pb *pb)
{
	if (!pb)
		return;
	if (pb->model)
		Z3_model_dec_ref(pb->z3, pb->model);
	if (pb->solver)
		Z3_solver_dec_ref(pb->z3, pb->solver);
	Z3_del_context(pb->z3);
	free(pb->var);
	free(pb->arg);
	free(pb);
}

int pl_pb_var(struct pl_pb *pb)
{
	const Z3_symbol name = Z3_mk_int_symbol(pb->z3, (int)pb->n_vars);

	if (pl_array_grow((void **)&pb->var, &pb->vars_room, pb->n_vars, sizeof(*pb->var))) {
		pb->no_memory = true;
		return 0;
	}
	pb->var[pb->n_vars++] = Z3_mk_const(pb->z3, name, Z3_mk_bool_sort(pb->z3));
	keep_fault(pb);
	return (int)pb->n_vars;
}

/* The literals as Z3 has them, in pb->arg. False: memory. */
static bool translate(struct pl_pb *pb, const int *lit, size_t n)
{
	if (n > pb->args_room) {
		free(pb->arg);
		pb->arg = pl_array_create(2 * n, sizeof(*pb->arg));
		pb->args_room = pb->arg ? 2 * n : 0;
	}
	if (!pb->arg && n > 0)
		pb->no_memory = true;
	for (size_t i = 0; i < n; i++)
		if (lit[i] == 0)
			pb->no_memory = true;
	if (pb->no_memory)
		return false;
	for (size_t i = 0; i < n; i++)
		pb->arg[i] =
			lit[i] > 0 ? pb->var[lit[i] - 1] : Z3_mk_not(pb->z3, pb->var[-lit[i] - 1]);
	return true;
}

static void require(struct pl_pb *pb, Z3_ast constraint)
{
	keep_fault(pb);
	if (pb->fault != Z3_OK)
		return;
	Z3_solver_assert(pb->z3, pb->solver, constraint);
	keep_fault(pb);
}

void pl_pb_any(struct pl_pb *pb, const int *lit, size_t n)
{
	if (translate(pb, lit, n))
		require(pb, Z3_mk_or(pb->z3, (unsigned)n, pb->arg));
}

void pl_pb_one(struct pl_pb *pb, const int *lit, size_t n)
{
	if (!translate(pb, lit, n))
		return;
	require(pb, Z3_mk_or(pb->z3, (unsigned)n, pb->arg));
	require(pb, Z3_mk_atmost(pb->z3, (unsigned)n, pb->arg, 1));
}

void pl_pb_at_most(struct pl_pb *pb, const int *lit, const int *weight, size_t n, int most)
{
	if (n > 0 && translate(pb, lit, n))
		require(pb, Z3_mk_pble(pb->z3, (unsigned)n, pb->arg, weight, most));
}

/* The thread that watches the stop while Z3 works. */
struct watch {
	Z3_context z3;
	const struct pl_stop *stop;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool done;
};

#define LOOK_NS 10000000

/* Interrupts Z3 until it has ended: an interrupt before it begins has no effect. */
static void *watch(void *arg)
{
	struct watch *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!w->done) {
		struct timespec t;

		if (pl_stop_now(w->stop))
			Z3_interrupt(w->z3);
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += LOOK_NS;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&w->over, &w->lock, &t);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static int check(struct pl_pb *pb, const struct pl_stop *stop, Z3_lbool *found, struct pl_err *err)
{
	struct watch w = {.z3 = pb->z3, .stop = stop};
	pthread_t thread;
	int rc = 0;

	if (!stop) {
		*found = Z3_solver_check(pb->z3, pb->solver);
		return 0;
	}
	pthread_mutex_init(&w.lock, NULL);
	pthread_cond_init(&w.over, NULL);
	if (pthread_create(&thread, NULL, watch, &w)) {
		rc = pl_err_set(err, PL_ESYSTEM, "cannot start a thread");
	} else {
		*found = Z3_solver_check(pb->z3, pb->solver);
		pthread_mutex_lock(&w.lock);
		w.done = true;
		pthread_cond_signal(&w.over);
		pthread_mutex_unlock(&w.lock);
		pthread_join(thread, NULL);
	}
	pthread_mutex_destroy(&w.lock);
	pthread_cond_destroy(&w.over);
	return rc;
}

/* Z3's own handler of SIGINT would keep the signal from ours. */
static void set_limits(struct pl_pb *pb, uint64_t work)
{
	const unsigned limit = work > UINT32_MAX ? UINT32_MAX : (unsigned)work;
	Z3_params p = Z3_mk_params(pb->z3);

	Z3_params_inc_ref(pb->z3, p);
	Z3_params_set_bool(pb->z3, p, Z3_mk_string_symbol(pb->z3, "ctrl_c"), false);
	Z3_params_set_uint(pb->z3, p, Z3_mk_string_symbol(pb->z3, "rlimit"), limit);
	Z3_solver_set_params(pb->z3, pb->solver, p);
	Z3_params_dec_ref(pb->z3, p);
}

/* Z3's count of its work, which goes on from check to check. */
static uint64_t work_done(struct pl_pb *pb)
{
	Z3_stats stats = Z3_solver_get_statistics(pb->z3, pb->solver);
	uint64_t done = pb->work;

	if (!stats)
		return done;
	Z3_stats_inc_ref(pb->z3, stats);
	for (unsigned i = 0; i < Z3_stats_size(pb->z3, stats); i++)
		if (!strcmp(Z3_stats_get_key(pb->z3, stats, i), "rlimit count"))
			done = Z3_stats_get_uint_value(pb->z3, stats, i);
	Z3_stats_dec_ref(pb->z3, stats);
	return done;
}

static void count_work(struct pl_pb *pb, uint64_t *work)
{
	const uint64_t done = work_done(pb);
	const uint64_t spent = done > pb->work ? done - pb->work : 1;

	pb->work = done;
	if (*work > 0) /* 0: without a limit */
		*work = spent < *work ? *work - spent : 1;
}

static void take_model(struct pl_pb *pb)
{
	Z3_model model = Z3_solver_get_model(pb->z3, pb->solver);

	if (model)
		Z3_model_inc_ref(pb->z3, model);
	if (pb->model)
		Z3_model_dec_ref(pb->z3, pb->model);
	pb->model = model;
}

int pl_pb_solve(struct pl_pb *pb, const struct pl_stop *stop, uint64_t *work,
		enum pl_pb_answer *answer, struct pl_err *err)
{
	Z3_lbool found = Z3_L_UNDEF;

	*answer = PL_PB_UNKNOWN;
	if (pb->no_memory)
		return pl_err_nomem(err);
	set_limits(pb, *work);
	keep_fault(pb);
	if (pb->fault == Z3_OK && check(pb, stop, &found, err))
		return -1;
	if (!pl_stop_now(stop))
		keep_fault(pb);
	count_work(pb, work);
	if (found == Z3_L_TRUE)
		take_model(pb);
	if (pb->fault != Z3_OK)
		return pl_err_set(err, PL_ESYSTEM, "Z3: %s", Z3_get_error_msg(pb->z3, pb->fault));
	*answer = found == Z3_L_TRUE && pb->model ? PL_PB_YES
		  : found == Z3_L_FALSE           ? PL_PB_NO
						  : PL_PB_UNKNOWN;
	return 0;
}

bool pl_pb_true(struct pl_pb *pb, int var)
{
	Z3_ast value;

	return Z3_model_eval(pb->z3, pb->model, pb->var[var - 1], true, &value) &&
	       Z3_get_bool_value(pb->z3, value) == Z3_L_TRUE;
}
