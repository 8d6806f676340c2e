/* SPDX-License-Identifier: BSD-3-Clause */
/* renew.c - when the processes meet, and what they do then */
#include "config.h"

#include "shim/mpi/renew/renew.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text/size.h"
#include "shim/mpi/refuse.h"
#include "shim/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL_MAX_S 1e6
/* Meetings in an interval: what rank 0 wants to happen waits for the next. */
#define MEETINGS 8
/* A meeting takes as long as one call: they are no rarer than this. */
#define CALLS_MAX 1000
/* More than any answer has. */
#define ANSWER_MAX ((size_t)64 << 20)
/* What lets the job make fewer calls a second than this share of those before
 * is given up. */
#define KEPT_SPEED 0.9
/* The share of the time that measurements may take, and that the meetings may
 * take besides. */
#define SHARE_MAX 0.01

uint64_t pl_renew_left;

/* What rank 0 tells all at a meeting. */
enum what { NOTHING, MEASURE, TAKE, END };
struct agreed {
	uint64_t calls; /* until the next meeting */
	uint64_t what;
};

/* The same on all processes, but for @mine. */
static struct {
	const struct pl_renew_mode *mode;
	MPI_Comm comm; /* the world's processes */
	int rank, n_ranks;
	int *leader; /* [n] the first rank of each host */
	size_t n;    /* hosts */
	size_t mine; /* the host whose first process this is; SIZE_MAX */
	/* [n] of measurements: one that has no memory then would have the
	 * others wait */
	double *row;
	int *number; /* [mode->n]: in use */
	unsigned n_taken;
} job = {.comm = MPI_COMM_NULL};

/* Of rank 0. */
static struct {
	bool verbose;
	double interval_s;
	int64_t met_ns;      /* the last meeting */
	int64_t measured_ns; /* the last measurement */
	double measuring_s;  /* which took so long */
	double meeting_s;    /* what a meeting takes by those round trips */
	uint64_t calls;      /* from the last meeting to this */
	/* calls since the last measurement, or since a change; how many a
	 * second before that; 0: no change is to be judged */
	uint64_t n_calls;
	int64_t since_ns;
	double before;
	int *previous; /* [mode->n]: in use before */
	struct pl_renew_asked asked;
	int *proposed; /* [mode->n]: of the last answer */
	bool has_proposed;
	bool fails; /* plink-order cannot be asked */
} first = {.asked = {.fd = -1}};

static void *make_array(size_t n, size_t size)
{
	void *array = pl_array_create(n, size);

	if (!array)
		pl_mpi_no_memory();
	return array;
}

static int *copy_numbers(int *to, const int *from)
{
	memcpy(to, from, job.mode->n * sizeof(*to));
	return to;
}

static int *make_numbers(const int *from)
{
	return copy_numbers(make_array(job.mode->n, sizeof(int)), from);
}

/* Seconds between two measurements as rank 0 has it; 0: none are wanted. */
static double wanted_s(void)
{
	const char *s = getenv("PLINK_REORDER");
	double ns = 0;

	if (!s || !*s || strcmp(s, "0") == 0)
		return 0;
	if (!pl_time_parse(s, 1e9, &ns) && ns >= 1e9 && ns <= INTERVAL_MAX_S * 1e9)
		return ns * 1e-9;
	pl_shim_say("PLINK_REORDER must be a time from 1s on, as 60 or 5m, not "
		    "\"%s\": the %s stays",
		    s, job.mode->what);
	return 0;
}

/* false: a host of the plan has no process. */
static bool find_leaders(const int *host_of)
{
	size_t n_found = 0;

	job.leader = make_array(job.n, sizeof(*job.leader));
	for (size_t host = 0; host < job.n; host++)
		job.leader[host] = -1;
	for (int rank = 0; rank < job.n_ranks; rank++) {
		if (job.leader[host_of[rank]] >= 0)
			continue;
		job.leader[host_of[rank]] = rank;
		n_found++;
		if (rank == job.rank)
			job.mine = (size_t)host_of[rank];
	}
	return n_found == job.n;
}

/* Says why, or begins. */
static bool begin(const int *host_of, const int *number, const char *why_not)
{
	if (!why_not && job.n < 3)
		why_not = "there are fewer than three hosts";
	if (!why_not && !find_leaders(host_of))
		why_not = "hosts of the plan have no process";
	if (why_not) {
		if (job.rank == 0)
			pl_shim_say("PLINK_REORDER: %s: the %s stays", why_not, job.mode->what);
		free(job.leader);
		job.leader = NULL;
		return false;
	}
	PL_MPI_NEXT(PMPI_Comm_dup)(MPI_COMM_WORLD, &job.comm);
	/* what goes wrong here ends the meetings, not the program */
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(job.comm, MPI_ERRORS_RETURN);
	job.number = make_numbers(number);
	job.row = make_array(job.n, sizeof(*job.row));
	if (job.rank == 0) {
		first.proposed = make_numbers(number);
		first.previous = make_numbers(number);
	}
	return true;
}

bool pl_renew_begin(const struct pl_renew_mode *mode, const int *host_of, const int *number,
		    const char *why_not, bool verbose)
{
	double s = 0;

	job.mode = mode;
	PMPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &job.n_ranks);
	if (job.rank == 0)
		s = wanted_s();
	PL_MPI_NEXT(PMPI_Bcast)(&s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (!(s > 0))
		return false;
	job.n = mode->hosts->n;
	job.mine = SIZE_MAX;
	if (!begin(host_of, number, why_not))
		return false;
	first.verbose = verbose;
	first.interval_s = s;
	first.met_ns = first.measured_ns = first.since_ns = pl_clock_ns();
	first.calls = 1;
	pl_renew_left = 1;
	return true;
}

void pl_renew_end(void)
{
	pl_renew_left = 0;
	if (job.comm != MPI_COMM_NULL)
		PL_MPI_NEXT(PMPI_Comm_free)(&job.comm);
	pl_renew_asked_fini(&first.asked);
	free(first.proposed);
	free(first.previous);
	free(job.leader);
	free(job.number);
	free(job.row);
	first.proposed = first.previous = job.leader = job.number = NULL;
	job.row = NULL;
}

/* Says what is taken, as far as there is room. */
static void say_taken(void)
{
	const char *what = job.mode->what;
	char text[1024];

	job.mode->describe(job.number, text, sizeof(text));
	if (first.before > 0)
		pl_shim_say("PLINK_REORDER: another %s is predicted to be "
			    "at least %d %% faster by now, and is taken:%s",
			    what, PL_RENEW_GAIN, text);
	else
		pl_shim_say("PLINK_REORDER: the job was faster in the %s "
			    "before, which is taken again:%s",
			    what, text);
}

static double calls_per_s(int64_t now_ns)
{
	return (double)first.n_calls / fmax((double)(now_ns - first.since_ns) * 1e-9, 1e-9);
}

/* The calls are counted anew. */
static void count_from(int64_t now_ns)
{
	first.n_calls = 0;
	first.since_ns = now_ns;
}

/* The answer to first.proposed. */
static enum pl_renew_answer read_answer(struct pl_err *err)
{
	enum pl_renew_answer answer;

	copy_numbers(first.proposed, job.number);
	answer = job.mode->parse(first.asked.text, first.proposed);
	if (answer == PL_RENEW_FAILED)
		pl_err_set(err, PL_EINPUT, "its answer is no %s of the plan's hosts",
			   job.mode->what);
	return answer;
}

/* What has been answered: it is taken when a second measurement, made at once,
 * finds that there is something better, too. */
static enum what decide_answer(int64_t now_ns)
{
	enum pl_renew_answer answer = PL_RENEW_FAILED;
	struct pl_err err = {0};
	const int rc = pl_renew_read(&first.asked, ANSWER_MAX, &err);

	if (rc == 0)
		return NOTHING;
	if (rc > 0)
		answer = read_answer(&err);
	pl_renew_asked_fini(&first.asked);
	if (answer == PL_RENEW_FAILED) {
		pl_shim_say("PLINK_REORDER: plink-order finds no %s, as %s: "
			    "the %s stays",
			    job.mode->what, err.text, job.mode->what);
		return END;
	}
	if (answer == PL_RENEW_STAY || !first.has_proposed) {
		first.has_proposed = answer == PL_RENEW_TAKE;
		return first.has_proposed ? MEASURE : NOTHING;
	}
	first.has_proposed = false;
	first.before = calls_per_s(now_ns);
	return TAKE;
}

/* What was taken last has run for an interval: is the job slower? Then it is
 * given up, and the next measurements are twice as far apart. */
static bool is_worse(int64_t now_ns)
{
	const bool worse = calls_per_s(now_ns) < KEPT_SPEED * first.before;

	first.before = 0;
	if (!worse)
		return false;
	copy_numbers(first.proposed, first.previous);
	first.interval_s *= 2;
	return true;
}

static enum what decide(int64_t now_ns)
{
	const double measured_s = (double)(now_ns - first.measured_ns) * 1e-9;
	const double counted_s = (double)(now_ns - first.since_ns) * 1e-9;

	if (first.fails)
		return END;
	if (first.asked.fd >= 0)
		return decide_answer(now_ns);
	if (first.before > 0) {
		if (counted_s < first.interval_s || !is_worse(now_ns))
			return NOTHING;
		first.measured_ns = now_ns;
		return TAKE;
	}
	if (measured_s < fmax(first.interval_s, first.measuring_s / SHARE_MAX))
		return NOTHING;
	return MEASURE;
}

/* The next meeting, if calls come as often as before. */
static uint64_t calls_until_next(int64_t now_ns)
{
	const double took_s = fmax((double)(now_ns - first.met_ns) * 1e-9, 1e-9);
	const double apart_s = fmax(first.interval_s / MEETINGS, first.meeting_s / SHARE_MAX);
	const double calls = (double)first.calls * apart_s / took_s;

	/* no more than twice as many as before: the first ones may be fast */
	return (uint64_t)fmax(1, fmin(fmin(calls, CALLS_MAX), 2 * (double)first.calls));
}

/* A broadcast to @n processes along a tree. */
static double broadcast_s(const double *rtt_ns, int n)
{
	double longest = 0;

	for (size_t i = 0; i < job.n * job.n; i++)
		longest = fmax(longest, rtt_ns[i]);
	return ceil(log2(n)) * longest / 2 * 1e-9;
}

/* 0, or -1: the meetings end here. */
static int measure(void)
{
	const int64_t begin_ns = pl_clock_ns();
	double *rtt_ns = NULL;
	struct pl_err err = {0};
	int rc;

	if (job.mine == SIZE_MAX)
		return 0;
	if (job.rank == 0)
		rtt_ns = make_array(job.n * job.n, sizeof(*rtt_ns));
	rc = pl_renew_measure(job.comm, job.leader, job.n, job.mine, job.row, rtt_ns);
	if (rc == 0 && rtt_ns) {
		first.measured_ns = pl_clock_ns();
		first.measuring_s = (double)(first.measured_ns - begin_ns) * 1e-9;
		first.meeting_s = broadcast_s(rtt_ns, job.n_ranks);
		count_from(first.measured_ns);
		first.fails = job.mode->ask(&first.asked, rtt_ns, &err);
		if (first.fails)
			pl_shim_say_err(&err, "PLINK_REORDER: nothing changes");
	}
	free(rtt_ns);
	return rc;
}

/* Collective: calls on MPI_COMM_WORLD take what rank 0 has. 0, or -1: the
 * meetings end here. */
static int take(void)
{
	int *before = make_numbers(job.number), rc;

	if (job.rank == 0)
		copy_numbers(job.number, first.proposed);
	rc = PL_MPI_NEXT(PMPI_Bcast)(job.number, (int)job.mode->n, MPI_INT, 0, job.comm);
	job.n_taken++;
	if (rc == 0 && job.mode->take(job.comm, job.number)) {
		rc = -1;
		if (job.rank == 0)
			pl_shim_say("PLINK_REORDER: another %s cannot be made: "
				    "the %s stays",
				    job.mode->what, job.mode->what);
	} else if (rc == 0 && job.rank == 0) {
		copy_numbers(first.previous, before);
		count_from(pl_clock_ns());
		if (first.verbose)
			say_taken();
	}
	free(before);
	return rc;
}

void pl_renew_meet(void)
{
	struct agreed a = {0};
	int64_t now_ns;
	int rc;

	if (job.rank == 0) {
		now_ns = pl_clock_ns();
		first.n_calls += first.calls;
		a.what = decide(now_ns);
		a.calls = calls_until_next(now_ns);
		first.met_ns = now_ns;
		first.calls = a.calls;
	}
	rc = PL_MPI_NEXT(PMPI_Bcast)(&a, sizeof(a), MPI_BYTE, 0, job.comm);
	if (rc == 0 && a.what == MEASURE)
		rc = measure();
	if (rc == 0 && a.what == TAKE)
		rc = take();
	pl_renew_left = rc || a.what == END || job.n_taken == PL_RENEW_CHANGES ? 0 : a.calls;
}
