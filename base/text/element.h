/* SPDX-License-Identifier: BSD-3-Clause */
/* element.h - the size of a tensor's elements, by the name of their type */
#ifndef PLINK_BASE_TEXT_ELEMENT_H
#define PLINK_BASE_TEXT_ELEMENT_H

#include <stdint.h>

/* Bytes of an element, by PyTorch's names in messages ("BFloat16") and in shapes ("c10::BFloat16",
 * "long int"); 0: none of these, or NULL. */
uint64_t pl_tensor_element_bytes(const char *type);

#endif
