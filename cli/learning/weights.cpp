#include "learning/weights.h"

#include <sstream>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/numpy/npy.h>

#include "terminal/csv.h"
#include "terminal/output.h"

namespace bellwether::cli {

void check_weights_path(const std::string& path) {
  if (path.ends_with(".csv") || path.ends_with(".npy")) return;
  throw InvalidArgument(fmt::format("learn: --weights {} ends neither in .csv nor in .npy", path));
}

void write_weights(const Model& model, const std::string& path) {
  check_weights_path(path);
  const std::size_t d = model.recipe().dim;
  std::vector<double> all;
  for (std::size_t k = 0; k < model.targets(); ++k) {
    const std::vector<double> w = model.weights(k);
    all.insert(all.end(), w.begin(), w.end());
  }
  Output out(path);
  if (path.ends_with(".npy")) {
    std::ostringstream bytes;
    write_npy(bytes, all, model.targets() == 1 ? std::vector{d} : std::vector{model.targets(), d});
    out.write(bytes.str());
  } else {
    std::string text = "feature";
    for (std::size_t k = 0; k < model.targets(); ++k) {
      text += "," + csv_cell(model.targets() == 1 ? "weight" : "weight_" + model.recipe().name_of(k));
    }
    for (std::size_t j = 0; j < d; ++j) {
      text += fmt::format("\n{}", j);
      for (std::size_t k = 0; k < model.targets(); ++k) text += "," + csv_cell(all[k * d + j]);
    }
    out.write(text + "\n");
  }
  out.finish();
}

}  // namespace bellwether::cli
