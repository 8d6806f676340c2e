/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml.c - Slurm's topology.yaml: a tree of switches, or blocks */
#include "config.h"

#include "topology/providers/providers.h"

#include "topology/providers/switches.h"

#include <string.h>
#include <strings.h>

#include <yaml.h>

/* "key:", but no address that ends in "::". */
static bool is_key(const struct pl_word *word)
{
	return word->len > 1 && word->s[word->len - 1] == ':' && word->s[word->len - 2] != ':';
}

bool pl_provider_is_yaml(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	if (!pl_line_next(&copy, &word))
		return false;
	if (pl_word_is(&word, "---") || is_key(&word))
		return true;
	return pl_word_is(&word, "-") && pl_line_next(&copy, &word) && is_key(&word);
}

static int refuse(const struct pl_text *text, struct pl_err *err)
{
	const struct pl_place at = {.file = text->name, .line = 1, .col = 1};

	return pl_err_at(err, at,
			 "of YAML, only Slurm's topology.yaml is read: have Kubernetes or Google "
			 "Cloud print JSON (-o json, --format=json)");
}

struct reader {
	yaml_document_t doc;
	struct pl_text *text;
	struct pl_err *err;
	struct pl_switches switches;
};

static struct pl_place place_at(const struct reader *r, yaml_mark_t mark)
{
	return (struct pl_place){
		.file = r->text->name, .line = (long)mark.line + 1, .col = (long)mark.column + 1};
}

static struct pl_place place_of(const struct reader *r, const yaml_node_t *node)
{
	return place_at(r, node->start_mark);
}

static bool is_scalar(const yaml_node_t *node, const char *s)
{
	return node && node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(s) &&
	       !memcmp(node->data.scalar.value, s, strlen(s));
}

/* A boolean as Slurm reads one, in any case. NULL is false. */
static int read_bool(struct reader *r, const yaml_node_t *node, bool *value)
{
	static const char *const word[] = {"false", "true", "no", "yes", "off", "on",
					   "n",     "y",    "f",  "t",   "0",   "1"};

	*value = false;
	if (!node)
		return 0;
	for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++)
		if (node->type == YAML_SCALAR_NODE &&
		    !strcasecmp((const char *)node->data.scalar.value, word[i])) {
			*value = i % 2;
			return 0;
		}
	return pl_err_at(r->err, place_of(r, node), "true or false must stand here");
}

/* The value of that key of a mapping, or NULL. */
static yaml_node_t *member(struct reader *r, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
	     p++)
		if (is_scalar(yaml_document_get_node(&r->doc, p->key), key))
			return yaml_document_get_node(&r->doc, p->value);
	return NULL;
}

/* The number of elements of a sequence; 0: it is none. */
static size_t length(const yaml_node_t *list)
{
	return list && list->type == YAML_SEQUENCE_NODE
		       ? (size_t)(list->data.sequence.items.top - list->data.sequence.items.start)
		       : 0;
}

static yaml_node_t *element(struct reader *r, const yaml_node_t *list, size_t i)
{
	return yaml_document_get_node(&r->doc, list->data.sequence.items.start[i]);
}

/* The topology for the whole cluster, or the first. */
static int find_topology(struct reader *r, yaml_node_t **found)
{
	const yaml_node_t *all = yaml_document_get_root_node(&r->doc);
	bool is_default = false;

	*found = NULL;
	for (size_t i = 0; i < length(all) && !is_default; i++) {
		yaml_node_t *one = element(r, all, i);

		if (!member(r, one, "topology"))
			return refuse(r->text, r->err);
		if (read_bool(r, member(r, one, "cluster_default"), &is_default))
			return -1;
		if (is_default || i == 0)
			*found = one;
	}
	return *found ? 0 : refuse(r->text, r->err);
}

/* The string of that key, of no length if there is none. */
static int read_word(struct reader *r, const yaml_node_t *map, const char *key,
		     struct pl_word *word)
{
	const yaml_node_t *node = member(r, map, key);

	*word = (struct pl_word){.s = "", .place = place_of(r, map)};
	if (!node)
		return 0;
	if (node->type != YAML_SCALAR_NODE)
		return pl_err_at(r->err, place_of(r, node),
				 "%s: must be a string such as n[1-4],n6", key);
	word->s = (const char *)node->data.scalar.value;
	word->len = node->data.scalar.length;
	word->place = place_of(r, node);
	return 0;
}

typedef int take_lists(struct pl_switches *s, const struct pl_word *name,
		       const struct pl_word *list);

/* Each switch or block of the list: added if @take is NULL, else given to it with the list of that
 * key. */
static int each(struct reader *r, const yaml_node_t *list, const char *unit, const char *key,
		take_lists *take)
{
	for (size_t i = 0; i < length(list); i++) {
		const yaml_node_t *one = element(r, list, i);
		struct pl_word name, names;

		if (read_word(r, one, unit, &name))
			return -1;
		if (name.len == 0)
			return pl_err_at(r->err, place_of(r, one), "%s: is missing", unit);
		if (!take ? pl_switches_add(&r->switches, &name)
			  : read_word(r, one, key, &names) || take(&r->switches, &name, &names))
			return -1;
	}
	return 0;
}

static int read_topology(struct reader *r)
{
	const yaml_node_t *tree, *list;
	yaml_node_t *topology;
	const char *unit;

	if (find_topology(r, &topology))
		return -1;
	tree = member(r, topology, "tree");
	list = member(r, tree ? tree : member(r, topology, "block"), tree ? "switches" : "blocks");
	unit = tree ? "switch" : "block";
	if (!list)
		return pl_err_at(r->err, place_of(r, topology),
				 "this topology has neither a tree with switches nor blocks");
	r->switches.kind = unit;
	return each(r, list, unit, NULL, NULL) ||
			       each(r, list, unit, "children", pl_switches_link) ||
			       pl_switches_join(&r->switches) ||
			       each(r, list, unit, "nodes", pl_switches_hosts) ||
			       each(r, list, unit, "nodes", pl_switches_hosts_above)
		       ? -1
		       : 0;
}

static int load(struct reader *r, yaml_parser_t *parser)
{
	if (yaml_parser_load(parser, &r->doc))
		return 0;
	if (parser->error == YAML_MEMORY_ERROR)
		return pl_err_nomem(r->err);
	return pl_err_at(r->err, place_at(r, parser->problem_mark), "%s",
			 parser->problem ? parser->problem : "no YAML");
}

int pl_provider_yaml(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.text = text, .err = err, .switches = {.p = p, .err = err}};
	yaml_parser_t parser;
	int rc = -1;

	p->form = "slurm-yaml";
	if (!yaml_parser_initialize(&parser))
		return pl_err_nomem(err);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text->data + text->pos,
				     text->len - text->pos);
	if (load(&r, &parser) == 0) {
		rc = read_topology(&r);
		/* before the document, from which it borrows names */
		pl_switches_fini(&r.switches);
		yaml_document_delete(&r.doc);
	}
	yaml_parser_delete(&parser);
	return rc;
}
