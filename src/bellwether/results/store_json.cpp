#include <bellwether/results/store_json.h>

#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace bellwether {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// read(parsed text), for a `read` that expects something of it.
template <class F>
auto parsed(const std::string& json, F&& read) {
  try {
    return read(Json::parse(json));
  } catch (const Json::exception&) {
    throw std::runtime_error("a cell is not the JSON it should be");
  }
}

}  // namespace

std::string json_of(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [key, value] : settings) object[key] = value;
  return dumped(object);
}

Settings settings_of(const std::string& json) {
  return parsed(json, [](const Json& object) {
    Settings settings;
    for (const auto& item : object.items()) settings.emplace_back(item.key(), item.value().get<std::string>());
    return settings;
  });
}

std::string json_of(const std::vector<std::string>& words) { return dumped(words); }

std::vector<std::string> words_of(const std::string& json) {
  return parsed(json, [](const Json& array) { return array.get<std::vector<std::string>>(); });
}

std::string json_of(const std::vector<std::uint64_t>& numbers) { return dumped(numbers); }

std::vector<std::uint64_t> numbers_of(const std::string& json) {
  return parsed(json, [](const Json& array) {
    std::vector<std::uint64_t> numbers;
    for (const Json& number : array) numbers.push_back(number.get_ref<const Json::number_unsigned_t&>());
    return numbers;
  });
}

StudyShape shape_of(const std::string& metrics, const std::string& at) {
  StudyShape shape{words_of(metrics), numbers_of(at)};
  const std::set<std::string> different(shape.metrics.begin(), shape.metrics.end());
  if (shape.metrics.empty()) throw std::runtime_error("a study has no metric");
  if (different.size() != shape.metrics.size()) throw std::runtime_error("a study has a metric twice");
  return shape;
}

}  // namespace bellwether
