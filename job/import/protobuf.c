/* SPDX-License-Identifier: BSD-3-Clause */
/* protobuf.c - the fields of a message of Protocol Buffers */
#include "config.h"

#include "job/import/protobuf.h"

int pl_protobuf_varint(struct pl_protobuf *w, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < w->len && i < 10; i++) {
		const uint64_t bits = w->at[i] & 0x7f;

		if (i == 9 && bits > 1)
			return -1;
		*value |= bits << (7 * i);
		if (w->at[i] < 0x80) {
			w->at += i + 1;
			w->len -= i + 1;
			return 0;
		}
	}
	return -1;
}

/* Takes @n bytes, the lowest first. */
static int take_fixed(struct pl_protobuf *w, size_t n, uint64_t *value)
{
	if (w->len < n)
		return -1;
	*value = 0;
	for (size_t i = n; i-- > 0;)
		*value = *value << 8 | w->at[i];
	w->at += n;
	w->len -= n;
	return 0;
}

static int take_bytes(struct pl_protobuf *w, struct pl_protobuf *bytes)
{
	uint64_t len;

	if (pl_protobuf_varint(w, &len) || len > w->len)
		return -1;
	*bytes = (struct pl_protobuf){.at = w->at, .len = (size_t)len};
	w->at += len;
	w->len -= (size_t)len;
	return 0;
}

int pl_protobuf_next(struct pl_protobuf *w, struct pl_protobuf_field *field)
{
	uint64_t key;
	int rc = -1;

	if (w->len == 0)
		return 0;
	if (pl_protobuf_varint(w, &key) || key >> 3 == 0)
		return -1;
	*field = (struct pl_protobuf_field){.number = key >> 3,
					    .type = (enum pl_protobuf_type)(key & 7)};
	switch (field->type) {
	case PL_PROTOBUF_VARINT:
		rc = pl_protobuf_varint(w, &field->value);
		break;
	case PL_PROTOBUF_FIXED64:
		rc = take_fixed(w, 8, &field->value);
		break;
	case PL_PROTOBUF_BYTES:
		rc = take_bytes(w, &field->bytes);
		break;
	case PL_PROTOBUF_FIXED32:
		rc = take_fixed(w, 4, &field->value);
		break;
	}
	return rc ? -1 : 1;
}
