/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - which all-reduces run by schedules, and the blocking ones */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "engine/reduce.h"
#include "shim/mpi/shadow/pick.h"
#include "shim/say.h"

#include <pthread.h>

/* The bytes of an element in memory, gaps in and behind it included; 0 for
 * types that the mode does not take: only predefined ones are sure to have
 * their first byte at the buffer's. */
static size_t element_bytes(MPI_Datatype type)
{
	int n_ints, n_addresses, n_types, combiner;
	MPI_Aint low, extent;

	PMPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types,
			       &combiner);
	if (combiner != MPI_COMBINER_NAMED)
		return 0;
	PMPI_Type_get_extent(type, &low, &extent);
	return low == 0 && extent > 0 ? (size_t)extent : 0;
}

void pl_engine_mode_say_aside(const char *what)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static const char *said[8];
	size_t i = 0;

	if (!pl_engine_mode.verbose || pl_engine_mode.rank != 0)
		return;
	pthread_mutex_lock(&lock);
	while (i < 8 && said[i] && said[i] != what)
		i++;
	if (i < 8 && !said[i]) {
		said[i] = what;
		pl_shim_say("all-reduces %s run without a schedule", what);
	}
	pthread_mutex_unlock(&lock);
}

/* Will the call fail in this process alone, for its buffers? */
static bool has_wrong_buffers(const struct pl_engine_mode_call *call)
{
	if (!call->in || !call->out || call->out == MPI_IN_PLACE)
		return true;
	return call->in == call->out && call->count > 1 &&
	       pl_shadow_refuses_one_buffer();
}

/* Can the engine number the chunks? No slice has more than one that is not
 * full; schedules that are tuned have up to twice as many slices. */
static bool are_chunks_few(const struct pl_schedule *s,
			   const struct pl_engine_mode_call *call, size_t bytes)
{
	const size_t in_chunk =
		s->chunk_bytes < bytes ? 1 : s->chunk_bytes / bytes;

	return (uint64_t)call->count / in_chunk + 2 * s->slices.n <
	       PL_LANE_CHUNKS_MAX;
}

/* The schedule that a call runs by, if it may be taken: by its arguments, which
 * are the same on all processes. */
static const struct pl_schedule *find(const struct pl_engine_mode_call *call)
{
	const struct pl_shadow_call asked = {.comm = call->comm,
					     .kind = PL_SHADOW_ALLREDUCE,
					     .may = PL_SHADOW_MAKE,
					     .root = -1,
					     .count = call->count,
					     .type = call->type,
					     .op = call->op};
	const struct pl_schedule *s;
	size_t bytes;

	if (call->count <= 0 || has_wrong_buffers(call))
		return NULL;
	s = pl_schedules_find(&pl_engine_mode.schedules,
			      pl_shadow_bytes(call->count, call->type));
	if (!s || !pl_shadow_is_sound(&asked))
		return NULL;
	if (!pl_shadow_may_reorder(call->op)) {
		pl_engine_mode_say_aside("by operations that do not commute");
		return NULL;
	}
	bytes = element_bytes(call->type);
	if (bytes == 0)
		pl_engine_mode_say_aside("of types that are not predefined");
	else if (are_chunks_few(s, call, bytes))
		return s;
	return NULL;
}

/* The library's own operations, which run in any thread. */
static bool is_predefined(MPI_Op op)
{
	return op == MPI_SUM || op == MPI_MAX || op == MPI_MIN ||
	       op == MPI_PROD || op == MPI_LAND || op == MPI_BAND ||
	       op == MPI_LOR || op == MPI_BOR || op == MPI_LXOR ||
	       op == MPI_BXOR || op == MPI_MINLOC || op == MPI_MAXLOC;
}

const struct pl_schedule *
pl_engine_mode_schedule(const struct pl_engine_mode_call *call, bool blocks)
{
	const struct pl_schedule *s = find(call);

	if (!s || blocks || is_predefined(call->op))
		return s;
	pl_engine_mode_say_aside("by the program's own operations that do not "
				 "block");
	return NULL;
}

/* The engine's own adder; its add is NULL where the library's is taken: for
 * rare types, and where both need not agree on what is not a number. */
static struct pl_adder own_adder(MPI_Datatype type, MPI_Op op)
{
	const struct {
		MPI_Datatype of;
		enum pl_reduce_type type;
	} types[] = {{MPI_INT, PL_REDUCE_INT32},
		     {MPI_UNSIGNED, PL_REDUCE_UINT32},
		     {MPI_LONG, PL_REDUCE_INT64},
		     {MPI_UNSIGNED_LONG, PL_REDUCE_UINT64},
		     {MPI_LONG_LONG, PL_REDUCE_INT64},
		     {MPI_FLOAT, PL_REDUCE_FLOAT},
		     {MPI_DOUBLE, PL_REDUCE_DOUBLE}};
	const struct {
		MPI_Op of;
		enum pl_reduce_op op;
	} ops[] = {{MPI_SUM, PL_REDUCE_SUM},   {MPI_PROD, PL_REDUCE_PRODUCT},
		   {MPI_MIN, PL_REDUCE_MIN},   {MPI_MAX, PL_REDUCE_MAX},
		   {MPI_BAND, PL_REDUCE_BAND}, {MPI_BOR, PL_REDUCE_BOR},
		   {MPI_BXOR, PL_REDUCE_BXOR}};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (size_t k = 0; k < sizeof(ops) / sizeof(ops[0]); k++) {
			const bool is_float = types[i].type >= PL_REDUCE_FLOAT;

			if (types[i].of == type && ops[k].of == op &&
			    (!is_float || ops[k].op <= PL_REDUCE_PRODUCT))
				return pl_reduce_adder(types[i].type,
						       ops[k].op);
		}
	return (struct pl_adder){0};
}

/*
 * In the background this is called in a thread that the library may know
 * nothing of. With predefined types and operations the function has nothing but
 * its buffers, in both libraries.
 */
static void add(void *sum, const void *more, size_t n, void *with)
{
	const struct pl_engine_local *l = with;

	PL_MPI_NEXT(PMPI_Reduce_local)(more, sum, (int)n, l->type, l->op);
}

void pl_engine_mode_task(struct pl_engine_task *task,
			 struct pl_engine_local *local,
			 const struct pl_engine_mode_call *call,
			 const struct pl_schedule *s)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_adder adder = own_adder(call->type, call->op);

	if (!adder.add)
		adder = (struct pl_adder){add, local,
					  element_bytes(call->type)};
	*local = (struct pl_engine_local){call->type, call->op};
	*task = (struct pl_engine_task){
		.schedule = (size_t)(s - m->schedules.schedule),
		.in = call->in == MPI_IN_PLACE ? NULL : call->in,
		.call = {.buffer = call->out,
			 .count = (size_t)call->count,
			 .adder = adder}};
}

int pl_engine_mode_raise(MPI_Comm comm, const struct pl_err *err)
{
	pl_shim_say_err(err, "the all-reduce fails");
	PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
	return MPI_ERR_OTHER;
}

bool pl_engine_mode_runs(const struct pl_engine_mode_call *call, int *rc)
{
	const struct pl_schedule *s = pl_engine_mode_schedule(call, true);
	struct pl_engine_queue *q =
		s ? pl_engine_mode_queue_of(call->comm, true) : NULL;
	struct pl_engine_local local;
	struct pl_engine_task task;

	if (!q)
		return false;
	pl_engine_mode_task(&task, &local, call, s);
	*rc = MPI_SUCCESS;
	if (pl_engine_queue_run(q, &task, pl_engine_mode_let_library_work,
				NULL))
		*rc = pl_engine_mode_raise(call->comm, &task.err);
	return true;
}
