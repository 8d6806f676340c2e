/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-communicator.c - libplink's all-reduces among threads of one process */
#include "lib/plink.h"

#include "tests/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 4
#define COUNT 5000

static const char hosts[] = "# plink-schedule 1\n"
			    "host 0 h0 slots=4 addr=127.0.0.1\n";
static const char schedule[] = "schedule tree 16- chunk=4096 window=4\n"
			       "slice 1\n"
			       "round add 1>0 3>2\n"
			       "round add 2>0\n"
			       "round store 0>2 0>1\n"
			       "round store 2>3\n"
			       "slice 1\n"
			       "round add 0>3 1>3 2>3\n"
			       "round store 3>0 3>1 3>2\n";

static char path[] = "/tmp/plink-unit-XXXXXX";

/* What the threads of a job share. */
static struct {
	pthread_barrier_t all_are_here;
	unsigned char cards[N * 256];
} job;

struct member {
	size_t rank;
	bool gathers;
	bool leaves; /* before the second call */
	struct pl_communicator *c;
	struct pl_schedule_file *file;
	struct pl_error error;
	size_t n_wrong;
	pthread_t thread;
};

static void write_file(const char *head, const char *tail)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(head, f) < 0 || fputs(tail, f) < 0 || fclose(f))
		exit(99);
}

static int gather(void *with, const void *mine, size_t bytes, void *all, struct pl_error *error)
{
	const struct member *m = with;

	if (!m->gathers) {
		error->code = PL_ERROR_SYSTEM;
		snprintf(error->text, sizeof(error->text), "no way");
	}
	memcpy(job.cards + m->rank * bytes, mine, bytes);
	pthread_barrier_wait(&job.all_are_here);
	memcpy(all, job.cards, N * bytes);
	pthread_barrier_wait(&job.all_are_here);
	return m->gathers ? 0 : -1;
}

static void *join(void *arg)
{
	struct member *m = arg;

	m->c = pl_communicator_create(m->file, m->rank, gather, m, 5, &m->error);
	return NULL;
}

static void *add_doubles(void *arg)
{
	struct member *m = arg;
	double number[COUNT];

	for (int call = 0; call < 3; call++) {
		for (size_t i = 0; i < COUNT; i++)
			number[i] = (double)(i * (m->rank + 1));
		if (m->leaves && call == 1) {
			pl_communicator_destroy(m->c);
			m->c = NULL;
			return NULL;
		}
		if (pl_communicator_allreduce(m->c, number, COUNT, PL_ELEMENT_DOUBLE,
					      PL_REDUCTION_SUM, &m->error))
			return NULL;
		for (size_t i = 0; i < COUNT; i++)
			m->n_wrong += number[i] != 10.0 * (double)i;
	}
	return NULL;
}

/* One byte an element; 16 bytes are the fewest that have a schedule. */
static void *take_most(void *arg)
{
	struct member *m = arg;
	unsigned char number[16];

	for (size_t i = 0; i < sizeof(number); i++)
		number[i] = (unsigned char)(i == m->rank ? 200 : i);
	if (pl_communicator_allreduce(m->c, number, sizeof(number), PL_ELEMENT_UINT8,
				      PL_REDUCTION_MAX, &m->error))
		return NULL;
	for (size_t i = 0; i < sizeof(number); i++)
		m->n_wrong += number[i] != (i < N ? 200 : i);
	return NULL;
}

static void all(struct member *m, void *(*run)(void *))
{
	for (size_t r = 0; r < N; r++)
		if (pthread_create(&m[r].thread, NULL, run, &m[r]))
			exit(99);
	for (size_t r = 0; r < N; r++)
		pthread_join(m[r].thread, NULL);
}

/* All four connect, or what *m has for them goes wrong. */
static void begin(struct member *m)
{
	for (size_t r = 0; r < N; r++) {
		m[r].rank = r;
		if (!m[r].file)
			m[r].file = pl_schedule_file_read(path, NULL);
	}
	all(m, join);
}

static void end(struct member *m)
{
	for (size_t r = 0; r < N; r++) {
		pl_communicator_destroy(m[r].c);
		pl_schedule_file_destroy(m[r].file);
	}
}

static void test_file(void)
{
	struct pl_schedule_file *file;
	struct pl_error error;

	write_file(hosts, schedule);
	file = pl_schedule_file_read(path, &error);
	ok(file && pl_schedule_file_processes(file) == 4 && pl_schedule_file_has(file, 16) &&
		   !pl_schedule_file_has(file, 15),
	   "a file of schedules for four processes and 16 bytes or more");
	pl_schedule_file_destroy(file);
	write_file(hosts, "schedule tree 0- chunk=64 window=0\nslice 1\n"
			  "round add 1>0 2>0 3>0\nround store 0>1 0>2\n");
	ok(!pl_schedule_file_read(path, &error) && error.code == PL_ERROR_INPUT,
	   "one that forgets a process is refused");
	has_str(error.text, path, "and named");
	ok(!pl_schedule_file_read("/nowhere", NULL), "without a report, too");
	pl_schedule_file_destroy(NULL);
}

static void test_allreduce(void)
{
	struct member m[N] = {
		{.gathers = true}, {.gathers = true}, {.gathers = true}, {.gathers = true}};
	struct pl_error error;
	double number[8] = {0};

	begin(m);
	if (!ok(m[0].c && m[1].c && m[2].c && m[3].c, "all are connected"))
		return;
	all(m, add_doubles);
	ok(!m[0].n_wrong && !m[1].n_wrong && !m[2].n_wrong && !m[3].n_wrong && !m[0].error.code,
	   "sums of doubles, three times");
	all(m, take_most);
	ok(!m[0].n_wrong && !m[1].n_wrong && !m[2].n_wrong && !m[3].n_wrong && !m[0].error.code,
	   "maxima of bytes");
	ok(pl_communicator_allreduce(m[0].c, number, 1, PL_ELEMENT_DOUBLE, PL_REDUCTION_SUM,
				     &error) == -1 &&
		   error.code == PL_ERROR_USAGE,
	   "a size without a schedule is refused");
	ok(pl_communicator_allreduce(m[0].c, number, 8, PL_ELEMENT_DOUBLE, PL_REDUCTION_BOR,
				     &error) == -1 &&
		   error.code == PL_ERROR_USAGE,
	   "so are the bits of doubles");
	ok(pl_communicator_allreduce(m[0].c, number, 8, (enum pl_element)12, PL_REDUCTION_SUM,
				     NULL) == -1 &&
		   pl_element_bytes((enum pl_element)12) == 0 &&
		   pl_element_bytes(PL_ELEMENT_HALF) == 2,
	   "and an unknown type");
	m[2].leaves = true;
	all(m, add_doubles);
	ok(m[0].error.code == PL_ERROR_SYSTEM && m[1].error.code == PL_ERROR_SYSTEM &&
		   m[3].error.code == PL_ERROR_SYSTEM,
	   "one leaves: an error on all others");
	printf("# %s\n", m[0].error.text);
	ok(pl_communicator_allreduce(m[0].c, number, 8, PL_ELEMENT_DOUBLE, PL_REDUCTION_SUM,
				     &error) == -1 &&
		   strcmp(error.text, m[0].error.text) == 0,
	   "and the same again in the next call");
	end(m);
}

static void test_joining(void)
{
	struct member m[N] = {
		{.gathers = true}, {.gathers = true}, {.gathers = true}, {.gathers = true}};
	struct pl_communicator *c;
	struct pl_error error;

	m[3].gathers = false;
	begin(m);
	ok(!m[3].c && strcmp(m[3].error.text, "no way") == 0, "who cannot gather says why");
	ok(!m[0].c && m[0].error.code == PL_ERROR_SYSTEM, "and is missed by the others");
	c = pl_communicator_create(m[0].file, 4, gather, m, 5, &error);
	ok(!c && error.code == PL_ERROR_USAGE, "no rank 4 of 4");
	c = pl_communicator_create(m[0].file, 0, gather, m, 0, &error);
	ok(!c && error.code == PL_ERROR_USAGE, "no time at all");
	end(m);
}

static void test_other_schedule(void)
{
	struct member m[N] = {
		{.gathers = true}, {.gathers = true}, {.gathers = true}, {.gathers = true}};

	write_file(hosts, "schedule star 16- chunk=4096 window=4\nslice 1\n"
			  "round add 1>0 2>0 3>0\nround store 0>1 0>2 0>3\n");
	m[1].file = pl_schedule_file_read(path, NULL);
	write_file(hosts, schedule);
	begin(m);
	ok(!m[0].c && !m[1].c && !m[2].c && !m[3].c, "all refuse if one has read another file");
	has_str(m[2].error.text, "rank 1 has read other schedules", "by name");
	end(m);
}

static void test_host(void)
{
	struct member m[N] = {
		{.gathers = true}, {.gathers = true}, {.gathers = true}, {.gathers = true}};

	setenv("PLINK_HOST", "h7", 1);
	begin(m);
	has_str(m[0].error.text, "PLINK_HOST=h7", "no such host");
	end(m);
}

int main(void)
{
	const int fd = mkstemp(path);

	if (fd < 0 || close(fd) || setenv("PLINK_HOST", "h0", 1) ||
	    pthread_barrier_init(&job.all_are_here, NULL, N))
		return 99;
	test_file();
	write_file(hosts, schedule);
	test_allreduce();
	test_joining();
	test_other_schedule();
	test_host();
	unlink(path);
	return done_testing();
}
