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

#define COMMAND                                                                \
	"exec 3<&0; "                                                          \
	"{ timeout -k 5 300 nice -n 19 plink-order \"$@\" <&3; "               \
	"echo \"status $?\"; } &"

/* The round trips as a plink-matrix(5), its hosts in the order in use. */
static int write_matrix(FILE *to, const struct pl_plan *plan,
			const double *rtt_ns)
{
	const size_t *host_at = plan->order[0].host_at;
	const size_t n = plan->hosts.n;

	fputs("# plink-matrix 1\n# quantity rtt\n# unit ns\n", to);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "# host %s slots=%d\n",
			plan->hosts.v[host_at[i]].name,
			plan->hosts.v[host_at[i]].slots);
	for (size_t i = 0; i < n; i++) {
		fputs(plan->hosts.v[host_at[i]].name, to);
		for (size_t j = 0; j < n; j++)
			fprintf(to, " %.0f",
				rtt_ns[host_at[i] * n + host_at[j]]);
		fputc('\n', to);
	}
	return fflush(to);
}

/* A file without a name that is ready to be read, or -1. */
static int matrix_file(const struct pl_plan *plan, const double *rtt_ns)
{
	const int fd = memfd_create("plink-matrix", MFD_CLOEXEC);
	FILE *to = fd < 0 ? NULL : fdopen(dup(fd), "w");
	int rc = to ? write_matrix(to, plan, rtt_ns) : -1;

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
	static const char *const without[] = {"LD_PRELOAD=", "PLINK_", "OMPI_",
					      "PMIX_", "PMI_"};
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = pl_array_create(n + 1, sizeof(*env));
	for (size_t i = 0; env && i < n; i++) {
		bool keep = true;

		for (size_t k = 0; k < sizeof(without) / sizeof(*without); k++)
			keep = keep && strncmp(environ[i], without[k],
					       strlen(without[k])) != 0;
		if (keep)
			env[kept++] = environ[i];
	}
	return env;
}

static int start(const struct pl_order *order, int in, int out)
{
	char collective[300], impl[300], algorithm[300], gain[32];
	char *argv[] = {"sh",
			"-c",
			COMMAND,
			"sh",
			"-q",
			"--matrix=-",
			"--format=names",
			"--threads=1",
			gain,
			collective,
			impl,
			algorithm,
			NULL};
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
	snprintf(gain, sizeof(gain), "--min-gain=%d", PL_RENEW_GAIN);
	snprintf(collective, sizeof(collective), "--collective=%s",
		 order->collective);
	snprintf(impl, sizeof(impl), "--impl=%s", order->impl);
	snprintf(algorithm, sizeof(algorithm), "--algorithm=%s",
		 order->algorithm);
	rc = pl_spawn(&s, &pid);
	free(env);
	if (rc)
		return rc;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

int pl_renew_ask(struct pl_renew_asked *asked, const struct pl_plan *plan,
		 const double *rtt_ns, struct pl_err *err)
{
	const int matrix = matrix_file(plan, rtt_ns);
	int out[2], rc;

	if (matrix < 0)
		return pl_err_errno(err, "a file in memory");
	if (pipe2(out, O_CLOEXEC)) {
		close(matrix);
		return pl_err_errno(err, "a pipe");
	}
	rc = start(&plan->order[0], matrix, out[1]);
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

/* The line with which the shell says how plink-order has ended. */
static enum pl_renew_answer take_status(struct pl_renew_asked *asked,
					const char *status,
					enum pl_renew_answer answer)
{
	const char *what = "its answer is no order of the plan's hosts";
	char ended[64];

	if (strcmp(status, "0") == 0 && answer != PL_RENEW_FAILED)
		return answer;
	snprintf(ended, sizeof(ended), "it ends with status %.16s", status);
	if (strcmp(status, "127") == 0)
		what = "it is not in the PATH of rank 0";
	else if (strcmp(status, "0") != 0)
		what = ended;
	snprintf(asked->failed, sizeof(asked->failed), "%s", what);
	return PL_RENEW_FAILED;
}

/* The hosts of the answer, a line each, up to the line of the status. */
static enum pl_renew_answer parse(struct pl_renew_asked *asked,
				  const struct pl_plan *plan, size_t *host_at)
{
	const size_t n = plan->hosts.n;
	enum pl_renew_answer answer = PL_RENEW_STAY;
	char *rest;
	size_t k = 0;

	for (char *line = strtok_r(asked->text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		size_t host = 0;

		if (strncmp(line, "status ", 7) == 0)
			return take_status(asked, line + 7,
					   k == n ? answer : PL_RENEW_FAILED);
		while (host < n && strcmp(plan->hosts.v[host].name, line) != 0)
			host++;
		if (host == n || k == n)
			return take_status(asked, "0", PL_RENEW_FAILED);
		if (plan->order[0].host_at[k] != host)
			answer = PL_RENEW_ORDER;
		host_at[k++] = host;
	}
	return take_status(asked, "0", PL_RENEW_FAILED);
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

	if (asked->got > most ||
	    pl_array_grow(&text, &asked->room, asked->got + 1, 1))
		return -1;
	asked->text = text;
	n = read(asked->fd, asked->text + asked->got,
		 asked->room - asked->got - 1);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	asked->got += (size_t)n;
	return 1;
}

enum pl_renew_answer pl_renew_read(struct pl_renew_asked *asked,
				   const struct pl_plan *plan, size_t *host_at)
{
	const size_t most = 64 + plan->hosts.n * (PL_HOST_NAME_MAX + 1);
	enum pl_renew_answer answer = PL_RENEW_FAILED;
	int rc;

	while ((rc = read_more(asked, most)) > 0)
		;
	if (rc == 0)
		return PL_RENEW_NOT_YET;
	if (asked->text) {
		asked->text[asked->got] = '\0';
		answer = parse(asked, plan, host_at);
	}
	pl_renew_asked_fini(asked);
	return answer;
}
