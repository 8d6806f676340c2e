/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.c - what two ranks say to one another on a new connection */
#include "config.h"

#include "engine/hello.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define HELLO_MAGIC 0x706c696eU /* "plin" */

struct pl_hello pl_hello_of(const struct pl_mesh_options *o, size_t lane)
{
	struct pl_hello h = {
		.magic = htonl(HELLO_MAGIC),
		.digest = {htonl((uint32_t)(o->digest >> 32)), htonl((uint32_t)o->digest)},
		.rank = htonl(o->rank),
		.lane = htonl((uint32_t)lane),
	};

	memcpy(h.key, o->key, sizeof(h.key));
	return h;
}

bool pl_hello_send(int fd, const struct pl_hello *h)
{
	return send(fd, h, sizeof(*h), MSG_NOSIGNAL) == (ssize_t)sizeof(*h);
}

/* Takes as long whatever is wrong. */
bool pl_hello_has_key(const struct pl_hello *h, const struct pl_mesh_options *o)
{
	unsigned char differs = 0;

	for (size_t i = 0; i < sizeof(h->key); i++)
		differs |= h->key[i] ^ o->key[i];
	return h->magic == htonl(HELLO_MAGIC) && !differs;
}

int pl_hello_check(const struct pl_hello *h, const struct pl_mesh_options *o, struct pl_err *err)
{
	const struct pl_hello mine = pl_hello_of(o, 0);
	char name[2][PL_PEER_CHARS];

	if (memcmp(h->digest, mine.digest, sizeof(mine.digest)) == 0)
		return 0;
	return pl_err_set(err, PL_EINPUT, "%s has another schedule than %s",
			  pl_mesh_peer(o, ntohl(h->rank), name[0]),
			  pl_mesh_peer(o, o->rank, name[1]));
}

/* Are both ends of the connection at one address, the same machine's? */
static bool is_within_machine(int fd)
{
	struct sockaddr_storage end[2] = {{0}, {0}};
	socklen_t length[2] = {sizeof(end[0]), sizeof(end[1])};

	if (getsockname(fd, (struct sockaddr *)&end[0], &length[0]) ||
	    getpeername(fd, (struct sockaddr *)&end[1], &length[1]))
		return false;
	for (int i = 0; i < 2; i++)
		if (end[i].ss_family == AF_INET6)
			((struct sockaddr_in6 *)&end[i])->sin6_port = 0;
		else
			((struct sockaddr_in *)&end[i])->sin_port = 0;
	return length[0] == length[1] && memcmp(&end[0], &end[1], length[0]) == 0;
}

bool pl_hello_may_share(const struct pl_mesh_options *o, size_t lane, int fd)
{
	return o->shares_memory && lane < o->n_lanes && is_within_machine(fd);
}
