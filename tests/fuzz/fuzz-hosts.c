/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-hosts.c - any bytes as a host list: hosts that keep the rules, or an error */
#include "config.h"

#include "base/hosts/hosts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_hosts(const struct pl_hosts *hosts, enum pl_hosts_form form)
{
	size_t first, again, at;

	if (hosts->n < 1 || hosts->n > PL_HOSTS_MAX)
		abort();
	for (size_t i = 0; i < hosts->n; i++) {
		const struct pl_host *host = &hosts->v[i];

		if (pl_host_name_fault(host->name, strlen(host->name), &at) || host->slots < 1 ||
		    host->slots > PL_HOST_SLOTS_MAX || host->port < 0 || host->port > 65535)
			abort();
	}
	if (form == PL_HOSTS_LIST &&
	    (pl_hosts_duplicate(hosts, &first, &again) || again != hosts->n))
		abort();
}

static void try_form(const uint8_t *data, size_t size, enum pl_hosts_form form)
{
	struct pl_hosts hosts = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return;
	if (pl_hosts_parse(&hosts, &text, form, &err) == 0)
		check_hosts(&hosts, form);
	else if (err.code != PL_EINPUT || hosts.n || hosts.v)
		abort();
	pl_hosts_fini(&hosts);
	pl_text_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_form(data, size, PL_HOSTS_LIST);
	try_form(data, size, PL_HOSTS_SEQ);
	try_form(data, size, PL_HOSTS_ANY);
	return 0;
}
