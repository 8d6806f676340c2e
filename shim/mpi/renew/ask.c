/* SPDX-License-Identifier: BSD-3-Clause */
/* ask.c - plink-order, as a process beside the job, is asked for an order */
/*
 * A shell starts it in the background and ends at once, so that the program has
 * no child for long: a program that waits for its own children should not find
 * another one. What hangs is ended after 5 minutes, also if the job has gone.
 */
#include "config.h"

#include "shim/mpi/renew/renew.h"

#include "base/mem.h"
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define COMMAND                                                                                    \
	"exec 3<&0; "                                                                              \
	"{ timeout -k 5 300 nice -n 19 sh -c \"$@\"; echo \"status $?\"; } &"
#define WORDS_MAX 16

/* The round trips as a plink-matrix(5), and what follows it. */
static int write_matrix(FILE *to, const struct pl_renew_question *q)
{
	const struct pl_host *host = q->hosts->v;
	const size_t n = q->hosts->n, *at = q->host_at;

	fputs("# plink-matrix 1\n# quantity rtt\n# unit ns\n", to);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "# host %s slots=%d\n", host[at[i]].name, host[at[i]].slots);
	for (size_t i = 0; i < n; i++) {
		fputs(host[at[i]].name, to);
		for (size_t j = 0; j < n; j++)
			fprintf(to, " %.0f", q->rtt_ns[at[i] * n + at[j]]);
		fputc('\n', to);
	}
	if (q->write_more && q->write_more(to))
		return -1;
	return fflush(to);
}

/* A file without a name that is ready to be read, or -1. */
static int matrix_file(const struct pl_renew_question *q)
{
	const int fd = memfd_create("plink-matrix", MFD_CLOEXEC);
	FILE *to = fd < 0 ? NULL : fdopen(dup(fd), "w");
	int rc = to ? write_matrix(to, q) : -1;

	if (to)
		rc |= fclose(to);
	if (rc == 0 && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Without what makes a program a process of the job. */
static char **environment(void)
{
	static const char *const without[] = {"LD_PRELOAD=", "PLINK_", "OMPI_", "PMIX_", "PMI_"};
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = pl_array_create(n + 1, sizeof(*env));
	for (size_t i = 0; env && i < n; i++) {
		bool keep = true;

		for (size_t k = 0; k < sizeof(without) / sizeof(*without); k++)
			keep = keep && strncmp(environ[i], without[k], strlen(without[k])) != 0;
		if (keep)
			env[kept++] = environ[i];
	}
	return env;
}

static int start(const struct pl_renew_question *q, int in, int out)
{
	char *argv[WORDS_MAX + 6] = {"sh", "-c", COMMAND, "sh", (char *)q->script, "sh"};
	char **env = environment();
	struct pl_spawn s = {.argv = argv,
			     .env = env,
			     .fd = {in, out, PL_SPAWN_NULL},
			     .own_group = true,
			     .alone = true};
	pid_t pid;
	int rc;

	if (!env)
		return ENOMEM;
	for (size_t i = 0; i < WORDS_MAX - 1 && q->words[i]; i++)
		argv[6 + i] = q->words[i];
	rc = pl_spawn(&s, &pid);
	free(env);
	if (rc)
		return rc;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

int pl_renew_ask(struct pl_renew_asked *asked, const struct pl_renew_question *question,
		 struct pl_err *err)
{
	const int matrix = matrix_file(question);
	int out[2], rc;

	if (matrix < 0)
		return pl_err_errno(err, "a file in memory");
	if (pipe2(out, O_CLOEXEC)) {
		close(matrix);
		return pl_err_errno(err, "a pipe");
	}
	rc = start(question, matrix, out[1]);
	close(matrix);
	close(out[1]);
	if (rc == 0) {
		fcntl(out[0], F_SETFL, O_NONBLOCK);
		asked->fd = out[0];
		asked->got = 0;
		return 0;
	}
	close(out[0]);
	errno = rc;
	return pl_err_errno(err, "sh");
}

/* By the line with which the shell says how plink-order has ended, the last
 * one, which is cut off. */
static int check_status(struct pl_renew_asked *asked, struct pl_err *err)
{
	static const char word[] = "status ";
	char *last = asked->text, *status;

	if (asked->got > 0 && last[asked->got - 1] == '\n')
		last[asked->got - 1] = '\0';
	status = strrchr(last, '\n');
	status = status ? status + 1 : last;
	if (strncmp(status, word, strlen(word)) != 0)
		return pl_err_set(err, PL_ESYSTEM, "it was ended");
	*status = '\0';
	status += strlen(word);
	if (strcmp(status, "0") == 0)
		return 0;
	if (strcmp(status, "127") == 0)
		return pl_err_set(err, PL_ESYSTEM, "it is not in the PATH of rank 0");
	return pl_err_set(err, PL_ESYSTEM, "it ends with status %.16s", status);
}

void pl_renew_asked_fini(struct pl_renew_asked *asked)
{
	if (asked->fd >= 0)
		close(asked->fd);
	free(asked->text);
	asked->fd = -1;
	asked->text = NULL;
	asked->got = asked->room = 0;
}

/* 1: more has come; 0: nothing yet; -1: all has, or it fails, or it is more
 * than @most. */
static int read_more(struct pl_renew_asked *asked, size_t most)
{
	void *text = asked->text;
	ssize_t n;

	if (asked->got > most || pl_array_grow(&text, &asked->room, asked->got + 1, 1))
		return -1;
	asked->text = text;
	n = read(asked->fd, asked->text + asked->got, asked->room - asked->got - 1);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	asked->got += (size_t)n;
	return 1;
}

int pl_renew_read(struct pl_renew_asked *asked, size_t most, struct pl_err *err)
{
	int rc;

	while ((rc = read_more(asked, most)) > 0)
		;
	if (rc == 0)
		return 0;
	close(asked->fd);
	asked->fd = -1;
	if (!asked->text)
		return pl_err_nomem(err);
	asked->text[asked->got] = '\0';
	return check_status(asked, err) ? -1 : 1;
}
