/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - how rows call their hosts: "name", or "name:port" */
#include "config.h"

#include "base/matrix/label.h"

#include "base/mem.h"
#include "base/text/names.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

/* "name:port", brackets around an address that has colons itself; NULL when memory runs out. */
static char *with_port(const struct pl_host *host)
{
	const bool address = strchr(host->name, ':') != NULL;
	const size_t room = strlen(host->name) + sizeof("[]:65535");
	char *label = pl_array_create(room, 1);

	if (label)
		snprintf(label, room, address ? "[%s]:%d" : "%s:%d", host->name, host->port);
	return label;
}

/* Fills shared[i]: does another host go by the name of host i? */
static int find_shared(const struct pl_hosts *hosts, bool *shared)
{
	struct pl_names names = {0};
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < hosts->n; i++) {
		const char *name = hosts->v[i].name;
		const size_t len = strlen(name);

		rc = pl_names_add(&names, name, len, i);
		if (rc > 0) {
			shared[i] = true;
			shared[pl_names_find(&names, name, len)] = true;
		}
	}
	pl_names_fini(&names);
	return rc < 0 ? -1 : 0;
}

int pl_labels_check(const struct pl_hosts *hosts, struct pl_place place, struct pl_err *err)
{
	size_t first, again;

	if (pl_hosts_duplicate(hosts, &first, &again))
		return pl_err_nomem(err);
	if (again < hosts->n)
		return pl_err_at(err, place,
				 "host \"%s\" is there twice: the rows of a matrix need names or "
				 "ports of their own",
				 hosts->v[again].name);
	return 0;
}

char **pl_labels_create(const struct pl_hosts *hosts, struct pl_err *err)
{
	bool *shared = NULL;
	char **label = NULL;

	if (pl_labels_check(hosts, (struct pl_place){0}, err))
		return NULL;
	shared = pl_array_create(hosts->n, sizeof(*shared));
	label = pl_array_create(hosts->n, sizeof(*label));
	if (!shared || !label || find_shared(hosts, shared))
		goto nomem;
	for (size_t i = 0; i < hosts->n; i++) {
		const char *name = hosts->v[i].name;

		label[i] = shared[i] ? with_port(&hosts->v[i]) : pl_string_copy(name, strlen(name));
		if (!label[i])
			goto nomem;
	}
	free(shared);
	return label;
nomem:
	pl_err_nomem(err);
	pl_labels_destroy(label, hosts->n);
	free(shared);
	return NULL;
}

void pl_labels_destroy(char **label, size_t n)
{
	if (!label)
		return;
	for (size_t i = 0; i < n; i++)
		free(label[i]);
	free(label);
}

bool pl_label_has_port(const char *label, const struct pl_host *host)
{
	return strcmp(label, host->name) != 0;
}

/* Cuts "name:port" or "[address]:port" apart; what has other colons is an address. @port is left
 * empty where there is none. */
static void split(const struct pl_word *label, struct pl_word *name, struct pl_word *port)
{
	const char *end = label->s + label->len;
	const char *colon = memchr(label->s, ':', label->len);
	const char *bracket = memchr(label->s, ']', label->len);

	*name = *label;
	*port = (struct pl_word){0};
	if (label->len > 0 && label->s[0] == '[' && bracket) {
		name->s++;
		name->len = (size_t)(bracket - name->s);
		name->place.col++;
		colon = bracket + 1;
	} else if (colon && !memchr(colon + 1, ':', (size_t)(end - colon - 1))) {
		name->len = (size_t)(colon - label->s);
	} else {
		return;
	}
	port->s = colon;
	port->len = (size_t)(end - colon);
	port->place = label->place;
	port->place.col += colon - label->s;
}

static int check_name(const struct pl_word *name, struct pl_err *err)
{
	struct pl_place place = name->place;
	size_t at = 0;
	const char *fault = pl_host_name_fault(name->s, name->len, &at);

	if (!fault)
		return 0;
	place.col += (long)at;
	return pl_err_at(err, place, "host name: %s", fault);
}

/* ":2200" */
static int parse_port(const struct pl_word *word, int *port, struct pl_err *err)
{
	int64_t value;

	if (word->len == 0 || word->s[0] != ':' ||
	    pl_int_parse(word->s + 1, word->len - 1, 1, 65535, &value))
		return pl_err_at(err, word->place, "after a host's name: \":\" and a port");
	*port = (int)value;
	return 0;
}

int pl_label_add(struct pl_hosts *hosts, const struct pl_word *label, struct pl_err *err)
{
	struct pl_host host = {.slots = 1};
	struct pl_word name, port;
	int rc;

	split(label, &name, &port);
	if (check_name(&name, err) || (port.s && parse_port(&port, &host.port, err)))
		return -1;
	if (hosts->n == PL_MATRIX_HOSTS_MAX)
		return pl_err_at(err, label->place, "more than %d hosts: too many for a matrix",
				 PL_MATRIX_HOSTS_MAX);
	host.name = pl_string_copy(name.s, name.len);
	rc = host.name ? pl_hosts_add(hosts, &host) : -1;
	free(host.name);
	return rc ? pl_err_nomem(err) : 0;
}
