# SPDX-License-Identifier: BSD-3-Clause
# plink - ranks of elastic jobs by a plan, and norms of gradients
"""For PyTorch: torchrun with ranks that follow a plan of plink (plink-torchrun(7)), and
plink.norms, which logs what plink-batch(1) reads."""
