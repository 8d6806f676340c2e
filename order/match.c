/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c - finds the hosts of the list in the matrix */
#include "config.h"

#include "order/costs.h"

#include "base/text/names.h"

#include <string.h>

enum { FIND_NONE = -1, FIND_SEVERAL = -2 };

/*
 * The matrix's entry for @host, by name and port. An entry with the same port is preferred; an
 * entry without a port matches any port. A host without a port matches an entry with one only if
 * that name has no other entry.
 */
static ptrdiff_t find(const struct pl_matrix *m, const struct pl_names *names,
		      const struct pl_host *host)
{
	const ptrdiff_t first = pl_names_find(names, host->name, strlen(host->name));

	if (first < 0 || !m->hosts.v[first].port)
		return first;
	if (m->hosts.v[first].port == host->port)
		return first;
	for (size_t i = (size_t)first + 1; i < m->hosts.n; i++) {
		if (strcmp(m->hosts.v[i].name, host->name) != 0)
			continue;
		if (!host->port)
			return FIND_SEVERAL;
		if (m->hosts.v[i].port == host->port)
			return (ptrdiff_t)i;
	}
	return host->port ? FIND_NONE : first;
}

static int index_names(struct pl_names *names, const struct pl_hosts *hosts, struct pl_err *err)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const char *name = hosts->v[i].name;

		if (pl_names_add(names, name, strlen(name), i) < 0)
			return pl_err_nomem(err);
	}
	return 0;
}

int pl_order_match(struct pl_order_input *in, const struct pl_matrix *m, size_t *index,
		   struct pl_err *err)
{
	struct pl_names names = {0};
	char label[PL_HOST_LABEL];
	int rc = index_names(&names, &m->hosts, err);

	for (size_t h = 0; rc == 0 && h < in->hosts.n; h++) {
		struct pl_host *host = &in->hosts.v[h];
		const ptrdiff_t at = find(m, &names, host);

		if (at < 0) {
			rc = pl_err_set(
				err, PL_EINPUT,
				at == FIND_SEVERAL
					? "host \"%s\": the matrix has it with several ports"
					: "host \"%s\" is not in the matrix; measure it, or take "
					  "it off the list",
				pl_order_label(label, host));
			break;
		}
		index[h] = (size_t)at;
		if (pl_host_adopt(host, &m->hosts.v[at]))
			rc = pl_err_nomem(err);
	}
	pl_names_fini(&names);
	return rc;
}
