/* SPDX-License-Identifier: BSD-3-Clause */
/* nvidia-smi.c - NVLink domains, as nvidia-smi tells them on each host */
#include "config.h"

#include "topology/providers/providers.h"

#include "base/mem.h"
#include "base/text/names.h"

#include <stdlib.h>
#include <string.h>

/*
 * The lines of "nvidia-smi -q" that name the domain and the clique of each GPU,
 * after the host's name as pdsh and clush print it:
 *
 *	n1:         CliqueId                          : 0
 *	n1:         ClusterUUID                       : 5d2c...
 */
struct smi_line {
	struct pl_word host, key, value;
};

/* A host and what its GPUs have in common; a word of no length: not known. */
struct smi_host {
	struct pl_word name, uuid, clique;
};

struct smi_hosts {
	struct smi_host *v;
	size_t n, room;
	struct pl_names names;
};

static bool read_line(const struct pl_line *line, struct smi_line *l)
{
	struct pl_line copy = *line;
	struct pl_word colon;

	if (!pl_line_next(&copy, &l->host) || l->host.len < 2 ||
	    l->host.s[l->host.len - 1] != ':' || !pl_line_next(&copy, &l->key))
		return false;
	l->host.len--;
	return (pl_word_is(&l->key, "ClusterUUID") || pl_word_is(&l->key, "CliqueId")) &&
	       pl_line_next(&copy, &colon) && pl_word_is(&colon, ":") &&
	       pl_line_next(&copy, &l->value) && !pl_line_end(&copy, NULL);
}

bool pl_provider_is_nvidia_smi(const struct pl_line *line)
{
	struct smi_line l;

	return read_line(line, &l);
}

static struct smi_host *find_host(struct smi_hosts *hosts, const struct pl_word *name)
{
	const ptrdiff_t old = pl_names_find(&hosts->names, name->s, name->len);

	if (old >= 0)
		return &hosts->v[old];
	if (pl_array_grow((void **)&hosts->v, &hosts->room, hosts->n, sizeof(*hosts->v)) ||
	    pl_names_add(&hosts->names, name->s, name->len, hosts->n))
		return NULL;
	hosts->v[hosts->n] = (struct smi_host){.name = *name};
	return &hosts->v[hosts->n++];
}

/* A GPU without a domain has zeros there, or N/A. */
static bool is_known(const struct smi_line *l)
{
	return !pl_word_is(&l->value, "N/A") &&
	       (pl_word_is(&l->key, "CliqueId") || strspn(l->value.s, "0-") < l->value.len);
}

static int take_line(struct smi_hosts *hosts, const struct smi_line *l, struct pl_err *err)
{
	struct smi_host *host = find_host(hosts, &l->host);
	struct pl_word *word;

	if (!host)
		return pl_err_nomem(err);
	if (!is_known(l))
		return 0;
	word = pl_word_is(&l->key, "CliqueId") ? &host->clique : &host->uuid;
	if (word->len && (word->len != l->value.len || memcmp(word->s, l->value.s, word->len) != 0))
		return pl_err_at(err, l->value.place, "GPUs of host \"%.*s\" differ in %.*s",
				 (int)l->host.len, l->host.s, (int)l->key.len, l->key.s);
	*word = l->value;
	return 0;
}

static int add_hosts(struct pl_places *p, const struct smi_hosts *hosts, const struct pl_text *text,
		     struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};

	for (size_t i = 0; i < hosts->n; i++) {
		const struct smi_host *h = &hosts->v[i];
		struct pl_places_path path = {0};

		if (h->uuid.len) {
			pl_places_push(&path, h->uuid.s, h->uuid.len);
			pl_places_push(&path, h->clique.s, h->clique.len);
		}
		if (pl_places_add(p, h->name.s, h->name.len, &path, err) < 0)
			return -1;
	}
	return pl_places_levels(p) > 0
		       ? 0
		       : pl_err_at(err, whole,
				   "no GPU is in an NVLink domain: no ClusterUUID is known");
}

int pl_provider_nvidia_smi(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct smi_hosts hosts = {0};
	struct pl_line line;
	struct smi_line l;
	int rc = 0;

	p->form = "nvidia-smi";
	while (rc == 0 && pl_text_next(text, &line)) {
		struct pl_line copy = line;
		struct pl_word word;

		if (!pl_line_next(&copy, &word) || word.s[0] == '#')
			continue;
		rc = read_line(&line, &l) ? take_line(&hosts, &l, err)
					  : pl_err_at(err, word.place,
						      "only lines \"HOST: ClusterUUID : UUID\" and "
						      "\"HOST: CliqueId : N\" are read here");
	}
	if (rc == 0)
		rc = add_hosts(p, &hosts, text, err);
	pl_names_fini(&hosts.names);
	free(hosts.v);
	return rc;
}
