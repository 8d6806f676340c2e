# SPDX-License-Identifier: BSD-3-Clause
"""plink for Spack; its syntax is checked, it was never built there."""

from spack.package import *


class PlinkCollectives(AutotoolsPackage):
    """Measures the network between rented machines and orders them so that the
    collectives of a job (MPI, NCCL, Gloo, LightGBM) are cheap."""

    # a copy of the source's repository or tarball: spack develop, or a mirror
    manual_download = True

    license("BSD-3-Clause")

    version("0.1")

    variant("glpk", default=True, description="Bounds by branch and cut")
    variant("z3", default=True, description="Proofs")
    variant("mpi", default=True, description="The library for Open MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("jansson@2.10:")
    depends_on("libsodium@1.0.18:")
    depends_on("pcg-cpp")
    depends_on("libpcap")
    depends_on("netlib-lapack+lapacke")
    depends_on("zlib-api")
    depends_on("libyaml")
    depends_on("glpk", when="+glpk")
    depends_on("z3", when="+z3")
    depends_on("openmpi", when="+mpi")

    def autoreconf(self, spec, prefix):
        autoreconf("-i")

    def configure_args(self):
        return (
            self.with_or_without("glpk")
            + self.with_or_without("z3")
            + self.with_or_without("mpi")
            + ["--without-torch"]
        )
