/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-read.c - profiles from their files */
#include "config.h"

#include "planner/srift/profile/profile.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "planner/json.h"

#include <string.h>

#define TEXT_MAX ((size_t)256 << 20)
#define SECONDS_MIN 1e-9
#define SECONDS_MAX 1e6
#define BATCH_MAX 1e9
#define RANKS_MAX 1024
#define LAYER_BYTES_MAX ((int64_t)1 << 40)

/* A member that may be missing. */
static int read_number_or(const struct pl_json_at *at, double min, double max, double otherwise,
			  double *out, struct pl_err *err)
{
	*out = otherwise;
	return at->value ? pl_json_number(at, min, max, out, err) : 0;
}

static int copy_string(const struct pl_json_at *at, char **out, struct pl_err *err)
{
	const char *s;

	if (pl_json_string(at, &s, err))
		return -1;
	*out = pl_string_copy(s, strlen(s));
	return *out ? 0 : pl_err_nomem(err);
}

/* Numbers of an array into *out, which must be NULL. */
static int read_numbers(const struct pl_json_at *at, size_t n, double min, double max, double **out,
			struct pl_err *err)
{
	size_t found;

	if (pl_json_array(at, n, n, &found, err))
		return -1;
	*out = pl_array_create(n, sizeof(**out));
	if (!*out)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at number = pl_json_element(at, i);

		if (pl_json_number(&number, min, max, &(*out)[i], err))
			return -1;
	}
	return 0;
}

static int read_layer(struct pl_profile_layer *layer, const struct pl_json_at *at,
		      struct pl_err *err)
{
	static const char *const keys[] = {"name", "bytes", "probability", NULL};
	const struct pl_json_at name = pl_json_member(at, "name");
	const struct pl_json_at chance = pl_json_member(at, "probability");

	if (pl_json_object(at, keys, err) || copy_string(&name, &layer->name, err) ||
	    pl_json_whole_in(at, "bytes", 0, LAYER_BYTES_MAX, &layer->bytes, err))
		return -1;
	return read_number_or(&chance, 0, 1, 1, &layer->probability, err);
}

static int read_layers(struct pl_profile *p, const struct pl_json_at *at, struct pl_err *err)
{
	size_t n;

	if (pl_json_array(at, 1, PL_PROFILE_LAYERS_MAX, &n, err))
		return -1;
	p->layer = pl_array_create(n, sizeof(*p->layer));
	if (!p->layer)
		return pl_err_nomem(err);
	p->n_layers = n;
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at layer = pl_json_element(at, i);

		if (read_layer(&p->layer[i], &layer, err))
			return -1;
	}
	return 0;
}

static int check_ascending(const struct pl_json_at *at, const double *batch, size_t n,
			   struct pl_err *err)
{
	for (size_t i = 1; i < n; i++)
		if (batch[i] <= batch[i - 1]) {
			const struct pl_json_at number = pl_json_element(at, i);

			return pl_json_fault(&number, err, "batches must ascend: %g comes after %g",
					     batch[i], batch[i - 1]);
		}
	return 0;
}

static int read_curves(struct pl_profile_instance *in, const struct pl_json_at *at,
		       struct pl_err *err)
{
	const struct pl_json_at batches = pl_json_member(at, "batches");
	const struct pl_json_at forward = pl_json_member(at, "forward_s");
	const struct pl_json_at backward = pl_json_member(at, "backward_s");
	size_t n;

	if (pl_json_array(&batches, 1, PL_PROFILE_POINTS_MAX, &n, err) ||
	    read_numbers(&batches, n, 1, BATCH_MAX, &in->forward.batch, err) ||
	    read_numbers(&batches, n, 1, BATCH_MAX, &in->backward.batch, err) ||
	    check_ascending(&batches, in->forward.batch, n, err) ||
	    read_numbers(&forward, n, SECONDS_MIN, SECONDS_MAX, &in->forward.t_s, err) ||
	    read_numbers(&backward, n, SECONDS_MIN, SECONDS_MAX, &in->backward.t_s, err))
		return -1;
	in->forward.n = in->backward.n = n;
	return 0;
}

static int read_instance(const struct pl_profile *p, struct pl_profile_instance *in,
			 const struct pl_json_at *at, bool is_first, struct pl_err *err)
{
	static const char *const keys[] = {"origin",    "with",    "when",      "name",
					   "ranks",     "batches", "forward_s", "backward_s",
					   "straggler", "finish",  NULL};
	const struct pl_json_at name = pl_json_member(at, "name");
	const struct pl_json_at ranks = pl_json_member(at, "ranks");
	const struct pl_json_at scale = pl_json_member(at, "straggler");
	const struct pl_json_at finish = pl_json_member(at, "finish");
	int64_t whole = 1;

	if (pl_json_object(at, is_first ? keys + 3 : keys, err) ||
	    pl_origin_read(&in->origin, at, err) || copy_string(&name, &in->name, err) ||
	    read_curves(in, at, err) || read_number_or(&scale, 0, 1, 0, &in->straggler, err) ||
	    read_numbers(&finish, p->n_layers, 0, 1, &in->finish, err) ||
	    (ranks.value && pl_json_whole(&ranks, 1, RANKS_MAX, &whole, err)))
		return -1;
	in->ranks = (size_t)whole;
	if (pl_profile_find(p, in->name, strlen(in->name)) != in)
		return pl_json_fault(&name, err, "\"%s\" comes again", in->name);
	return 0;
}

static int read_instances(struct pl_profile *p, const struct pl_json_at *at, bool is_first,
			  struct pl_err *err)
{
	size_t n;

	if (pl_json_array(at, 1, PL_PROFILE_INSTANCES_MAX, &n, err))
		return -1;
	p->instance = pl_array_create(n, sizeof(*p->instance));
	if (!p->instance)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at instance = pl_json_element(at, i);

		p->n_instances = i + 1;
		if (read_instance(p, &p->instance[i], &instance, is_first, err))
			return -1;
	}
	return 0;
}

static int read_all(struct pl_profile *p, const struct pl_json *doc, struct pl_err *err)
{
	static const char *const keys[] = {"numbers", "plink-profile", "model",
					   "layers",  "instances",     NULL};
	const struct pl_json_at root = pl_json_root(doc);
	const struct pl_json_at version = pl_json_member(&root, "plink-profile");
	const struct pl_json_at model = pl_json_member(&root, "model");
	const struct pl_json_at layers = pl_json_member(&root, "layers");
	const struct pl_json_at instances = pl_json_member(&root, "instances");
	const struct pl_json_at numbers = pl_json_member(&root, "numbers");
	int64_t number;

	if (!json_is_object(root.value) || !version.value)
		return pl_json_fault(&root, err,
				     "this is not a profile: it has no \"plink-profile\"");
	if (pl_json_whole(&version, 1, 2, &number, err) ||
	    pl_json_object(&root, number == 1 ? keys + 1 : keys, err) ||
	    copy_string(&model, &p->model, err) || read_layers(p, &layers, err) ||
	    read_instances(p, &instances, number == 1, err))
		return -1;
	return pl_profile_numbers_take(&p->numbers, &numbers, err);
}

int pl_profile_parse(struct pl_profile *p, const struct pl_text *text, struct pl_err *err)
{
	struct pl_json doc;
	int rc;

	if (pl_json_parse(&doc, text, err))
		return -1;
	rc = read_all(p, &doc, err);
	pl_json_fini(&doc);
	if (rc)
		pl_profile_fini(p);
	return rc;
}

int pl_profile_read(struct pl_profile *p, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_profile_parse(p, &text, err);
	if (rc)
		pl_kind_blame(&text, PL_KIND_PROFILE, err);
	pl_text_fini(&text);
	return rc;
}
