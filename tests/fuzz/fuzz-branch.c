/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-branch.c - whatever a relay says to its coordinator, from its greeting
 * on */
#include "config.h"

#include "probes/run/branch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOSTS 5 /* two groups: the first one has the relay that speaks */
#define PIECE 4096
#define READS 9 /* of half a kilobyte at least, as long as it greets */
#define STEP_NS INT64_C(300000000)

static void message(void *arg, size_t host, const struct pl_msg *msg)
{
	const struct pl_msg rest = {.kind = PL_MSG_REST, .round = 1};
	struct pl_fleet *fleet = arg;

	/* a line of each ready host's is answered */
	if (!fleet->v[host].greeted || !fleet->v[host].ready || !msg->kind)
		abort();
	if (pl_fleet_is_up(fleet, host))
		pl_fleet_ask(fleet, host, &rest, "rest", INT64_MAX);
}

static void lost(void *arg, size_t host)
{
	const struct pl_fleet *fleet = arg;

	if (!pl_remote_is_lost(&fleet->v[host]))
		abort();
}

static void take_line(void *arg, const char *host, const char *line)
{
	(void)arg;
	if (!host || strlen(line) >= PL_LINE_CHARS)
		abort();
}

/* The relay is up, and its pipes are ours: we write what it says. */
static void put_up(struct pl_branch *t, const char *name, int say[2], int hear[2])
{
	if (pipe2(say, O_NONBLOCK) || pipe2(hear, O_NONBLOCK))
		abort();
	pl_remote_init(&t->r, name);
	t->r.role = "its relay";
	t->r.relays = true;
	t->r.state = PL_REMOTE_UP;
	t->r.child.out = say[0];
	t->r.child.in = hear[1];
	pl_remote_expect(&t->r, "start", INT64_MAX);
	pl_carrier_init(&t->carrier, name);
}

/* What was sent to the relay makes room for more. */
static void drain(int fd)
{
	char data[65536];

	if (read(fd, data, sizeof(data)) < 0 && errno != EAGAIN)
		abort();
}

static void speak(struct pl_fleet *fleet, const uint8_t *data, size_t size)
{
	struct pl_branch *t = &fleet->branch[0];
	int64_t now_ns = 1;
	int say[2], hear[2];

	put_up(t, fleet->v[0].name, say, hear);
	while (size > 0 && t->r.child.out >= 0) {
		const size_t n = size < PIECE ? size : PIECE;

		if (write(say[1], data, n) != (ssize_t)n)
			abort();
		data += n;
		size -= n;
		for (int i = 0; i < READS && t->r.child.out >= 0; i++)
			pl_branch_take_event(fleet, t, PL_FLEET_OUT, now_ns);
		pl_branches_start_some(fleet);
		if (t->carrier.fd >= 0)
			drain(hear[0]);
		now_ns += STEP_NS;
		pl_branches_check_times(fleet, now_ns);
		for (size_t i = 0; i < HOSTS; i++)
			if (pl_fleet_is_over(fleet, &fleet->v[i], now_ns))
				lost(fleet, i);
	}
	close(say[1]);
	close(hear[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char names[HOSTS][3] = {"a1", "a2", "a3", "b1", "b2"};
	struct pl_host host[HOSTS];
	const struct pl_hosts hosts = {.v = host, .n = HOSTS};
	struct pl_probe_options options;
	struct pl_err err = {0};
	struct pl_fleet fleet = {.message = message, .lost = lost};

	signal(SIGPIPE, SIG_IGN);
	memset(host, 0, sizeof(host));
	for (size_t i = 0; i < HOSTS; i++)
		host[i].name = names[i];
	pl_probe_defaults(&options);
	options.launch = "/none/such %h"; /* for who comes in its place */
	options.tree = 3;
	options.log = take_line;
	fleet.options = &options;
	fleet.command = "true";
	fleet.relay = "true";
	fleet.arg = &fleet;
	if (pl_fleet_init(&fleet, &hosts, &err) || pl_branches_create(&fleet, &err))
		abort();
	fleet.n_started = fleet.n;
	fleet.branch[1].at = fleet.branch[1].n; /* nobody is left to try */
	speak(&fleet, data, size);
	pl_branches_close(&fleet);
	pl_fleet_fini(&fleet);
	return 0;
}
