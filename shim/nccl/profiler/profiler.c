/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler.c - the communicators of a process and their calls, as NCCL tells them */
#include "config.h"

#include "shim/nccl/profiler/profiler.h"

#include "base/text/number.h"
#include "shim/nccl/profiler/timed.h"
#include "shim/nccl/stats/own.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS 64

struct pl_profiled {
	struct pl_profiled *next; /* the one before it */
	bool is_known;            /* atomic: what follows is set, but sent */
	uint64_t id;
	int rank, n_ranks, n_nodes; /* 0: not known */
	char name[NAME_CHARS];
	unsigned int number;        /* in keys */
	struct pl_stats_sent *sent; /* [n_ranks] once something was; atomic */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct pl_profiled *known;                        /* by falling number; they stay */
static unsigned int n_known;
static size_t n_live;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_on, is_timed;

/* NCCL's names of functions, and of how they run; the last of each list is for those that plink
 * does not know. */
static const struct {
	const char *nccl, *name;
	bool of_all; /* its bytes are those of a block for each rank */
} functions[] = {
	{"AllReduce", "allreduce", false},
	{"Broadcast", "broadcast", false},
	{"Reduce", "reduce", false},
	{"AllGather", "allgather", false},
	{"ReduceScatter", "reduce-scatter", true},
	{"AlltoAll", "alltoall", true},
	{"Gather", "gather", false},
	{"Scatter", "scatter", false},
	{"Send", "send", false},
};
static const char *const algorithms[][2] = {
	{"RING", "ring"},
	{"TREE", "tree"},
	{"COLLNET_DIRECT", "collnet-direct"},
	{"COLLNET_CHAIN", "collnet-chain"},
	{"NVLS", "nvls"},
	{"NVLS_TREE", "nvls-tree"},
	{"PAT", "pat"},
	{"", "-"},
};
static const char *const protocols[][2] = {
	{"SIMPLE", "simple"}, {"LL", "ll"}, {"LL128", "ll128"}, {"", "-"}};

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define N_FUNCTIONS COUNT_OF(functions)
#define N_ALGORITHMS COUNT_OF(algorithms)
#define N_PROTOCOLS COUNT_OF(protocols)
#define SEND (N_FUNCTIONS - 1)

/* A call's number in a key has its function, algorithm and protocol. */
static struct pl_stats_call calls[N_FUNCTIONS * N_ALGORITHMS * N_PROTOCOLS];

static const char *algorithm_of(unsigned int number)
{
	return algorithms[number / N_PROTOCOLS % N_ALGORITHMS][1];
}

static const char *protocol_of(unsigned int number)
{
	return protocols[number % N_PROTOCOLS][1];
}

static size_t find_function(const char *nccl)
{
	size_t i = 0;

	while (i < N_FUNCTIONS && strcmp(functions[i].nccl, nccl) != 0)
		i++;
	return i;
}

/* The last one if there is no such name. */
static size_t find_word(const char *const word[][2], size_t n, const char *nccl)
{
	size_t i = 0;

	while (i + 1 < n && (!nccl || strcmp(word[i][0], nccl) != 0))
		i++;
	return i;
}

/* By the end of its name. NCCL calls ncclUint8 "Unknown". */
static uint64_t type_bytes(const char *type)
{
	const size_t len = strlen(type);
	const char *end = len > 2 ? type + len - 2 : "";

	if (strcmp(end, "64") == 0)
		return 8;
	if (strcmp(end, "32") == 0)
		return 4;
	return strcmp(end, "16") == 0 ? 2 : 1;
}

/* Sets the rank of this process in the job, and the job's size, if a launcher tells them, and of a
 * job with at least *n_ranks. */
static void ask_launcher(int *rank, int *n_ranks)
{
	static const char *const names[][2] = {{"RANK", "WORLD_SIZE"},
					       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
					       {"PMI_RANK", "PMI_SIZE"},
					       {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
	int64_t r, n;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const char *a = getenv(names[i][0]), *b = getenv(names[i][1]);

		if (!a || !b || pl_int_parse(b, strlen(b), 1, INT_MAX, &n) ||
		    pl_int_parse(a, strlen(a), 0, n - 1, &r) || n < *n_ranks)
			continue;
		*rank = (int)r;
		*n_ranks = (int)n;
		return;
	}
}

/* What is known of each communicator, by its number; stays as long as the process. NULL: out of
 * memory. Under the lock. */
static const struct pl_stats_membership *list_members(void)
{
	static struct pl_stats_membership *member;

	free(member);
	member = calloc(n_known + 1, sizeof(*member));
	for (const struct pl_profiled *p = known; member && p; p = p->next)
		member[p->number - 1] = (struct pl_stats_membership){
			.id = p->id,
			.rank = p->rank,
			.n_ranks = p->n_ranks,
			.n_nodes = p->n_nodes,
			.name = p->name,
			.sent = __atomic_load_n(&p->sent, __ATOMIC_ACQUIRE)};
	return member;
}

static void describe(struct pl_stats_job *job, int *rank)
{
	static const struct pl_stats_column added[] = {{"algorithm", algorithm_of},
						       {"protocol", protocol_of}};

	job->mode = "off";
	job->calls = calls;
	job->time = is_timed ? "gpu" : "none";
	job->added = added;
	job->n_added = COUNT_OF(added);
	*rank = -1;
	pthread_mutex_lock(&lock);
	job->member = list_members();
	job->n_members = job->member ? n_known : 0;
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; i < job->n_members; i++) {
		if (job->member[i].n_ranks <= job->n_ranks)
			continue;
		job->n_ranks = job->member[i].n_ranks;
		*rank = job->member[i].rank;
	}
	ask_launcher(rank, &job->n_ranks);
}

static void forget(void)
{
	pthread_mutex_init(&lock, NULL); /* who held it is not here */
	known = NULL;
	n_known = 0;
	n_live = 0;
}

/* libplink-nccl counts by itself, into the same file. */
static bool is_counted_otherwise(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "libplink-nccl");
}

static void start(void)
{
	static const struct pl_own own = {.describe = describe, .tick_s = 1e-9, .forget = forget};

	for (size_t i = 0; i < COUNT_OF(calls); i++)
		calls[i] = (struct pl_stats_call){functions[i / (N_ALGORITHMS * N_PROTOCOLS)].name,
						  "nonblocking"};
	is_timed = pl_shim_flag("PLINK_NCCL_TIMES");
	is_on = !is_counted_otherwise() && pl_own_start(&own);
}

struct pl_profiled *pl_profiled_add(const struct pl_profiled_comm *comm)
{
	struct pl_profiled *p;

	pthread_once(&once, start);
	p = is_on ? calloc(1, sizeof(*p)) : NULL;
	if (!p)
		return NULL;
	pthread_mutex_lock(&lock);
	n_live++;
	pthread_mutex_unlock(&lock);
	if (comm)
		pl_profiled_know(p, comm);
	else
		is_timed = false;
	return p;
}

/* Under the lock. */
static void learn(struct pl_profiled *p, const struct pl_profiled_comm *comm)
{
	p->id = comm->id;
	p->rank = comm->rank;
	p->n_ranks = comm->n_ranks;
	p->n_nodes = comm->n_nodes;
	strncpy(p->name, comm->name ? comm->name : "", sizeof(p->name) - 1);
	p->number = PL_STATS_GROUP_OTHER;
	if (n_known < PL_STATS_GROUPS_MAX) {
		p->number = ++n_known;
		p->next = known;
		known = p;
	}
	__atomic_store_n(&p->is_known, true, __ATOMIC_RELEASE);
}

void pl_profiled_know(struct pl_profiled *p, const struct pl_profiled_comm *comm)
{
	if (!p || __atomic_load_n(&p->is_known, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&lock);
	if (!p->is_known)
		learn(p, comm);
	pthread_mutex_unlock(&lock);
}

/* To each rank; NULL: out of memory. */
static struct pl_stats_sent *find_sent(struct pl_profiled *p)
{
	struct pl_stats_sent *sent = __atomic_load_n(&p->sent, __ATOMIC_ACQUIRE);
	struct pl_stats_sent *made;

	if (sent)
		return sent;
	made = calloc((size_t)p->n_ranks, sizeof(*made));
	if (!made || __atomic_compare_exchange_n(&p->sent, &sent, made, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE))
		return made;
	free(made);
	return sent;
}

static void count_sent(struct pl_profiled *p, int peer, uint64_t bytes)
{
	struct pl_stats_sent *sent;

	if (peer < 0 || peer >= p->n_ranks || p->number == PL_STATS_GROUP_OTHER)
		return;
	sent = find_sent(p);
	if (!sent)
		return;
	__atomic_fetch_add(&sent[peer].calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sent[peer].bytes, bytes, __ATOMIC_RELAXED);
}

struct pl_timed *pl_profiled_count(struct pl_profiled *p, const struct pl_profiled_call *call)
{
	const size_t f = find_function(call->func);
	const size_t a = find_word(algorithms, N_ALGORITHMS, call->algo);
	const size_t b = find_word(protocols, N_PROTOCOLS, call->proto);
	const size_t number = (f * N_ALGORITHMS + a) * N_PROTOCOLS + b;
	uint64_t bytes = (uint64_t)call->count * type_bytes(call->datatype);
	uint64_t key;

	if (!p || f == N_FUNCTIONS)
		return NULL;
	if (functions[f].of_all && p->n_ranks > 0)
		bytes *= (uint64_t)p->n_ranks;
	if (f == SEND)
		count_sent(p, call->peer, bytes);
	key = pl_stats_key((unsigned int)number, p->n_ranks, p->number, bytes);
	pl_stats_count(key, bytes, 0);
	return is_timed && call->n_channels > 0 ? pl_timed_begin(key, call->n_channels + 1) : NULL;
}

bool pl_profiled_is_timed(void)
{
	return is_timed;
}

void pl_profiled_end(struct pl_profiled *p)
{
	bool is_last;

	if (!p)
		return;
	pthread_mutex_lock(&lock);
	is_last = n_live > 0 && --n_live == 0;
	pthread_mutex_unlock(&lock);
	if (!p->is_known || p->number == PL_STATS_GROUP_OTHER)
		free(p);
	if (is_last)
		pl_own_leave();
}
