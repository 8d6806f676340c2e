/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON that tools write */
#include "config.h"

#include "src/common/json.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT 1 /* of all tools */

void pl_list_add(json_t **list, json_t *value)
{
	if (json_array_append_new(*list, value)) {
		json_decref(*list);
		*list = NULL;
	}
}

void pl_obj_set(json_t **object, const char *key, json_t *value)
{
	if (json_object_set_new(*object, key, value)) {
		json_decref(*object);
		*object = NULL;
	}
}

json_t *pl_tool_json_whole(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

json_t *pl_tool_json_text(const char *s)
{
	json_t *value = s ? json_string(s) : json_null();
	char *copy, *to;

	if (value)
		return value;
	copy = to = pl_string_copy(s, strlen(s));
	while (copy && *s) {
		uint32_t c;
		const size_t len = pl_utf8_next(s, &c);

		if (c == PL_UTF8_NONE)
			*to++ = '?';
		else
			to = mempcpy(to, s, len);
		s += len;
	}
	if (copy) {
		*to = '\0';
		value = json_string(copy);
	}
	free(copy);
	return value;
}

json_t *pl_tool_json_number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

/* Takes @root, and returns its members behind the head. NULL: out of memory, or @root is NULL. */
static json_t *with_head(const char *tool, json_t *root)
{
	json_t *all = json_pack("{s:s, s:i, s:s}", "tool", tool, "format", FORMAT, "version",
				PACKAGE_VERSION);

	if (!root || json_object_update(all, root)) {
		json_decref(all);
		all = NULL;
	}
	json_decref(root);
	return all;
}

int pl_tool_json_line(const char *tool, json_t *root, FILE *out, struct pl_err *err)
{
	char *line;

	root = with_head(tool, root);
	line = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
	json_decref(root);
	if (!line)
		return pl_err_nomem(err);
	fprintf(out, "%s\n", line);
	free(line);
	return 0;
}

int pl_tool_json_write(const char *tool, json_t *root, FILE *out, struct pl_err *err)
{
	int rc;

	root = with_head(tool, root);
	if (!root)
		return pl_err_nomem(err);
	rc = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(root);
	if (rc || fputc('\n', out) == EOF)
		return pl_err_errno(err, "cannot write");
	return 0;
}
