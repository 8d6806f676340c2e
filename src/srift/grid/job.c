/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - the job that measures: mpirun, and what its rank 0 prints */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/stop.h"
#include "src/common/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100
#define LINE_MAX_BYTES 4096
#define READS_AFTER_STOP 16
#define PORT_MIN 29500
#define PORTS 1000

/* The words of --mpirun, at blanks. */
static int add_launcher(struct pl_words *w, const char *s, struct pl_err *err)
{
	char *word, *copy = pl_string_copy(s, strlen(s)), *rest = copy;

	if (!copy)
		return pl_err_nomem(err);
	while ((word = strsep(&rest, " ")))
		if (*word)
			pl_words_add(w, word);
	free(copy);
	return w->failed ? pl_err_nomem(err) : 0;
}

/* "h0:1,h1:1" of the first hosts. */
static char *host_list(const struct srift_grid_job *job)
{
	char *list = NULL;
	size_t len;
	FILE *out = open_memstream(&list, &len);

	for (size_t i = 0; out && i < job->n_hosts; i++)
		fprintf(out, "%s%s:%d", i ? "," : "", job->hosts->v[i].name,
			job->hosts->v[i].slots);
	if (!out || fclose(out)) {
		free(list);
		return NULL;
	}
	return list;
}

/* Another one in the next run: a job whose tool was killed may still hold it.
 */
static uint64_t port_of(const struct srift_grid_options *o)
{
	return o->port ? o->port : PORT_MIN + (uint64_t)getpid() % PORTS;
}

static void add_program(struct pl_words *w, const struct srift_grid_job *job)
{
	const struct srift_grid_options *o = job->o;
	char s[512];

	pl_words_add(w, o->python);
	pl_words_add(w, o->program);
	pl_words_add_pair(w, "--backend", o->backend);
	snprintf(s, sizeof(s), "%s:%" PRIu64, job->hosts->v[0].name, port_of(o));
	pl_words_add_pair(w, "--master", s);
	for (size_t i = 0; i < job->n_cells; i++) {
		snprintf(s, sizeof(s), "%" PRIu64 ":%zu:%" PRIu64, job->cell[i].bytes,
			 job->cell[i].together, job->cell[i].times);
		pl_words_add(w, s);
	}
}

static int command(struct pl_words *w, const struct srift_grid_job *job, struct pl_err *err)
{
	struct pl_mpi mpi;
	char ranks[32], *hosts = host_list(job);

	if (!hosts)
		return pl_err_nomem(err);
	if (add_launcher(w, job->o->mpirun, err) ||
	    pl_mpi_detect(&mpi, w->v[0], job->stop->flag, err)) {
		free(hosts);
		return -1;
	}
	snprintf(ranks, sizeof(ranks), "%zu", job->ranks);
	pl_words_add(w, mpi.kind == PL_MPI_MPICH ? "-hosts" : "--host");
	pl_words_add(w, hosts);
	pl_words_add(w, "-n");
	pl_words_add(w, ranks);
	if (job->o->nccl_tests)
		srift_nccl_program(w, job);
	else
		add_program(w, job);
	free(hosts);
	if (mpi.kind == PL_MPI_NONE)
		return pl_err_set(err, PL_ESYSTEM, "%s is not installed", w->v[0]);
	return w->failed ? pl_err_nomem(err) : 0;
}

/* Lines as they come. */
struct reader {
	char line[LINE_MAX_BYTES];
	size_t len;
	bool skips; /* to the end of a line that has no room here */
};

/* Hands on the lines that are whole. 0, or -1: one was refused. */
static int hand_on(struct reader *r, const struct srift_grid_job *job, struct pl_err *err)
{
	char *end;
	int rc = 0;

	while (rc == 0 && (end = memchr(r->line, '\n', r->len))) {
		*end++ = '\0';
		if (!r->skips)
			rc = job->line(job->arg, r->line, err);
		r->skips = false;
		r->len -= (size_t)(end - r->line);
		memmove(r->line, end, r->len);
	}
	if (r->len == sizeof(r->line)) {
		r->skips = true;
		r->len = 0;
	}
	return rc;
}

/* 1: more may come; 0: nothing more is there, or will be; -1: a line was refused. */
static int read_lines(struct reader *r, int fd, const struct srift_grid_job *job,
		      struct pl_err *err)
{
	const ssize_t n = read(fd, r->line + r->len, sizeof(r->line) - r->len);

	if (n < 0 && errno == EINTR)
		return 1;
	if (n <= 0)
		return 0;
	r->len += (size_t)n;
	return hand_on(r, job, err) ? -1 : 1;
}

/* Until its output and it itself have ended: 0 and its status as of
 * waitpid(); or -1 with @err set, and it may still run. */
static int follow(pid_t pid, int fd, const struct srift_grid_job *job, int *status,
		  struct pl_err *err)
{
	struct reader r = {.len = 0};
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int more = 1, reads_left = READS_AFTER_STOP;

	while (more || waitpid(pid, status, WNOHANG) == 0) {
		const bool stop = pl_stop_now(job->stop);

		if (poll(&p, more ? 1 : 0, LOOK_MS) > 0)
			more = read_lines(&r, fd, job, err);
		if (more < 0)
			return -1;
		/* (what it has measured until now is taken) */
		if (stop && !(more && reads_left-- > 0 && poll(&p, 1, 0) > 0))
			return pl_err_set(err, PL_EPARTIAL, "stopped");
	}
	return 0;
}

static int run(struct pl_words *w, const struct srift_grid_job *job, struct pl_err *err)
{
	int fd[2], rc, status = 0;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return pl_err_errno(err, "cannot make a pipe");
	rc = pl_spawn(&(struct pl_spawn){.argv = w->v,
					 .fd = {PL_SPAWN_NULL, fd[1], PL_SPAWN_SAME},
					 .own_group = true},
		      &pid);
	close(fd[1]);
	if (rc) {
		close(fd[0]);
		errno = rc;
		return pl_err_errno(err, "cannot start %s", w->v[0]);
	}
	rc = follow(pid, fd[0], job, &status, err);
	close(fd[0]);
	if (rc) {
		pl_child_end(pid);
		return -1;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return pl_err_set(err, PL_ESYSTEM, "the job on %zu machines ended with status %d",
			  job->n_hosts,
			  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int srift_grid_run(const struct srift_grid_job *job, struct pl_err *err)
{
	struct pl_words w = {0};
	int rc = command(&w, job, err);

	if (rc == 0)
		rc = run(&w, job, err);
	pl_words_fini(&w);
	return rc;
}
