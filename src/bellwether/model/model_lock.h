#pragma once

#include <memory>
#include <string>

#include <bellwether/core/files/file_lock.h>

namespace bellwether {

/// The right to change the file of a model, to be held from before it is read until after it is written, so that nobody
/// loses what another one has learned. Nothing for pipes and devices, which hold no model. Throws IoError when another
/// process has it: `m.bw is being learned by another process (process 1234 on host)`.
std::unique_ptr<FileLock> lock_model(const std::string& path);

}  // namespace bellwether
