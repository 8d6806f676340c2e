# SPDX-License-Identifier: BSD-3-Clause
# plink - ranks of elastic jobs by a plan
"""torchrun with ranks that follow a plan of plink; see plink-torchrun(7)."""
