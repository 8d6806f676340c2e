/* SPDX-License-Identifier: BSD-3-Clause */
/* element.c - how PyTorch's traces name the types of elements, and NCCL its kernels */
#include "config.h"

#include "base/text/element.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	uint64_t bytes;
} types[] = {
	{"Float", 4},
	{"Half", 2},
	{"BFloat16", 2},
	{"Double", 8},
	{"float", 4},
	{"double", 8},
	{"Byte", 1},
	{"Char", 1},
	{"Short", 2},
	{"Int", 4},
	{"Long", 8},
	{"UInt16", 2},
	{"UInt32", 4},
	{"UInt64", 8},
	{"char", 1},
	{"signed char", 1},
	{"unsigned char", 1},
	{"short", 2},
	{"short int", 2},
	{"unsigned short", 2},
	{"short unsigned int", 2},
	{"int", 4},
	{"unsigned int", 4},
	{"long", 8},
	{"long int", 8},
	{"long long", 8},
	{"unsigned long", 8},
	{"long unsigned int", 8},
	{"Bool", 1},
	{"bool", 1},
	{"Float8_e4m3fn", 1},
	{"Float8_e4m3fnuz", 1},
	{"Float8_e5m2", 1},
	{"Float8_e5m2fnuz", 1},
	{"Float8_e8m0fnu", 1},
	{"Float4_e2m1fn_x2", 1},
	{"ComplexHalf", 4},
	{"ComplexFloat", 8},
	{"ComplexDouble", 16},
	{"complex<Half>", 4},
	{"complex<c10::Half>", 4},
	{"complex<float>", 8},
	{"complex<double>", 16},
	{"QInt8", 1},
	{"QUInt8", 1},
	{"QInt32", 4},
	{"QUInt4x2", 1},
	{"QUInt2x4", 1},
	{"qint8", 1},
	{"quint8", 1},
	{"qint32", 4},
	{"quint4x2", 1},
	{"quint2x4", 1},
	{"Bits1x8", 1},
	{"Bits2x4", 1},
	{"Bits4x2", 1},
	{"Bits8", 1},
	{"Bits16", 2},
};

uint64_t pl_tensor_element_bytes(const char *type)
{
	static const char space[] = "c10::";

	if (type && strncmp(type, space, sizeof(space) - 1) == 0)
		type += sizeof(space) - 1;
	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0)
			return types[i].bytes;
	return 0;
}

bool pl_is_nccl_kernel(const char *name)
{
	static const char result[] = "void ";

	if (strncmp(name, result, sizeof(result) - 1) == 0)
		name += sizeof(result) - 1;
	return strncmp(name, "nccl", 4) == 0;
}
