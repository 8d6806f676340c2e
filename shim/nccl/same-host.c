/* SPDX-License-Identifier: BSD-3-Clause */
/* same-host.c - communicators whose ranks are all on one host */
#include "config.h"

#include "shim/nccl/same-host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define RANKS_MAX 64 /* of one host; more are not looked for */

uint64_t pl_same_host_mix(uint64_t seed, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t hash = seed ^ 14695981039346656037u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * 1099511628211u;
	return hash;
}

/* The first byte of the name is zero: it is not that of a file. */
static socklen_t name(struct sockaddr_un *addr, uint64_t common, size_t host, int rank)
{
	int len;

	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path + 1, sizeof(addr->sun_path) - 1,
		       "plink-nccl-%u-%016" PRIx64 "-%zu-%d", (unsigned)getuid(), common, host,
		       rank);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

struct pl_showing pl_same_host_show(uint64_t common, size_t host, int rank, int all)
{
	struct pl_showing showing = {.common = common, .fd = -1, .rank = rank, .all = all};
	struct sockaddr_un addr;
	const socklen_t len = name(&addr, common, host, rank);

	if (!common)
		return showing;
	showing.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (showing.fd >= 0 && bind(showing.fd, (struct sockaddr *)&addr, len) != 0)
		pl_same_host_hide(&showing);
	return showing;
}

static bool is_there(uint64_t common, size_t host, int rank)
{
	const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un addr;
	const socklen_t len = name(&addr, common, host, rank);
	bool there;

	if (fd < 0)
		return false;
	there = connect(fd, (struct sockaddr *)&addr, len) == 0;
	close(fd);
	return there;
}

bool pl_same_host_all(const struct pl_showing *showing, size_t host, int n)
{
	int seen = 0;

	if (showing->fd < 0 || n > RANKS_MAX)
		return false;
	for (int i = 0; i < showing->all && seen < n; i++)
		seen += is_there(showing->common, host, i);
	return seen == n;
}

void pl_same_host_hide(struct pl_showing *showing)
{
	if (showing->fd >= 0)
		close(showing->fd);
	showing->fd = -1;
}
