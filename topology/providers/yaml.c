/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml.c - recognises YAML, which is not read, and says what to print
 * instead */
#include "config.h"

#include "topology/providers/providers.h"

/* "key:", but no address that ends in "::". */
static bool is_key(const struct pl_word *word)
{
	return word->len > 1 && word->s[word->len - 1] == ':' &&
	       word->s[word->len - 2] != ':';
}

bool pl_provider_is_yaml(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	if (!pl_line_next(&copy, &word))
		return false;
	if (pl_word_is(&word, "---") || is_key(&word))
		return true;
	return pl_word_is(&word, "-") && pl_line_next(&copy, &word) &&
	       is_key(&word);
}

int pl_provider_yaml(struct pl_places *p, struct pl_text *text,
		     struct pl_err *err)
{
	const struct pl_place at = {.file = text->name, .line = 1, .col = 1};

	p->form = "yaml";
	return pl_err_at(
		err, at,
		"this is YAML, which is not read: have Kubernetes or "
		"Google Cloud print JSON (-o json, --format=json), and "
		"Slurm's switches as in topology.conf");
}
