# SPDX-License-Identifier: BSD-3-Clause
# plink - ranks of elastic jobs by a plan, norms of gradients, parameters on hubs
"""For PyTorch: torchrun with ranks that follow a plan of plink (plink-torchrun(7));
plink.norms, which logs what plink-batch(1) reads; and plink.hub, whose optimiser runs on
hubs (plink-hub(1))."""
