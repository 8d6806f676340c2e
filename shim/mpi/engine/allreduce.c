/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - which all-reduces run by schedules, and the blocking ones */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "engine/reduce.h"
#include "shim/mpi/shadow/pick.h"
#include "shim/say.h"

#include <pthread.h>

/* The bytes of an element in memory, gaps in and behind it included; 0 for types that the mode does
 * not take: only predefined ones are sure to have their first byte at the buffer's. */
static size_t element_bytes(MPI_Datatype type)
{
	int n_ints, n_addresses, n_types, combiner;
	MPI_Aint low, extent;

	PMPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types, &combiner);
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
	return call->in == call->out && call->count > 1 && pl_shadow_refuses_one_buffer();
}

/* Can the engine number the chunks? No slice has more than one that is not full; schedules that are
 * tuned have up to twice as many slices. */
static bool are_chunks_few(const struct pl_schedule *s, const struct pl_engine_mode_call *call,
			   size_t bytes)
{
	const size_t in_chunk = s->chunk_bytes < bytes ? 1 : s->chunk_bytes / bytes;

	return (uint64_t)call->count / in_chunk + 2 * s->slices.n < pl_engine_mode_chunks_max();
}

/* The schedule that a call runs by, if it may be taken: by its arguments, which are the same on all
 * processes. */
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
	s = pl_schedules_find(&pl_engine_mode.schedules, pl_shadow_bytes(call->count, call->type));
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

/* The types and operations that the engine has itself. */
static int own_type(MPI_Datatype type)
{
	const struct {
		MPI_Datatype of;
		enum pl_reduce_type type;
	} types[] = {
		{MPI_INT, PL_REDUCE_INT32},
		{MPI_UNSIGNED, PL_REDUCE_UINT32},
		{MPI_LONG, sizeof(long) == 8 ? PL_REDUCE_INT64 : PL_REDUCE_INT32},
		{MPI_UNSIGNED_LONG, sizeof(long) == 8 ? PL_REDUCE_UINT64 : PL_REDUCE_UINT32},
		{MPI_LONG_LONG, PL_REDUCE_INT64},
		{MPI_UNSIGNED_LONG_LONG, PL_REDUCE_UINT64},
		{MPI_SHORT, PL_REDUCE_INT16},
		{MPI_UNSIGNED_SHORT, PL_REDUCE_UINT16},
		{MPI_SIGNED_CHAR, PL_REDUCE_INT8},
		{MPI_UNSIGNED_CHAR, PL_REDUCE_UINT8},
		{MPI_INT8_T, PL_REDUCE_INT8},
		{MPI_UINT8_T, PL_REDUCE_UINT8},
		{MPI_INT16_T, PL_REDUCE_INT16},
		{MPI_UINT16_T, PL_REDUCE_UINT16},
		{MPI_INT32_T, PL_REDUCE_INT32},
		{MPI_UINT32_T, PL_REDUCE_UINT32},
		{MPI_INT64_T, PL_REDUCE_INT64},
		{MPI_UINT64_T, PL_REDUCE_UINT64},
		{MPI_FLOAT, PL_REDUCE_FLOAT},
		{MPI_DOUBLE, PL_REDUCE_DOUBLE},
		{MPI_AINT, PL_REDUCE_INT64},
		{MPI_OFFSET, PL_REDUCE_INT64},
		{MPI_COUNT, PL_REDUCE_INT64},
		{MPI_INTEGER, PL_REDUCE_INT32},
		{MPI_INTEGER1, PL_REDUCE_INT8},
		{MPI_INTEGER2, PL_REDUCE_INT16},
		{MPI_INTEGER4, PL_REDUCE_INT32},
		{MPI_INTEGER8, PL_REDUCE_INT64},
		{MPI_REAL, PL_REDUCE_FLOAT},
		{MPI_REAL4, PL_REDUCE_FLOAT},
		{MPI_REAL8, PL_REDUCE_DOUBLE},
		{MPI_DOUBLE_PRECISION, PL_REDUCE_DOUBLE},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].of == type)
			return (int)types[i].type;
	return -1;
}

static int own_op(MPI_Op op)
{
	const struct {
		MPI_Op of;
		enum pl_reduce_op op;
	} ops[] = {{MPI_SUM, PL_REDUCE_SUM},   {MPI_PROD, PL_REDUCE_PRODUCT},
		   {MPI_MIN, PL_REDUCE_MIN},   {MPI_MAX, PL_REDUCE_MAX},
		   {MPI_BAND, PL_REDUCE_BAND}, {MPI_BOR, PL_REDUCE_BOR},
		   {MPI_BXOR, PL_REDUCE_BXOR}};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i].of == op)
			return (int)ops[i].op;
	return -1;
}

/* The engine's own adder; its add is NULL if it has none. */
static struct pl_adder own_adder(MPI_Datatype type, MPI_Op op)
{
	const int t = own_type(type), o = own_op(op);
	struct pl_adder adder = {0};

	if (t >= 0 && o >= 0)
		adder = pl_reduce_adder((enum pl_reduce_type)t, (enum pl_reduce_op)o);
	/* Fortran's types may be made larger by its compiler's options */
	if (adder.element_bytes != element_bytes(type))
		adder.add = NULL;
	return adder;
}

const struct pl_schedule *pl_engine_mode_schedule(const struct pl_engine_mode_call *call,
						  bool blocks)
{
	const struct pl_schedule *s = find(call);

	if (!s || blocks)
		return s;
	if (pl_engine_mode.by_messages && !pl_engine_mode.has_threads) {
		pl_engine_mode_say_aside(
			"that do not block, in a program without MPI_THREAD_MULTIPLE,");
		return NULL;
	}
	if (own_adder(call->type, call->op).add)
		return s;
	pl_engine_mode_say_aside("that do not block, by other operations than sum, product, "
				 "minimum, maximum and those of bits, or not of numbers,");
	return NULL;
}

/* Only in the program's thread: Open MPI counts the users of an operation without atomics where
 * MPI_THREAD_MULTIPLE was not asked for. */
static void add(void *sum, const void *more, size_t n, void *with)
{
	const struct pl_engine_local *l = with;

	PL_MPI_NEXT(PMPI_Reduce_local)(more, sum, (int)n, l->type, l->op);
}

void pl_engine_mode_task(struct pl_engine_task *task, struct pl_engine_local *local,
			 const struct pl_engine_mode_call *call, const struct pl_schedule *s)
{
	const struct pl_engine_mode *m = &pl_engine_mode;
	struct pl_adder adder = own_adder(call->type, call->op);

	if (!adder.add)
		adder = (struct pl_adder){add, local, element_bytes(call->type)};
	*local = (struct pl_engine_local){call->type, call->op};
	*task = (struct pl_engine_task){
		.schedule = (size_t)(s - m->schedules.schedule),
		.in = call->in == MPI_IN_PLACE ? NULL : call->in,
		.call = {.buffer = call->out, .count = (size_t)call->count, .adder = adder}};
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
	struct pl_engine_queue *q = s ? pl_engine_mode_queue_of(call->comm, true) : NULL;
	struct pl_engine_local local;
	struct pl_engine_task task;

	if (!q)
		return false;
	pl_engine_mode_task(&task, &local, call, s);
	*rc = MPI_SUCCESS;
	if (pl_engine_queue_run(q, &task, pl_engine_mode_let_library_work, NULL))
		*rc = pl_engine_mode_raise(call->comm, &task.err);
	return true;
}
