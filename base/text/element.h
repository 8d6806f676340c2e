/* SPDX-License-Identifier: BSD-3-Clause */
/* element.h - how PyTorch's traces name the types of elements, and NCCL its kernels */
#ifndef PLINK_BASE_TEXT_ELEMENT_H
#define PLINK_BASE_TEXT_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of an element, by PyTorch's names in messages ("BFloat16") and in shapes ("c10::BFloat16",
 * "long int"); 0: none of these, or NULL. */
uint64_t pl_tensor_element_bytes(const char *type);

/* ncclKernel_..., ncclDevKernel_..., ncclSymkDevKernel_..., ...: of all versions. */
bool pl_is_nccl_kernel(const char *name);

#endif
