/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - the job that measures: mpirun, and what its rank 0 prints */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/clock.h"
#include "base/spawn.h"
#include "base/stop.h"
#include "base/text/words.h"
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
#define GRACE_NS INT64_C(5000000000)
#define LINE_MAX_BYTES 4096
#define PORT_MIN 29500
#define PORTS 1000

/* The words of --mpirun, at blanks. */
static void add_launcher(struct pl_words *w, const char *s)
{
	char word[1024];

	for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
		const size_t len = strcspn(s, " ");

		snprintf(word, sizeof(word), "%.*s", (int)len, s);
		pl_words_add(w, word);
		s += len;
	}
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
	const char *first = job->hosts->v[0].name;
	char s[512];

	pl_words_add(w, o->python);
	pl_words_add(w, o->program);
	pl_words_add_pair(w, "--backend", o->backend);
	snprintf(s, sizeof(s),
		 strchr(first, ':') ? "[%s]:%" PRIu64 : "%s:%" PRIu64, first,
		 port_of(o));
	pl_words_add_pair(w, "--master", s);
	for (size_t i = 0; i < job->n_cells; i++) {
		snprintf(s, sizeof(s), "%" PRIu64 ":%zu:%" PRIu64,
			 job->cell[i].bytes, job->cell[i].together,
			 job->cell[i].times);
		pl_words_add(w, s);
	}
}

static int command(struct pl_words *w, const struct srift_grid_job *job,
		   struct pl_err *err)
{
	struct pl_mpi mpi;
	char ranks[32], *hosts = host_list(job);

	add_launcher(w, job->o->mpirun);
	if (!hosts || w->failed || w->n == 0) {
		free(hosts);
		return pl_err_nomem(err);
	}
	if (pl_mpi_detect(&mpi, w->v[0], NULL, err)) {
		free(hosts);
		return -1;
	}
	snprintf(ranks, sizeof(ranks), "%zu", job->ranks);
	pl_words_add(w, mpi.kind == PL_MPI_MPICH ? "-hosts" : "--host");
	pl_words_add(w, hosts);
	pl_words_add(w, "-n");
	pl_words_add(w, ranks);
	add_program(w, job);
	free(hosts);
	if (mpi.kind == PL_MPI_NONE)
		return pl_err_set(err, PL_ESYSTEM, "%s is not installed",
				  w->v[0]);
	return w->failed ? pl_err_nomem(err) : 0;
}

/* Lines as they come. */
struct reader {
	char line[LINE_MAX_BYTES];
	size_t len;
};

/* Hands on the lines that are whole. 1: more may come; 0: the end; -1: a line
 * was refused. */
static int read_lines(struct reader *r, int fd,
		      const struct srift_grid_job *job, struct pl_err *err)
{
	const ssize_t n =
		read(fd, r->line + r->len, sizeof(r->line) - 1 - r->len);
	char *end;

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : 0;
	if (n == 0)
		return 0;
	r->len += (size_t)n;
	r->line[r->len] = '\0';
	while ((end = strchr(r->line, '\n'))) {
		*end++ = '\0';
		if (job->line(job->arg, r->line, err))
			return -1;
		r->len -= (size_t)(end - r->line);
		memmove(r->line, end, r->len + 1);
	}
	if (r->len == sizeof(r->line) - 1)
		r->len = 0; /* no line of ours is so long */
	return 1;
}

/* Ends the job: SIGTERM, later SIGKILL, to it and what it started here. */
static void end_job(pid_t pid)
{
	const int64_t since = pl_clock_ns();

	kill(-pid, SIGTERM);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		poll(NULL, 0, LOOK_MS);
		if (pl_clock_ns() - since > GRACE_NS)
			kill(-pid, SIGKILL);
	}
}

/* 0: its output has ended; -1 with @err set. */
static int follow(int fd, const struct srift_grid_job *job, struct pl_err *err)
{
	struct reader r = {.len = 0};
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int rc = 1;

	while (rc > 0) {
		if (pl_stop_now(job->stop))
			return pl_err_set(err, PL_EPARTIAL, "stopped");
		if (poll(&p, 1, LOOK_MS) > 0)
			rc = read_lines(&r, fd, job, err);
	}
	return rc;
}

static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(struct pl_words *w, const struct srift_grid_job *job,
	       struct pl_err *err)
{
	int fd[2], rc, status;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return pl_err_errno(err, "cannot make a pipe");
	rc = pl_spawn(
		&(struct pl_spawn){.argv = w->v,
				   .fd = {PL_SPAWN_NULL, fd[1], PL_SPAWN_SAME},
				   .own_group = true},
		&pid);
	close(fd[1]);
	if (rc) {
		close(fd[0]);
		errno = rc;
		return pl_err_errno(err, "cannot start %s", w->v[0]);
	}
	rc = follow(fd[0], job, err);
	close(fd[0]);
	if (rc) {
		end_job(pid);
		return -1;
	}
	status = status_of(pid);
	if (status)
		return pl_err_set(err, PL_ESYSTEM,
				  "the job on %zu machines ended with status "
				  "%d",
				  job->n_hosts, status);
	return 0;
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
