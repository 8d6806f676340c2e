/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c - how long a packet takes from its sender's call to the daemon */
#include "config.h"

#include "tests/testbed/network/calibrate.h"

#include "base/clock.h"
#include "base/stats.h"
#include "tests/testbed/network/netdev.h"
#include "tests/testbed/network/topology.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES 100
#define PAUSE_NS 400000 /* between samples: time for the daemon to sleep */
#define TIMEOUT_MS 1000 /* for one sample */

/* An address of the network that is no host's; the discard service. */
#define NOBODY (TB_FIRST_ADDR + 0xff00u)
#define DISCARD 9

#define IP_BYTES 20
#define UDP_BYTES 8

struct stamp {
	uint64_t tag; /* sample number and a mark, told from other traffic */
	int64_t sent_ns;
};

#define TAG 0x506c6e6b43616c00ull

/* Moves to the @i-th of the processors in @all, round and round: from the daemon's own a packet
 * comes soonest. */
static int move(const cpu_set_t *all, unsigned i)
{
	unsigned skip = i % (unsigned)CPU_COUNT(all);
	cpu_set_t one;
	int cpu = 0;

	while (!CPU_ISSET(cpu, all) || skip-- > 0)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one);
}

/* In a process of its own; gives its exit status. */
static int send_stamps(pid_t host)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(DISCARD)};
	char path[64];
	cpu_set_t all;
	int ns, sock;

	snprintf(path, sizeof(path), "/proc/%ld/ns/net", (long)host);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNET))
		return 1;
	sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	to.sin_addr.s_addr = htonl(NOBODY);
	if (sock < 0 || connect(sock, (struct sockaddr *)&to, sizeof(to)) ||
	    sched_getaffinity(0, sizeof(all), &all))
		return 1;
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct stamp stamp = {.tag = TAG + i};

		if (move(&all, i))
			return 1;
		nanosleep(&pause, NULL);
		stamp.sent_ns = pl_clock_ns();
		if (send(sock, &stamp, sizeof(stamp), 0) < 0)
			return 1;
	}
	return 0;
}

/* Age of the sample in @buffer; -1 when there is none. */
static int64_t age_of(const unsigned char *buffer, ssize_t len)
{
	const size_t head = TB_OFFLOAD_BYTES + IP_BYTES + UDP_BYTES;
	const int64_t now = pl_clock_ns();
	struct stamp stamp;

	if (len != (ssize_t)(head + sizeof(stamp)))
		return -1;
	memcpy(&stamp, buffer + head, sizeof(stamp));
	if (stamp.tag < TAG || stamp.tag >= TAG + SAMPLES)
		return -1;
	return now - stamp.sent_ns;
}

static size_t read_stamps(int tun, int64_t age_ns[SAMPLES])
{
	struct pollfd p = {.fd = tun, .events = POLLIN};
	unsigned char buffer[TB_OFFLOAD_BYTES + 2048];
	size_t n = 0;

	while (n < SAMPLES) {
		const int ready = poll(&p, 1, TIMEOUT_MS);
		int64_t age;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;
		age = age_of(buffer, read(tun, buffer, sizeof(buffer)));
		if (age >= 0)
			age_ns[n++] = age;
	}
	return n;
}

int tb_calibrate(pid_t host, int tun, int64_t *hand_over_ns, struct pl_err *err)
{
	int64_t age_ns[SAMPLES];
	size_t n;
	pid_t pid = fork();

	if (pid == 0)
		_exit(send_stamps(host));
	if (pid < 0)
		return pl_err_errno(err, "cannot start a process");
	n = read_stamps(tun, age_ns);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (n == 0)
		return pl_err_set(err, PL_ESYSTEM, "no packet comes through a host's card");
	pl_sort_int64(age_ns, n);
	*hand_over_ns = age_ns[0];
	return 0;
}
