// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/blas.h>

#include <dlfcn.h>

#include <filesystem>

namespace halfdof::internal {

BlasInUse blas_in_use() {
  BlasInUse blas;
  Dl_info info{};
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (!dgemm || dladdr(dgemm, &info) == 0 || !info.dli_fname) return blas;

  std::error_code unknown;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, unknown);
  blas.library = unknown ? info.dli_fname : library.string();
  // Debian installs the reference implementation in .../blas/, and others in folders of their own names.
  blas.is_reference = library.parent_path().filename() == "blas";
  using GetConfig = char* (*)();
  if (void* const get_config = blas.is_reference ? nullptr : dlsym(RTLD_DEFAULT, "openblas_get_config"))
    blas.configuration = reinterpret_cast<GetConfig>(get_config)();
  return blas;
}

}  // namespace halfdof::internal
