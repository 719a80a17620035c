#pragma once

#include <string>
#include <vector>

#include <bellwether/model/model.h>

/// What a model has to say for itself after learning: for people and, as JSON, for programs.
namespace bellwether::cli {

/// What the log was like beyond what the model keeps.
struct LogRemarks {
  std::vector<std::string> choices;  // what was chosen, in sentences
  std::uint64_t skipped = 0;         // bad rows
  std::string first_skipped;
  std::uint64_t without_end = 0;  // last steps of episodes whose last observation is missing
};

/// Things a person should know before trusting the values.
std::vector<std::string> warnings(const Model& model, const LogRemarks& remarks);

/// "12.3 +- 0.4": to as many digits as the interval leaves meaning to.
std::string value_text(const PolicyValue& value);

std::string summary_text(const Model& model, const LogRemarks& remarks);
std::string summary_json(const Model& model, const LogRemarks& remarks);

}  // namespace bellwether::cli
