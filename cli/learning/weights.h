#pragma once

#include <string>

#include <bellwether/model/model.h>

namespace bellwether::cli {

/// Throws InvalidArgument when the path ends neither in .csv nor in .npy.
void check_weights_path(const std::string& path);

/// Writes the weights as CSV, one line for each feature and one column for each target, or as a NumPy array, depending
/// on the ending of the path.
void write_weights(const Model& model, const std::string& path);

}  // namespace bellwether::cli
