/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-no-memory.c - a job of two ranks and a hub, a process each, one of which lacks memory once:
 * it fails, or all goes on, and nothing is released twice or not at all */
#include "config.h"

#include "base/socket.h"
#include "lib/plink.h"
#include "lib/service.h"
#include "src/hub/jobs.h"
#include "src/hub/serve.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 3000
#define TIMEOUT_S 20
#define FIRST_PORT 61000 /* above those that Linux gives to connections */
#define N_PORTS 4000
#define SECRET "the-secret"

/* What a process says as it ends. */
enum { IS_WRONG = 1, IS_REFUSED = 2, LEAKS = 4, FAILS = 8, IS_SILENT = 16 };

enum member { RANK_0, RANK_1, HUB, MEMBERS };

static char folder[] = "/tmp/plink-unit-XXXXXX";
static char ranks_at[64], hub_at[64];

/* An address whose port nobody has, nor gets for a connection of its own: one who dials such a port
 * before it is listened at may reach himself. */
static void find_port(char address[64])
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	static unsigned port;

	if (port == 0)
		port = (unsigned)getpid() * 601;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	do
		a.sin_port = htons((uint16_t)(FIRST_PORT + port++ % N_PORTS));
	while (bind(fd, (struct sockaddr *)&a, sizeof(a)));
	close(fd);
	snprintf(address, 64, "127.0.0.1:%d", ntohs(a.sin_port));
}

static int call_all(struct pl_communicator *c, size_t rank, struct pl_error *error)
{
	const struct pl_optimizer sgd = {
		.kind = PL_OPTIMIZER_SGD, .scale = 0.5, .rate = 1, .momentum = 0.5};
	const struct pl_optimizer adam = {.kind = PL_OPTIMIZER_ADAM,
					  .scale = 0.5,
					  .rate = 1,
					  .beta1 = 0.5,
					  .beta2 = 0.5,
					  .epsilon = 1};
	float v[COUNT] = {0};

	return pl_hub_put(c, 9, v, COUNT, error) || pl_hub_push(c, 9, v, COUNT, &sgd, error) ||
			       pl_hub_pull(c, 9, v, COUNT, error) ||
			       pl_hub_push_pull(c, 9, v, COUNT, &adam, error) ||
			       pl_hub_async(c, 1, error) ||
			       (rank == 0 && (pl_hub_async_push_pull(c, 9, v, COUNT, &sgd, error) ||
					      pl_hub_async_pull(c, 9, v, COUNT, error)))
		       ? -1
		       : 0;
}

static int be_rank(size_t rank, struct pl_error *error)
{
	const struct pl_meeting meeting = {ranks_at, SECRET};
	struct pl_schedule_file *file = pl_schedule_file_read("schedule", error);
	struct pl_communicator *c = NULL;
	int number[COUNT], rc = -1;

	if (file)
		c = pl_communicator_meet(file, rank, &meeting, TIMEOUT_S, error);
	for (int i = 0; i < COUNT; i++)
		number[i] = i + (int)rank;
	if (c)
		rc = pl_communicator_allreduce(c, number, COUNT, PL_ELEMENT_INT32, PL_REDUCTION_SUM,
					       error);
	for (int i = 0; rc == 0 && i < COUNT; i++)
		if (number[i] != 2 * i + 1)
			_exit(IS_WRONG);
	if (rc == 0)
		rc = call_all(c, rank, error);
	pl_communicator_destroy(c);
	pl_schedule_file_destroy(file);
	return rc;
}

/* As a hub of several jobs begins one. */
static int serve_job(const struct hub_options *o, int listener, struct hub_done *done,
		     struct pl_err *err)
{
	const int fd = accept(listener, NULL, NULL);
	unsigned char proof[PL_PROOF_BYTES];
	struct pl_service_hello h;
	struct pl_nonces nonces;

	if (recv(fd, &h, sizeof(h), MSG_WAITALL) != (ssize_t)sizeof(h) ||
	    !pl_service_challenge(fd, &h, SECRET, &nonces) ||
	    recv(fd, proof, sizeof(proof), MSG_WAITALL) != (ssize_t)sizeof(proof)) {
		close(fd);
		return pl_err_set(err, PL_ESYSTEM, "rank 0 has left");
	}
	return hub_serve_job(o, fd, &h, &nonces, SECRET, done, err);
}

static int be_hub(int listener, struct pl_error *error)
{
	const struct hub_options o = {.schedule = "schedule",
				      .meet = hub_at,
				      .secret = "secret",
				      .name = "h8",
				      .timeout_s = TIMEOUT_S,
				      .threads = 2};
	struct hub_done done = {.calls = 0};
	struct pl_err err = {0};
	const int rc =
		listener < 0 ? hub_serve(&o, &done, &err) : serve_job(&o, listener, &done, &err);

	snprintf(error->text, sizeof(error->text), "%s", err.text);
	return rc;
}

/* The whole life of a process, whose allocation @k is refused. */
static int live(enum member who, int listener, size_t k)
{
	struct pl_error error = {.text = ""};
	size_t left;
	int rc, status;

	alarm(3 * TIMEOUT_S); /* a hub waits for ranks that are gone */
	setenv("PLINK_HOST", who == RANK_0 ? "a" : "b", 1);
	failalloc_begin(k);
	rc = who == HUB ? be_hub(listener, &error) : be_rank((size_t)who, &error);
	status = failalloc_end(&left) ? IS_REFUSED : 0;
	/* (libc's buffers that are released here count below 0) */
	status |= (ssize_t)left > 0 ? LEAKS : 0;
	status |= rc ? FAILS : 0;
	status |= rc && !error.text[0] ? IS_SILENT : 0;
	if (rc && !(status & IS_REFUSED) && k < SIZE_MAX)
		fprintf(stderr, "# nothing was refused: %s\n", error.text);
	return status;
}

static pid_t begin(enum member who, int listener, size_t k)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(live(who, listener, k));
	return pid;
}

/* The job with one member whose allocation @k is refused: what it says, and IS_WRONG if a process
 * ends as none should. */
static int run(enum member lacks, bool hub_listens, size_t k)
{
	struct pl_err err;
	pid_t pid[MEMBERS];
	int listener = -1, status = 0, all = 0;

	find_port(ranks_at);
	find_port(hub_at);
	setenv(hub_listens ? "PLINK_HUBS" : "PLINK_HUB_MEET", hub_at, 1);
	unsetenv(hub_listens ? "PLINK_HUB_MEET" : "PLINK_HUBS");
	if (hub_listens)
		listener = pl_socket_listen(hub_at, &err);
	if (listener >= 0) /* accept() waits */
		fcntl(listener, F_SETFL, 0);
	for (enum member i = RANK_0; i < MEMBERS; i++)
		pid[i] = begin(i, listener, i == lacks ? k : SIZE_MAX);
	if (listener >= 0)
		close(listener);
	waitpid(pid[lacks], &status, 0);
	all = WIFEXITED(status) ? WEXITSTATUS(status) : IS_WRONG;
	for (enum member i = RANK_0; i < MEMBERS; i++) {
		if (i == lacks)
			continue;
		if (all & FAILS) /* the others may wait for it */
			kill(pid[i], SIGKILL);
		waitpid(pid[i], &status, 0);
		if (WIFEXITED(status) ? WEXITSTATUS(status) & ~FAILS : WTERMSIG(status) != SIGKILL)
			all |= IS_WRONG;
	}
	return all;
}

static void check(const char *what, enum member lacks, bool hub_listens)
{
	const int bad = IS_WRONG | LEAKS | IS_SILENT;
	int status = IS_REFUSED;
	size_t k = 0;

	while (status & IS_REFUSED && !(status & bad))
		status = run(lacks, hub_listens, k++);
	ok(k > 50 && status == 0, "%s: %zu allocations, each refused once%s", what, k - 1,
	   status & IS_WRONG    ? ": a process crashes, or has a wrong sum"
	   : status & LEAKS     ? ": memory is not released"
	   : status & IS_SILENT ? ": no reason"
	   : status             ? ": it fails, and nothing was refused"
				: "");
}

/* Files of secrets. */
static void check_jobs(void)
{
	bool refused = true;
	size_t k, left;
	int wrong = 0;

	for (k = 0; refused; k++) {
		struct pl_err err = {0};
		char *secret;

		failalloc_begin(k);
		secret = hub_jobs_secret("jobs", "job", &err);
		wrong += secret ? strcmp(secret, SECRET) != 0 : err.code != PL_ESYSTEM;
		free(secret);
		refused = failalloc_end(&left);
		wrong += (ssize_t)left > 0 || refused != (err.code != 0);
	}
	ok(k > 3 && wrong == 0, "jobs: %zu allocations, each refused once", k - 1);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(99);
}

int main(void)
{
	umask(077);
	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(folder) || chdir(folder))
		return 99;
	write_file("secret", SECRET "\n");
	write_file("jobs", "other 1\njob " SECRET "\n");
	write_file("schedule", "# plink-schedule 1\nhost 0 a addr=127.0.0.1\n"
			       "host 1 b addr=127.0.0.1\naggregator h8\nconnections 2\n"
			       "schedule hub 0- chunk=1024 window=2\n"
			       "slice 1\nround add 0>2 1>2\nround store 2>0 2>1\n");
	setenv("PLINK_HUB_SECRET", "secret", 1);
	setenv("PLINK_HUB_JOB", "job", 1);
	check("rank 0", RANK_0, false);
	check("rank 1", RANK_1, false);
	check("a hub", HUB, false);
	check("rank 0 that goes to a hub", RANK_0, true);
	check("a hub of several jobs", HUB, true);
	check_jobs();
	unlink("secret");
	unlink("jobs");
	unlink("schedule");
	rmdir(folder);
	return done_testing();
}
