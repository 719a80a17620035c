#include <bellwether/model/log_source.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <bellwether/core/state.h>
#include <bellwether/data/numpy/npz_steps.h>
#include <bellwether/data/sampled_table.h>
#include <bellwether/data/table_steps.h>
#include <bellwether/data/text/sparse_text_reader.h>
#include <bellwether/data/text/text_table.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/choice.h>

namespace bellwether {
namespace {

std::optional<double> number_in(const std::string& text) {
  try {
    return detail::parse_number("", "", text);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

}  // namespace

bool is_stream(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_type type = fs::status(path, failed).type();
  return path == "-" || type == fs::file_type::fifo || type == fs::file_type::character;
}

LogSource::LogSource(LogRequest request, const Progress& progress, const Agreement& agree)
    : request_(std::move(request)) {
  open_stream();
  recipe_.seed = request_.seed;
  recipe_.holdout = request_.holdout;
  if (holds_ready_steps(request_.files.front())) {
    if (!request_.features.empty() && request_.features != "none") {
      throw InvalidArgument(fmt::format("{}: holds features already; --features {} has nothing to map",
                                        request_.files.front(), request_.features));
    }
    open(0);
    recipe_.dim = reader_->dim();
    recipe_.layout = reader_->layout();
  } else {
    make_table_recipe(progress, agree);
  }
  do {
    if (next() == nullptr) {
      throw InvalidArgument(fmt::format("{}: holds no step to learn from", request_.files.front()));
    }
  } while (steps_.size() == 0);
  peeked_ = true;
  make_targets(steps_.rewards.size());
  choose_the_learner();
}

LogSource::LogSource(LogRequest request, Recipe recipe)
    : request_(std::move(request)), recipe_(std::move(recipe)), map_(recipe_.map()) {
  check_agreement();
  if (!request_.dim) request_.dim = recipe_.dim;
  open_stream();
}

/// What is asked for again must be what the model has.
void LogSource::check_agreement() const {
  const auto reject = [](const std::string& what, const std::string& has, const std::string& asked) {
    throw InvalidArgument(fmt::format("the model has {} {}, not {}: leave it out, or learn anew", what, has, asked));
  };
  if (!request_.learner.empty() && request_.learner != recipe_.learner) {
    reject("the learner", recipe_.learner, request_.learner);
  }
  if (!request_.features.empty() && request_.features != recipe_.features) {
    reject("the features", recipe_.features, request_.features);
  }
  const Settings asked = find_entry(learners(), "learner", recipe_.learner).resolve(request_.settings);
  for (const auto& [name, text] : request_.settings) {
    const auto is = [&name = name](const auto& setting) { return setting.first == name; };
    const auto mine = std::find_if(recipe_.settings.begin(), recipe_.settings.end(), is);
    const auto theirs = std::find_if(asked.begin(), asked.end(), is);
    if (mine->second != theirs->second) reject(name, mine->second, theirs->second);
  }
  std::vector<std::string> discounts{recipe_.columns.discount};
  for (const Target& target : recipe_.targets) discounts.push_back(format_number(target.discount));
  for (const std::string& text : request_.discounts) {
    const auto number = number_in(text);
    const auto has = [&](const Target& target) { return number == target.discount; };
    const bool known =
        number ? std::any_of(recipe_.targets.begin(), recipe_.targets.end(), has) : text == recipe_.columns.discount;
    if (!known) reject("the discount", detail::join(discounts, " "), text);
  }
  const auto check_columns = [&](const char* role, const std::vector<std::string>& given,
                                 const std::vector<std::string>& has) {
    for (const std::string& name : given) {
      const auto is = [&](const std::string& column) { return column == name || column.starts_with(name + "."); };
      if (std::none_of(has.begin(), has.end(), is)) reject(role, detail::join(has, ","), name);
    }
  };
  check_columns("the state", request_.columns.state, recipe_.columns.state);
  check_columns("the reward", request_.columns.reward, recipe_.columns.reward);
}

/// A stream can be looked into only once, so whoever looks first keeps it.
void LogSource::open_stream() {
  if (!is_stream()) {
    const auto& files = request_.files;
    if (std::any_of(files.begin(), files.end(), bellwether::is_stream)) {
      throw InvalidArgument("a stream can not be read together with other files");
    }
    return;
  }
  stream_.emplace(request_.files.front(), request_.options);
  sparse_stream_ = is_sparse_text(*stream_);
}

bool LogSource::holds_ready_steps(const std::string& path) const {
  return is_stream() ? sparse_stream_ : is_sparse_text(path) || holds_steps(path);
}

std::unique_ptr<StepReader> LogSource::open_ready_steps(const std::string& path) {
  if (is_stream()) return open_sparse(std::move(*stream_), request_.options, request_.dim);
  if (is_sparse_text(path)) return open_sparse(path, request_.options, request_.dim);
  return open_npz_steps(path, request_.options);
}

std::unique_ptr<TableReader> LogSource::open_log(const std::string& path) {
  return is_stream() ? open_text_table(std::move(*stream_), request_.options) : open_table(path, request_.options);
}

void LogSource::make_table_recipe(const Progress& progress, const Agreement& agree) {
  auto table = open_log(request_.files.front());
  LogColumns given = request_.columns;
  for (const std::string& text : request_.discounts) {
    if (number_in(text)) continue;
    if (request_.discounts.size() > 1) {
      throw InvalidArgument(fmt::format("--discount takes numbers or one column, not '{}' beside others", text));
    }
    given.discount = text;
  }
  recipe_.columns = find_columns(given, table->columns(), table->name());
  const auto& state = recipe_.columns.state;
  const bool ready = std::all_of(state.begin(), state.end(), [](const auto& name) { return name.starts_with("x."); });
  recipe_.features = request_.features;
  recipe_.feature_settings = request_.feature_settings;
  if (recipe_.features == "none" || (recipe_.features.empty() && ready)) {
    recipe_.features = "none";
    recipe_.dim = state.size();
    recipe_.layout = Layout::dense;
    if (is_stream()) sampled_ = std::move(table);
    return;
  }
  if (is_stream()) {
    sampled_ = std::make_unique<SampledTable>(std::move(table), TableSteps::requests(recipe_.columns), request_.sample);
  }
  find_ranges(progress);
  if (agree) agree(recipe_.variables);
  if (recipe_.features.empty()) {
    const Choice choice = choose_features(recipe_.variables);
    recipe_.features = choice.name;
    choices_.push_back(fmt::format("features: {}, as {}", choice.name, choice.why));
  }
  map_ = recipe_.map();
  recipe_.dim = map_->dim();
  recipe_.layout = map_->layout();
}

void LogSource::find_ranges(const Progress& progress) {
  const auto& state = recipe_.columns.state;
  const auto& next = recipe_.columns.next;
  RangeFinder ranges(state);
  const auto look = [&](const TableBlock& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      ranges.add({block[i], state.size()});
      if (!next.empty()) ranges.add({block[i] + state.size(), state.size()});
    }
  };
  if (sampled_) {
    const TableBlock& sample = static_cast<const SampledTable&>(*sampled_).sample();
    look(sample);
    choices_.push_back(fmt::format("ranges of the state: those of the first {} rows", sample.rows));
  } else {
    std::vector<ColumnRequest> wanted;
    for (const auto* names : {&state, &next}) {
      for (const std::string& name : *names) wanted.push_back({.name = name});
    }
    TableBlock block;
    for (std::size_t f = 0; f < request_.files.size(); ++f) {
      auto table = open_table(request_.files[f], request_.options);
      table->select(wanted);
      while (table->read(block, largest_block)) {
        look(block);
        const double share =
            (static_cast<double>(f) + table->fraction().value_or(0)) / static_cast<double>(request_.files.size());
        if (progress) progress(share, "finding ranges");
      }
    }
  }
  recipe_.variables = ranges.variables();
}

void LogSource::make_targets(std::size_t rewards) {
  std::vector<double> discounts;
  for (const std::string& text : request_.discounts) {
    const auto number = number_in(text);
    if (!number) continue;
    if (!unit.contains(*number)) detail::reject_range("learn", "discount", text, unit);
    discounts.push_back(*number);
  }
  recipe_.ends_only = !discounts.empty();
  const LogColumns& columns = recipe_.columns;
  const bool table = !columns.state.empty();
  if (discounts.empty()) {
    if (table && columns.discount.empty()) {
      if (!columns.tells_ends() && columns.episode.empty()) {
        throw InvalidArgument(
            fmt::format("{}: nothing says where episodes end, so values need a discount: --discount 0.99, say",
                        request_.files.front()));
      }
      choices_.emplace_back("discount: 1, as none is given and episodes end");
    }
    discounts.push_back(1);
  }
  for (std::size_t k = 0; k < rewards; ++k) {
    const std::string name = table ? columns.reward[k] : rewards == 1 ? "reward" : fmt::format("reward.{}", k);
    for (const double discount : discounts) recipe_.targets.push_back({name, discount});
  }
}

void LogSource::choose_the_learner() {
  recipe_.learner = request_.learner;
  Settings settings = request_.settings;
  if (recipe_.learner.empty()) {
    const Choice choice = choose_learner(steps_, bytes());
    recipe_.learner = choice.name;
    for (const auto& chosen : choice.settings) {
      const auto same = [&](const auto& given) { return given.first == chosen.first; };
      if (std::none_of(settings.begin(), settings.end(), same)) settings.push_back(chosen);
    }
    choices_.push_back(fmt::format("learner: {} with {}, as {}", choice.name, text_of(settings), choice.why));
  }
  recipe_.settings = find_entry(learners(), "learner", recipe_.learner).resolve(settings);
  recipe_.resamples = request_.resamples.value_or(choose_resamples(recipe_.learner, recipe_.dim, bytes()));
  if (recipe_.resamples == 0 && !request_.resamples) {
    choices_.emplace_back("no interval, as learning from halves of the episodes too would take long (--resamples 20)");
  }
}

std::optional<std::uint64_t> LogSource::bytes() const {
  namespace fs = std::filesystem;
  std::uint64_t sum = 0;
  for (const std::string& path : request_.files) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {  // a dataset of several files
      for (const auto& entry : fs::recursive_directory_iterator(path, failed)) {
        if (entry.is_regular_file(failed)) sum += entry.file_size(failed);
      }
    } else if (fs::is_regular_file(path, failed)) {
      sum += fs::file_size(path, failed);
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

void LogSource::open(std::size_t file) {
  const std::string& path = request_.files[file];
  if (recipe_.columns.state.empty()) {
    if (!holds_ready_steps(path)) {
      throw InvalidArgument(
          fmt::format("{}: is a table, but what was learned before it are steps with features", path));
    }
    reader_ = open_ready_steps(path);
    const bool known = !recipe_.learner.empty() || file > 0;
    if (known && (reader_->dim() != recipe_.dim || reader_->layout() != recipe_.layout)) {
      throw InvalidArgument(fmt::format("{}: has {} features, the model {}", path, reader_->dim(), recipe_.dim));
    }
  } else {
    auto table = sampled_ ? std::move(sampled_) : open_log(path);
    check_group(recipe_.columns.state, table->columns(), table->name());
    reader_ = std::make_unique<TableSteps>(std::move(table), recipe_.columns, map_);
  }
  file_ = file;
  new_file_ = file > 0;
}

void LogSource::close_reader() {
  skipped_ += reader_->skipped();
  if (first_skipped_.empty()) first_skipped_ = reader_->first_skipped();
  if (const auto* table = dynamic_cast<const TableSteps*>(reader_.get())) without_end_ += table->without_end();
  reader_.reset();
}

const StepBlock* LogSource::next() {
  if (peeked_) {
    peeked_ = false;
    return &steps_;
  }
  if (!reader_ && file_ == 0) open(0);
  while (reader_) {
    if (reader_->read(steps_, block_)) {
      if (steps_.size() > 0) {
        block_ = std::min(2 * block_, largest_block);
        if (new_file_ && !steps_.restart.empty()) steps_.restart[0] = 1;
        else if (new_file_) steps_.restart.assign(steps_.size(), 0), steps_.restart[0] = 1;
        new_file_ = false;
      }
      return &steps_;
    }
    close_reader();
    ++file_;
    if (file_ < request_.files.size()) open(file_);
  }
  return nullptr;
}

void LogSource::rewind() {
  if (is_stream()) throw InvalidArgument("standard input can be read once only, not in several passes");
  if (reader_) close_reader();
  skipped_ = without_end_ = 0;
  file_ = 0;
  block_ = largest_block;
}

std::optional<double> LogSource::fraction() const {
  if (!reader_) return static_cast<double>(file_) / static_cast<double>(request_.files.size());
  const auto here = reader_->fraction();
  if (!here) return std::nullopt;
  return (static_cast<double>(file_) + *here) / static_cast<double>(request_.files.size());
}

std::uint64_t LogSource::skipped() const { return skipped_ + (reader_ ? reader_->skipped() : 0); }

std::uint64_t LogSource::without_end() const {
  const auto* table = dynamic_cast<const TableSteps*>(reader_.get());
  return without_end_ + (table != nullptr ? table->without_end() : 0);
}

std::string LogSource::waiting() const {
  StateWriter out;
  if (const auto* table = dynamic_cast<const TableSteps*>(reader_.get())) table->save(out);
  return out.take();
}

void LogSource::continue_from(const std::string& waiting) {
  if (waiting.empty()) return;
  if (!reader_) open(0);
  StateReader in(waiting);
  if (auto* table = dynamic_cast<TableSteps*>(reader_.get())) table->load(in);
}

}  // namespace bellwether
