/* SPDX-License-Identifier: BSD-3-Clause */
/* kind.c - what kind of file a text is, by how it begins */
#include "config.h"

#include "base/text/kind.h"

#include <ctype.h>
#include <string.h>

/* Files that are no text, or text of others, by their first bytes. */
static const struct {
	const char *begins, *kind;
} foreign[] = {
	{"\x7f"
	 "ELF",
	 "a program"},
	{"\x89PNG", "a PNG picture"},
	{"\x1f\x8b", "a gzip file"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"\xfd"
	 "7zXZ",
	 "an xz file"},
	{"BZh", "a bzip2 file"},
	{"PK\3\4", "a zip file"},
	{"%PDF", "a PDF file"},
	{"\xd4\xc3\xb2\xa1", "a capture of packets"},
	{"\x4d\x3c\xb2\xa1", "a capture of packets"},
	{"\x0a\x0d\x0d\x0a", "a capture of packets"},
	{"<!DOCTYPE html", "an HTML page"},
	{"<html", "an HTML page"},
	{"<svg", "an SVG picture"},
	{"<?xml", "an XML file"},
	{"#!", "a script"},
};

/* What lines of a beginning have: within '#' lines, JSON, headers of CSV. */
static const struct {
	const char *begins, *has, *kind;
} own[] = {
	{"# plink-batch", "", PL_KIND_POINTS},
	{"# plink-job", "", PL_KIND_JOB},
	{"# plink-lifetimes", "", PL_KIND_LIFETIMES},
	{"# plink-matrix", "", PL_KIND_MATRIX},
	{"# plink-norms", "", PL_KIND_NORMS},
	{"# plink-plan", "", PL_KIND_PLAN},
	{"# plink-schedule", "", PL_KIND_SCHEDULE},
	{"# plink-stalls", "", PL_KIND_STALLS},
	{"# plink-stats", "", PL_KIND_STATS},
	{"{", "\"ib-traffic", "a file of SuperBench (write its times as CSV)"},
	{"{", "\"plink-stats\"", PL_KIND_STATS},
	{"{", "\"plink-profile\"", PL_KIND_PROFILE},
	{"{", "\"tool\": \"plink-", PL_KIND_JSON},
	{"{\"event\":\"", "", "a journal of plink-srift watch"},
	{"InstanceType,", "", PL_KIND_CATALOGUE},
	{"instance,", "", PL_KIND_CATALOGUE},
	{"cloud,", "", PL_KIND_GRID},
	{"NAME", "DIMENSION", "a TSPLIB instance (write its weights as a square)"},
	{"SwitchName=", "", PL_KIND_TOPOLOGY},
	{"BlockName=", "", PL_KIND_TOPOLOGY},
	{"SLURM_TOPOLOGY_ADDR", "", PL_KIND_TOPOLOGY},
	{"- topology:", "", PL_KIND_TOPOLOGY},
	{"{", "\"network_layers\"", PL_KIND_TOPOLOGY},
	{"{", "\"HyperNode\"", PL_KIND_TOPOLOGY},
	{"{", "\"hpc-island-id\"", PL_KIND_TOPOLOGY},
	{"", " ClusterUUID ", PL_KIND_TOPOLOGY},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define LOOKED_BYTES 4096 /* of JSON, for a word of its beginning */

static bool begins_with(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
}

static const char *find_own(const struct pl_line *line, const char *end)
{
	size_t len = (size_t)(end - line->s);

	if (len > LOOKED_BYTES)
		len = LOOKED_BYTES;
	for (size_t i = 0; i < N_OF(own); i++)
		if (begins_with(line->s, line->len, own[i].begins) &&
		    memmem(line->s, len, own[i].has, strlen(own[i].has)))
			return own[i].kind;
	return NULL;
}

/* A name alone, or one with slots. */
static bool is_host(struct pl_line line)
{
	struct pl_word name, more;

	if (!pl_line_next(&line, &name) || !isalpha((unsigned char)name.s[0]) ||
	    name.s[name.len - 1] == ':' || memchr(name.s, ',', name.len) ||
	    memchr(name.s, '=', name.len))
		return false;
	return !pl_line_next(&line, &more) || begins_with(more.s, more.len, "slots=");
}

const char *pl_kind_foreign(const struct pl_text *t)
{
	for (size_t i = 0; i < N_OF(foreign); i++)
		if (begins_with(t->data, t->len, foreign[i].begins))
			return foreign[i].kind;
	return NULL;
}

/* One of the kinds of kind.h, or a phrase such as "a gzip file"; NULL: not known. A text that
 * begins like none of them may still look like a list of hosts. */
static const char *kind_of(const struct pl_text *t)
{
	struct pl_text copy = *t;
	struct pl_line line;
	const char *kind = pl_kind_foreign(t);

	copy.pos = copy.line = 0;
	if (begins_with(t->data, t->len, "\xef\xbb\xbf"))
		copy.pos = 3;
	while (!kind && pl_text_next(&copy, &line)) {
		pl_line_skip(&line);
		line.s += line.pos;
		line.len -= line.pos;
		line.pos = 0;
		kind = find_own(&line, t->data + t->len);
		if (!kind && line.len && line.s[0] != '#')
			return is_host(line) ? PL_KIND_HOSTS : NULL;
	}
	return kind;
}

void pl_kind_blame(const struct pl_text *t, const char *wanted, struct pl_err *err)
{
	const struct pl_place start = {.file = t->name, .line = 1, .col = 1};
	const char *kind = kind_of(t);

	if (err && err->code == PL_EINPUT && kind && strcmp(kind, wanted) != 0)
		pl_err_at(err, start, "this is %s, not %s", kind, wanted);
}

int pl_kind_close(struct pl_text *t, int rc, const char *wanted, struct pl_err *err)
{
	if (rc)
		pl_kind_blame(t, wanted, err);
	pl_text_fini(t);
	return rc;
}
