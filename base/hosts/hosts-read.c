/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts-read.c - the reader of host lists (plink-hosts(5)) */
#include "config.h"

#include "base/hosts/hosts.h"

#include "base/hosts/hostrange.h"
#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

/* Enough for PL_HOSTS_MAX lines of the longest names. */
#define TEXT_MAX ((size_t)32 << 20)

#define LOW_PORTS 1024
#define SSH_PORT 22

_Static_assert(PL_HOSTRANGE_CHARS == PL_HOST_NAME_MAX, "names fit in a host");
_Static_assert(PL_HOSTRANGE_NAMES <= PL_HOSTS_MAX, "a pattern fits in a list");

/* A list being read. */
struct reader {
	struct pl_hosts *hosts;
	struct pl_place *place; /* [hosts->n]: where each entry stands */
	size_t place_room;
	enum pl_hosts_form form;
	size_t n_low; /* hosts of which the list says nothing but a port below LOW_PORTS */
	bool low;     /* some such port is not that of ssh */
	struct pl_err *err;
};

/* What the words behind the names of a line say; 0: nothing. */
struct settings {
	int64_t slots, max_slots, port;
	struct pl_word type;
};

static struct pl_place later(struct pl_place place, size_t offset)
{
	place.col += (long)offset;
	return place;
}

/* @slots is 0 where ":N" does not say it: the line may say it later. */
static int add_host(struct reader *r, char *name, int64_t slots, struct pl_place place)
{
	const struct pl_host host = {.name = name, .slots = (int)slots};
	size_t at;
	const char *fault = pl_host_name_fault(name, strlen(name), &at);

	if (fault)
		return pl_err_at(r->err, place, "%s", fault);
	if (r->hosts->n == PL_HOSTS_MAX)
		return pl_err_at(r->err, place, "more than %d hosts", PL_HOSTS_MAX);
	if (pl_array_grow((void **)&r->place, &r->place_room, r->hosts->n, sizeof(*r->place)) ||
	    pl_hosts_add(r->hosts, &host))
		return pl_err_nomem(r->err);
	r->place[r->hosts->n - 1] = place;
	return 0;
}

static int parse_slots(struct reader *r, const struct pl_word *word, int64_t *slots)
{
	if (pl_int_parse(word->s, word->len, 1, PL_HOST_SLOTS_MAX, slots))
		return pl_err_at(r->err, word->place, "slots are a number from 1 to %d",
				 PL_HOST_SLOTS_MAX);
	return 0;
}

/* ":N" behind a name, or nothing. */
static int parse_suffix(struct reader *r, const struct pl_word *item, size_t from, int64_t *slots)
{
	const struct pl_word number = {
		.s = item->s + from + 1,
		.len = item->len - from - 1,
		.place = later(item->place, from + 1),
	};

	*slots = 0;
	return from == item->len ? 0 : parse_slots(r, &number, slots);
}

static int add_address(struct reader *r, const struct pl_word *addr, int64_t slots)
{
	char name[PL_HOST_NAME_MAX + 1];

	if (addr->len > PL_HOST_NAME_MAX)
		return pl_err_at(r->err, addr->place, "this is not an IPv6 address");
	memcpy(name, addr->s, addr->len);
	name[addr->len] = '\0';
	return add_host(r, name, slots, addr->place);
}

/* "[::1]" or "[::1]:7": an address, kept without its brackets. */
static int parse_address(struct reader *r, const struct pl_word *item)
{
	const char *close = memchr(item->s, ']', item->len);
	const size_t end = (size_t)(close - item->s);
	const struct pl_word addr = {
		.s = item->s + 1, .len = end - 1, .place = later(item->place, 1)};
	int64_t slots;

	if (end + 1 < item->len && item->s[end + 1] != ':')
		return pl_err_at(r->err, later(item->place, end + 1),
				 "only ':' and slots can follow an address");
	if (parse_suffix(r, item, end + 1, &slots))
		return -1;
	return add_address(r, &addr, slots);
}

/* "name", "node[01-04,7]", each perhaps with ":N". */
static int parse_pattern(struct reader *r, const struct pl_word *item)
{
	const size_t valid = strspn(item->s, PL_HOST_NAME_CHARS "[],");
	size_t len = item->len;
	char name[PL_HOSTRANGE_CHARS + 1];
	struct pl_hostrange range;
	int64_t slots;

	if (valid < len && item->s[valid] != ':')
		return pl_err_at(r->err, later(item->place, valid),
				 "a host name holds letters, digits, '.', '-' and '_' only");
	if (valid < len)
		len = valid;
	if (pl_hostrange_init(&range, item->s, len, item->place, r->err))
		return -1;
	if (len < item->len && memchr(item->s + len + 1, ':', item->len - len - 1))
		return pl_err_at(r->err, later(item->place, len),
				 "two colons; an IPv6 address stands in brackets, as in [::1]");
	if (parse_suffix(r, item, len, &slots))
		return -1;
	if (range.count > PL_HOSTS_MAX - r->hosts->n)
		return pl_err_at(r->err, item->place, "more than %d hosts", PL_HOSTS_MAX);
	while (pl_hostrange_next(&range, name))
		if (add_host(r, name, slots, item->place))
			return -1;
	return 0;
}

/* A bracket that opens an item holds an address if it holds a colon. */
static bool is_address(const struct pl_word *item)
{
	const char *close;

	if (item->len == 0 || item->s[0] != '[')
		return false;
	close = memchr(item->s, ']', item->len);
	return close && memchr(item->s, ':', (size_t)(close - item->s));
}

/*
 * Two colons and no bracket: in a list that may be slots behind an address, and is refused; Open
 * MPI's seq files have addresses so, and no slots.
 */
static bool is_bare_address(const struct reader *r, const struct pl_word *item)
{
	const char *colon = memchr(item->s, ':', item->len);
	const char *end = item->s + item->len;

	return r->form != PL_HOSTS_LIST && colon &&
	       memchr(colon + 1, ':', (size_t)(end - colon - 1)) &&
	       !memchr(item->s, '[', item->len);
}

static bool same_user(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Gives the user, perhaps none, to the hosts from @from on. One command logs in to all hosts. */
static int take_user(struct reader *r, const struct pl_word *user, size_t from)
{
	for (size_t i = from; i < r->hosts->n; i++) {
		struct pl_host *host = &r->hosts->v[i];

		if (user->len > 0) {
			host->user = pl_string_copy(user->s, user->len);
			if (!host->user)
				return pl_err_nomem(r->err);
		}
		if (!same_user(host->user, r->hosts->v[0].user))
			return pl_err_at(
				r->err, user->place,
				"another user than before, and all hosts are logged in to as "
				"one: write users under Host and User in ~/.ssh/config");
	}
	return 0;
}

static int parse_host(struct reader *r, const struct pl_word *item)
{
	if (is_address(item))
		return parse_address(r, item);
	if (is_bare_address(r, item))
		return add_address(r, item, 0);
	return parse_pattern(r, item);
}

/* Perhaps "user@", and what stands for hosts. */
static int parse_item(struct reader *r, const struct pl_word *item)
{
	const size_t from = r->hosts->n;
	const size_t len = strspn(item->s, PL_HOST_NAME_CHARS);
	const bool has_user = len > 0 && len < item->len && item->s[len] == '@' && *item->s != '-';
	const struct pl_word user = {.s = item->s, .len = has_user ? len : 0, .place = item->place};
	struct pl_word host = *item;

	if (has_user) {
		host.s += len + 1;
		host.len -= len + 1;
		host.place = later(host.place, len + 1);
	}
	return parse_host(r, &host) ? -1 : take_user(r, &user, from);
}

/* Splits the first word of a line at the commas outside of brackets. */
static int parse_names(struct reader *r, const struct pl_word *word)
{
	size_t from = 0;
	int depth = 0;

	for (size_t i = 0; i <= word->len; i++) {
		const char c = i < word->len ? word->s[i] : ',';

		depth += (c == '[') - (c == ']');
		if (c != ',' || (depth > 0 && i < word->len))
			continue;
		const struct pl_word item = {
			.s = word->s + from, .len = i - from, .place = later(word->place, from)};
		if (parse_item(r, &item))
			return -1;
		from = i + 1;
	}
	return 0;
}

static int parse_port(struct reader *r, const struct pl_word *word, struct settings *set)
{
	if (r->form == PL_HOSTS_SEQ)
		return pl_err_at(r->err, word->place,
				 "a seq file has one host per line and no ports");
	if (set->port)
		return pl_err_at(r->err, word->place, "a second port");
	if (pl_int_parse(word->s, word->len, 1, 65535, &set->port))
		return pl_err_at(r->err, word->place, "a port is a number from 1 to 65535");
	return 0;
}

static int parse_type(struct reader *r, const struct pl_word *word, const struct pl_word *value,
		      struct settings *set)
{
	if (set->type.len)
		return pl_err_at(r->err, word->place, "given twice");
	if (!value->len || value->len > PL_HOST_NAME_MAX)
		return pl_err_at(r->err, word->place, "a type has 1 to %d characters",
				 PL_HOST_NAME_MAX);
	for (size_t i = 0; i < value->len; i++)
		if (!value->s[i] || !strchr(PL_HOST_NAME_CHARS, value->s[i]))
			return pl_err_at(r->err, later(value->place, i),
					 "a type consists of letters, digits, '.', '-' and '_'");
	set->type = *value;
	return 0;
}

static int parse_setting(struct reader *r, const struct pl_word *word, struct settings *set)
{
	struct pl_word value;
	int64_t *slots;

	if (pl_word_value(word, "type", &value))
		return parse_type(r, word, &value, set);
	if (pl_word_value(word, "slots", &value))
		slots = &set->slots;
	else if (pl_word_value(word, "max_slots", &value) ||
		 pl_word_value(word, "max-slots", &value))
		slots = &set->max_slots;
	else if (word->s[0] == '-' || (word->s[0] >= '0' && word->s[0] <= '9'))
		return parse_port(r, word, set);
	else
		return pl_err_at(
			r->err, word->place,
			"only slots=N, max_slots=N, type=NAME or a port can follow a name");
	if (*slots)
		return pl_err_at(r->err, word->place, "given twice");
	return parse_slots(r, &value, slots);
}

/* Gives what a line says to its hosts: those from @from on. */
static int apply(struct reader *r, const struct settings *set, size_t from, struct pl_place place)
{
	for (size_t i = from; i < r->hosts->n; i++) {
		struct pl_host *host = &r->hosts->v[i];

		if (!host->slots && !set->slots && set->port && set->port < LOW_PORTS) {
			r->n_low++;
			r->low |= set->port != SSH_PORT;
		}
		if (host->slots && set->slots)
			return pl_err_at(r->err, place,
					 "slots=N, but :N has given the slots already");
		if (!host->slots)
			host->slots = set->slots ? (int)set->slots : 1;
		if (set->max_slots && host->slots > set->max_slots)
			return pl_err_at(r->err, place, "more slots than max_slots");
		if (r->form == PL_HOSTS_SEQ && host->slots > 1)
			return pl_err_at(r->err, place,
					 "a line of a seq file is one rank, not %d slots",
					 host->slots);
		host->port = (int)set->port;
		if (set->type.len) {
			host->type = pl_string_copy(set->type.s, set->type.len);
			if (!host->type)
				return pl_err_nomem(r->err);
		}
	}
	return 0;
}

static int parse_line(struct reader *r, struct pl_line *line)
{
	const char *comment = memchr(line->s, '#', line->len);
	const size_t from = r->hosts->n;
	struct settings set = {0};
	struct pl_word names, word;

	if (comment)
		line->len = (size_t)(comment - line->s);
	if (!pl_line_next(line, &names))
		return 0;
	if (parse_names(r, &names))
		return -1;
	while (pl_line_next(line, &word))
		if (parse_setting(r, &word, &set))
			return -1;
	return apply(r, &set, from, names.place);
}

/* A port that only root can use, on every line, with no name twice that it tells apart: so LSF
 * writes numbers of slots. */
static int check_ports(struct reader *r)
{
	struct pl_hosts once = {0};
	int rc;

	if (r->n_low < r->hosts->n || !r->low)
		return 0;
	rc = pl_hosts_distinct(&once, r->hosts, r->err);
	if (rc == 0 && once.n == r->hosts->n)
		rc = pl_err_at(
			r->err, r->place[0],
			"is %d the port of %s or, as in LSF's files, the number of its slots? "
			"Write slots=%d for these",
			r->hosts->v[0].port, r->hosts->v[0].name, r->hosts->v[0].port);
	pl_hosts_fini(&once);
	return rc;
}

static int check_list(struct reader *r, const struct pl_text *text)
{
	struct pl_place whole = {.file = text->name};
	size_t first, again;

	if (r->hosts->n == 0)
		return pl_err_at(r->err, whole, "no host in this list");
	if (r->form != PL_HOSTS_LIST)
		return 0;
	if (pl_hosts_duplicate(r->hosts, &first, &again))
		return pl_err_nomem(r->err);
	if (again == r->hosts->n)
		return check_ports(r);
	return pl_err_at(r->err, r->place[again], "duplicate host \"%s\" (first in line %ld)",
			 r->hosts->v[again].name, r->place[first].line);
}

int pl_hosts_parse(struct pl_hosts *hosts, struct pl_text *text, enum pl_hosts_form form,
		   struct pl_err *err)
{
	struct reader r = {.hosts = hosts, .form = form, .err = err};
	struct pl_line line;
	int rc = 0;

	while (rc == 0 && pl_text_next(text, &line))
		rc = parse_line(&r, &line);
	if (rc == 0)
		rc = check_list(&r, text);
	free(r.place);
	if (rc) {
		pl_hosts_fini(hosts);
		pl_kind_blame(text, PL_KIND_HOSTS, err);
	}
	return rc;
}

int pl_hosts_read(struct pl_hosts *hosts, const char *path, enum pl_hosts_form form,
		  struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_hosts_parse(hosts, &text, form, err);
	pl_text_fini(&text);
	return rc;
}
