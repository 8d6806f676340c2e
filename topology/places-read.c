/* SPDX-License-Identifier: BSD-3-Clause */
/* places-read.c - reads files of any form that say where hosts stand */
#include "config.h"

#include "topology/places.h"

#include "base/text/kind.h"
#include "topology/providers/providers.h"

#include <string.h>

/* The output of a provider about 100 000 machines, at 5 kB each. */
#define TEXT_MAX ((size_t)512 << 20)

static const struct {
	pl_provider_test *is;
	pl_provider_reader *read;
} forms[] = {
	{pl_provider_is_json, pl_provider_json},
	{pl_provider_is_slurm, pl_provider_slurm},
	{pl_provider_is_slurm_addr, pl_provider_slurm_addr},
	{pl_provider_is_groups, pl_provider_groups},
	{pl_provider_is_nvidia_smi, pl_provider_nvidia_smi},
	{pl_provider_is_ftree, pl_provider_ftree},
	{pl_provider_is_ibnet, pl_provider_ibnet},
	{pl_provider_is_yaml, pl_provider_yaml},
};

/* The reader for the text, which is left at its start. */
static pl_provider_reader *find_reader(struct pl_text *text)
{
	const size_t pos = text->pos;
	pl_provider_reader *read = pl_provider_plain;
	struct pl_line line;
	struct pl_word word;

	while (pl_text_next(text, &line)) {
		struct pl_line copy = line;

		if (!pl_line_next(&copy, &word) || word.s[0] == '#')
			continue;
		for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
			if (forms[i].is(&line)) {
				read = forms[i].read;
				break;
			}
		break;
	}
	text->pos = pos;
	text->line = 0;
	return read;
}

int pl_places_parse(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	int rc = find_reader(text)(p, text, err);

	if (rc == 0 && p->n == 0)
		rc = pl_err_at(err, whole, "no host in this file");
	if (rc == 0 && p->labels && strcmp(p->form, "kubernetes") != 0)
		rc = pl_err_at(err, whole,
			       "labels are those of Kubernetes' nodes; this file is of the form %s",
			       p->form);
	if (rc == 0 && pl_places_levels(p) == 0)
		rc = pl_err_at(err, whole, "no host in this file has a known place");
	if (rc)
		pl_places_fini(p);
	return rc;
}

int pl_places_read(struct pl_places *p, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_places_parse(p, &text, err), PL_KIND_TOPOLOGY, err);
}
