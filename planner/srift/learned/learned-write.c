/* SPDX-License-Identifier: BSD-3-Clause */
/* learned-write.c - models of bandwidths into a file */
#include "config.h"

#include "planner/srift/learned/parts.h"

#include "base/mem.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int pl_model_digest(char out[PL_MODEL_DIGEST_CHARS], const struct pl_model_piece *piece, size_t n,
		    struct pl_err *err)
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state;

	if (sodium_init() < 0)
		return pl_err_set(err, PL_ESYSTEM, "cannot start libsodium");
	crypto_hash_sha256_init(&state);
	for (size_t i = 0; i < n; i++)
		crypto_hash_sha256_update(&state, (const unsigned char *)piece[i].s, piece[i].len);
	crypto_hash_sha256_final(&state, hash);
	memcpy(out, "sha256:", 7);
	sodium_bin2hex(out + 7, PL_MODEL_DIGEST_CHARS - 7, hash, sizeof(hash));
	return 0;
}

static json_t *features_json(void)
{
	json_t *all = json_array();

	for (size_t i = 0; i < PL_FEATURES; i++)
		json_array_append_new(all, json_string(pl_feature_name(i)));
	return all;
}

json_t *pl_model_categories(const struct pl_learned *m)
{
	json_t *all = json_object();

	for (int i = 0; i < PL_GRID_TEXTS; i++) {
		json_t *names = json_array();

		for (size_t k = 0; k < m->category[i].n; k++)
			json_array_append_new(names, json_string(m->category[i].v[k]));
		json_object_set_new(all, pl_grid_text_name[i], names);
	}
	return all;
}

static json_t *machine_json(const struct pl_grid_machine *m)
{
	json_t *all = json_pack("{ss}", "instance", m->instance);
	json_t *ranks = json_array();

	for (size_t i = 0; i < m->n_ranks; i++)
		json_array_append_new(ranks, json_integer((json_int_t)m->ranks[i]));
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		json_object_set_new(all, pl_grid_text_name[i], json_string(m->text[i]));
	for (int i = 0; i < PL_GRID_NUMBERS; i++)
		json_object_set_new(all, pl_grid_number_name[i], json_real(m->number[i]));
	json_object_set_new(all, "ranks", ranks);
	json_object_set_new(all, "bytes",
			    json_pack("[II]", (json_int_t)m->bytes_min, (json_int_t)m->bytes_max));
	json_object_set_new(all, "async",
			    json_pack("[II]", (json_int_t)m->async_min, (json_int_t)m->async_max));
	return all;
}

static json_t *half_json(const struct pl_learned_half *h)
{
	const struct pl_boost_fit *f = &h->fit;

	if (!h->boost)
		return json_null();
	return json_pack("{sf sf sf sI sI sf sf sf sf sI sf sf sf sI}", "base", h->base, "least",
			 (double)h->least, "most", (double)h->most, "rows", (json_int_t)h->n_rows,
			 "withheld", (json_int_t)h->n_test, "mape", h->mape, "cv_mape", f->mape,
			 "cv_mape_least", f->mape_least, "cv_mape_most", f->mape_most, "trees",
			 (json_int_t)f->n_trees, "slope", f->params.slope, "rate", f->params.rate,
			 "min_weight", f->params.min_weight, "depth", (json_int_t)f->params.depth);
}

static json_t *header_json(const struct pl_learned *m)
{
	json_t *machines = json_array();

	for (size_t i = 0; i < m->n_machines; i++)
		json_array_append_new(machines, machine_json(&m->machine[i]));
	return json_pack("{so so so sI so so}", "features", features_json(), "categories",
			 pl_model_categories(m), "machines", machines, "mtu_bytes",
			 (json_int_t)m->mtu_bytes, pl_half_name[PL_HALF_SMALL],
			 half_json(&m->half[PL_HALF_SMALL]), pl_half_name[PL_HALF_LARGE],
			 half_json(&m->half[PL_HALF_LARGE]));
}

int pl_learned_write(const struct pl_learned *m, FILE *out, struct pl_err *err)
{
	json_t *header = header_json(m);
	char *line[3] = {NULL, NULL, NULL}, sum[PL_MODEL_DIGEST_CHARS];
	struct pl_model_piece piece[6];
	int rc = -1;

	if (header)
		line[0] = json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(header);
	if (!line[0]) {
		pl_err_nomem(err);
		goto out;
	}
	for (int i = 0; i < PL_HALVES; i++) {
		struct pl_boost *b = m->half[i].boost;

		line[i + 1] = b ? pl_boost_save(b, err) : pl_string_copy("null", 4);
		if (!line[i + 1])
			goto out;
	}
	for (int i = 0; i < 3; i++) {
		piece[2 * i] = (struct pl_model_piece){line[i], strlen(line[i])};
		piece[2 * i + 1] = (struct pl_model_piece){"\n", 1};
	}
	if (pl_model_digest(sum, piece, 6, err))
		goto out;
	fprintf(out, PL_MODEL_MAGIC " %d %s\n%s\n%s\n%s\n", PL_LEARNED_VERSION, sum, line[0],
		line[1], line[2]);
	rc = ferror(out) ? pl_err_errno(err, "cannot write the model") : 0;
out:
	for (int i = 0; i < 3; i++)
		free(line[i]);
	return rc;
}
