/* SPDX-License-Identifier: BSD-3-Clause */
/* element.c - the size of a tensor's elements, by the name of their type */
#include "config.h"

#include "base/text/element.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	uint64_t bytes;
} types[] = {
	{"Float", 4},         {"Half", 2},        {"BFloat16", 2},     {"Double", 8},
	{"float", 4},         {"double", 8},      {"c10::Half", 2},    {"c10::BFloat16", 2},
	{"Byte", 1},          {"Char", 1},        {"Int", 4},          {"Long", 8},
	{"int", 4},           {"long", 8},        {"long int", 8},     {"unsigned char", 1},
	{"signed char", 1},   {"Bool", 1},        {"bool", 1},         {"Short", 2},
	{"Float8_e4m3fn", 1}, {"Float8_e5m2", 1}, {"ComplexFloat", 8}, {"ComplexDouble", 16},
};

uint64_t pl_tensor_element_bytes(const char *type)
{
	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0)
			return types[i].bytes;
	return 0;
}
