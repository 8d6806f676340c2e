/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h - numbers of NCCL's data types, read and written as double
 * or int64 */
#ifndef PLINK_TESTS_SHIM_NCCL_TYPES_H
#define PLINK_TESTS_SHIM_NCCL_TYPES_H

#include "shim/nccl/nccl-abi.h"

#include <stdbool.h>

#define N_TYPES 12

/* Bytes of an element. */
size_t type_size(int type);

bool type_is_float(int type);

const char *type_name(int type);

/* Element @i of @data[], of a floating type. type_put() writes the nearest value of the type, ties
 * to even. */
double type_get(const void *data, size_t i, int type);
void type_put(void *data, size_t i, int type, double value);

/* The same for a whole type; bits that do not fit are cut off. */
uint64_t type_get_whole(const void *data, size_t i, int type);
void type_put_whole(void *data, size_t i, int type, uint64_t value);

/* The whole number @value in any of the types. */
void type_put_any(void *data, size_t i, int type, int64_t value);

#endif
