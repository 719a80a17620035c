#pragma once

#include <string>

#include <bellwether/model/model.h>

namespace bellwether::cli {

/// The model in a file. Throws IoError when it can not be read, InvalidArgument when it is not a model.
Model read_model(const std::string& path);

/// Throws InvalidArgument when the ending is neither .csv nor .npy.
void check_weights_path(const std::string& path);

/// The weights as CSV, one line a feature and one column a target, or as an array of NumPy, by the ending.
void write_weights(const Model& model, const std::string& path);

}  // namespace bellwether::cli
