/* SPDX-License-Identifier: BSD-3-Clause */
/* loopback.h - for tests of ranks that are threads: where they listen, and what they add up */
#ifndef PLINK_TESTS_ENGINE_LOOPBACK_H
#define PLINK_TESTS_ENGINE_LOOPBACK_H

#include "engine/mesh.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>

/* Rank @o->rank listens at a port of loopback, which goes to *address; the key and the patience are
 * the same for all. */
static inline bool loopback_listen(struct pl_mesh *mesh, struct pl_mesh_options o,
				   struct sockaddr_storage *address)
{
	struct sockaddr_in *a = (struct sockaddr_in *)address;
	struct pl_err err;

	memcpy(o.key, "of this job", 12);
	o.patience_ns = 20000000000;
	*a = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	return pl_mesh_listen(mesh, &o, address, &err) == 0 || ok(false, "%s", err.text);
}

static inline void add_ints(void *sum, const void *more, size_t n, void *with)
{
	int *s = sum;
	const int *m = more;

	(void)with;
	for (size_t i = 0; i < n; i++)
		s[i] += m[i];
}

#endif
