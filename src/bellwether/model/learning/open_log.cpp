#include <bellwether/model/learning/open_log.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include <bellwether/core/params/params.h>
#include <bellwether/data/order/checked_table.h>
#include <bellwether/data/sampled_table.h>
#include <bellwether/data/table_steps.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/learning/agreement.h>
#include <bellwether/model/learning/defaults.h>
#include <bellwether/model/learning/feature_choice.h>
#include <bellwether/model/learning/state_columns.h>

namespace bellwether {
namespace {

/// The size of all files, if it is known.
std::optional<std::uint64_t> bytes_of(const std::vector<LogSource>& files) {
  namespace fs = std::filesystem;
  std::uint64_t sum = 0;
  for (const LogSource& source : files) {
    const std::string& path = source.name;
    std::error_code failed;
    if (!source.is_file()) {
      if (!source.bytes) return std::nullopt;
      sum += *source.bytes;
    } else if (fs::is_directory(path, failed)) {  // a dataset of several files
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

TableOptions table_options(const LearnRequest& request, const OpenLogCallbacks& callbacks) {
  return {.bad_rows = request.bad_rows, .decimal = request.decimal, .interrupted = callbacks.stopped};
}

StepFormat format_of(const Recipe& recipe, std::shared_ptr<const FeatureMap> map, const LearnRequest& request) {
  return {.columns = recipe.columns,
          .map = std::move(map),
          .layout = recipe.layout,
          .dim = recipe.dim,
          .variables = recipe.variables,
          .keep_states = request.figures,
          .stream = std::any_of(request.files.begin(), request.files.end(), is_stream)};
}

/// The columns of a table, one of which may be the discount.
LogColumns columns_of(const LearnRequest& request, const TableReader& table) {
  LogColumns given = request.columns;
  for (const std::string& text : request.discount) {
    if (discount_number(text)) continue;
    if (request.discount.size() > 1) {
      throw InvalidArgument(fmt::format("`discount` takes numbers or one column, not '{}' beside others", text));
    }
    given.discount = text;
  }
  return find_columns(given, table.columns(), table.name());
}

/// Whether the cells of a column can be read as times, to judge by the first rows of a file.
bool holds_times(const LogSource& file, const TableOptions& options, const std::string& column) {
  constexpr std::size_t rows = 256;
  const auto table = open_log_table(file, options);
  TableBlock block;
  try {
    table->select({{.name = column, .kind = CellKind::moment, .may_be_empty = true}});
    return table->read(block, rows) && table->skipped() == 0;
  } catch (const InvalidArgument&) {
    return false;
  }
}

/// Fills in a recipe step by step, from what the files hold.
class RecipeMaker {
 public:
  RecipeMaker(const LearnRequest& request, const OpenLogCallbacks& callbacks)
      : request_(request), callbacks_(callbacks), options_(table_options(request, callbacks)) {}

  OpenLog make() {
    recipe_.seed = static_cast<std::uint64_t>(request_.params.seed);
    recipe_.holdout = request_.params.holdout;
    LogFile file(first_file(), options_);
    auto reader = file.holds_steps() ? ready_steps(file) : table_steps(file.table());
    auto steps = std::make_unique<LogSteps>(request_.files, options_, format_of(recipe_, std::move(map_), request_),
                                            std::move(reader), threads_of(request_) - 1, in_order_);
    const StepBlock* first = steps->peek();
    if (first == nullptr) throw InvalidArgument(fmt::format("{}: holds no step to learn from", first_file().name));
    add_targets(first->rewards.size());
    choose_the_learner(*first);
    return {std::move(recipe_), std::move(chosen_), std::move(steps)};
  }

 private:
  const LogSource& first_file() const { return request_.files.front(); }

  std::unique_ptr<StepReader> ready_steps(LogFile& file) {
    if (!request_.features.empty() && request_.features != "none") {
      throw InvalidArgument(fmt::format("{}: holds features already; `features={}` has nothing to map",
                                        first_file().name, request_.features));
    }
    auto reader = file.steps(request_.dim);
    recipe_.dim = reader->dim();
    recipe_.layout = reader->layout();
    return reader;
  }

  std::unique_ptr<StepReader> table_steps(std::unique_ptr<TableReader> table) {
    recipe_.columns = columns_of(request_, *table);
    forget_other_times();
    if (const auto rest = unused(recipe_.columns, table->columns()); !rest.empty()) {
      constexpr std::size_t most = 10;
      const std::vector<std::string> some(rest.begin(),
                                          rest.begin() + static_cast<std::ptrdiff_t>(std::min(most, rest.size())));
      chosen_.push_back(fmt::format("columns that are not used: {}{}", detail::join(some, ", "),
                                    rest.size() > most ? fmt::format(" and {} more", rest.size() - most) : ""));
    }
    const auto& state = recipe_.columns.state;
    const bool ready = std::all_of(state.begin(), state.end(), [](const auto& name) { return name.starts_with("x."); });
    recipe_.features = request_.features.empty() && ready ? "none" : request_.features;
    recipe_.feature_settings = request_.feature_settings;
    if (recipe_.features == "none") {
      recipe_.dim = state.size();
      recipe_.layout = Layout::dense;
    } else {
      if (is_stream(first_file())) table = sampled(std::move(table));
      else find_ranges_of_files(*table);
      make_features();
    }
    const bool tells = OrderColumns(recipe_.columns).tell();
    if (in_order_.empty()) {
      in_order_.push_back(!tells || is_stream(first_file()) ||
                          rows_in_order(*open_log_table(first_file(), options_), recipe_.columns));
    }
    if (tells && is_stream(first_file()) && in_order_.front()) {
      table = std::make_unique<CheckedTable>(std::move(table), recipe_.columns);
    }
    return steps_of(std::move(table), format_of(recipe_, map_, request_), options_, !in_order_.front());
  }

  /// A column that is called like a time, but that nobody named, may hold something else.
  void forget_other_times() {
    std::string& time = recipe_.columns.time;
    if (!request_.columns.time.empty() || time.empty()) return;
    if (is_stream(first_file()) || !holds_times(first_file(), options_, time)) time.clear();
  }

  /// The ranges are those of the first rows of a stream, which are then learned from as well. If these are not in
  /// order, the stream will be read to its end and sorted.
  std::unique_ptr<TableReader> sampled(std::unique_ptr<TableReader> table) {
    const auto sample = static_cast<std::size_t>(request_.params.sample);
    StateColumns state(recipe_.columns, *table, sample);
    // The cells that steps need begin with those of the state.
    auto wanted = TableSteps::requests(recipe_.columns);
    const auto first_cells = state.requests();
    std::copy(first_cells.begin(), first_cells.end(), wanted.begin());
    const std::size_t first = wanted.size();
    OrderCheck check(recipe_.columns, /*exact=*/false);
    if (check.columns().tell()) {
      wanted.insert(wanted.end(), check.columns().requests().begin(), check.columns().requests().end());
    }
    auto stream = std::make_unique<SampledTable>(std::move(table), std::move(wanted), sample);
    state.add(stream->sample());
    bool in_order = true;
    for (std::size_t i = 0; i < stream->sample().rows; ++i)
      in_order = check.add(stream->sample()[i] + first) && in_order;
    in_order_ = {in_order};
    chosen_.push_back(fmt::format("ranges of the state: those of the first {} rows", stream->sample().rows));
    take_variables(state);
    leaving_ = Leaving::some;
    return stream;
  }

  void find_ranges_of_files(TableReader& first_table) {
    constexpr std::size_t looked_at = 1000;  // rows
    StateColumns state(recipe_.columns, first_table, looked_at);
    std::vector<ColumnRequest> wanted = state.requests();
    const std::size_t first = wanted.size();
    const OrderColumns order(recipe_.columns);
    if (order.tell()) wanted.insert(wanted.end(), order.requests().begin(), order.requests().end());
    TableBlock block;
    std::uint64_t rows = 0;
    const auto files = static_cast<double>(request_.files.size());
    for (std::size_t f = 0; f < request_.files.size(); ++f) {
      const auto table = open_log_table(request_.files[f], options_);
      table->select(wanted);
      OrderCheck check(recipe_.columns, /*exact=*/true);
      while (table->read(block, FileSteps::largest_block)) {
        state.add(block);
        rows += block.rows;
        for (std::size_t i = 0; order.tell() && i < block.rows; ++i) check.add(block[i] + first);
        callbacks_.progress((static_cast<double>(f) + table->fraction().value_or(0)) / files);
      }
      in_order_.push_back(check.finish());
    }
    take_variables(state);
    rows_ = rows;
  }

  void take_variables(const StateColumns& state) {
    // A table has to have all values.
    const auto has = [&](const char* map) { return recipe_.features.find(map) != std::string::npos; };
    recipe_.variables = state.variables(has("tabular") || has("categorical") || has("cross"), chosen_);
    if (state.has_outliers()) leaving_ = Leaving::some;
  }

  /// The features that predict held-out episodes best among the first steps of a file, where there are several
  /// variables and enough episodes.
  Default chosen_features() {
    Default usual = default_features(recipe_.variables, leaving_, rows_);
    const auto candidates = rows_ ? candidate_features(recipe_.variables, leaving_, *rows_) : std::vector<Default>();
    if (candidates.empty()) return usual;
    constexpr std::size_t enough = 20'000;  // steps
    const StepFormat format{
        .columns = recipe_.columns, .map = nullptr, .dim = recipe_.variables.size(), .variables = recipe_.variables};
    const auto reader = steps_of(open_log_table(first_file(), options_), format, options_, !in_order_.front());
    StepBlock steps, block;
    steps.clear(Layout::dense, format.dim, recipe_.columns.reward.size());
    while (steps.size() < enough && reader->read(block, enough - steps.size())) steps.append(block, 0, block.size());
    std::optional<double> discount;
    for (const std::string& text : request_.discount) discount = discount ? discount : discount_number(text);
    return best_features(usual, candidates, recipe_.variables, std::move(steps), discount, recipe_.seed);
  }

  void make_features() {
    callbacks_.agree(recipe_.variables);
    if (recipe_.features.empty()) {
      const Default chosen = chosen_features();
      recipe_.features = chosen.name;
      chosen_.push_back(fmt::format("features: {}, as {}", chosen.name, chosen.why));
    }
    map_ = recipe_.map();
    recipe_.dim = map_->dim();
    recipe_.layout = map_->layout();
  }

  /// Every reward with every discount.
  void add_targets(std::size_t rewards) {
    std::vector<double> discounts;
    for (const std::string& text : request_.discount) {
      const auto number = discount_number(text);
      if (!number) continue;
      if (!unit.contains(*number)) detail::reject_range("learn", "discount", text, unit);
      discounts.push_back(*number);
    }
    recipe_.ends_only = !discounts.empty();
    const LogColumns& columns = recipe_.columns;
    if (recipe_.ends_only && !columns.discount.empty()) {
      chosen_.push_back(fmt::format("discount: {}; of the column {} only zeros count, which end episodes",
                                    detail::join(request_.discount, ", "), columns.discount));
    }
    const bool table = !columns.state.empty();
    if (discounts.empty()) {
      if (table && columns.discount.empty()) {
        if (!columns.tells_ends() && columns.episode.empty()) {
          throw InvalidArgument(
              fmt::format("{}: nothing says where episodes end, so values need a discount: `discount=0.99`, say",
                          first_file().name));
        }
        chosen_.emplace_back("discount: 1, as none is given and episodes end");
      }
      discounts.push_back(1);
    }
    for (std::size_t k = 0; k < rewards; ++k) {
      const std::string name = table ? columns.reward[k] : rewards == 1 ? "reward" : fmt::format("reward.{}", k);
      for (const double discount : discounts) recipe_.targets.push_back({name, discount});
    }
  }

  void choose_the_learner(const StepBlock& first) {
    const auto bytes = bytes_of(request_.files);
    recipe_.learner = request_.learner;
    Settings settings = request_.settings;
    if (recipe_.learner.empty()) {
      const Default chosen = default_learner(first, bytes);
      recipe_.learner = chosen.name;
      for (const auto& setting : chosen.settings) {
        const auto same = [&](const auto& given) { return given.first == setting.first; };
        if (std::none_of(settings.begin(), settings.end(), same)) settings.push_back(setting);
      }
      chosen_.push_back(fmt::format("learner: {} with {}, as {}", chosen.name, text_of(settings), chosen.why));
    }
    try {
      recipe_.settings = find_entry(learners(), "learner", recipe_.learner).resolve(settings);
    } catch (const InvalidArgument& unknown) {
      if (!request_.learner.empty()) throw;
      throw InvalidArgument(
          fmt::format("{} ({} was chosen; `learner` names another)", unknown.what(), recipe_.learner));
    }
    const auto& resamples = request_.params.resamples;
    recipe_.resamples = resamples ? static_cast<std::size_t>(*resamples)
                                  : default_resamples(recipe_.learner, recipe_.dim, bytes, rows_);
    if (recipe_.resamples == 0 && !resamples) {
      chosen_.emplace_back("no interval, as learning from halves of the episodes too would take long (`resamples=20`)");
    }
  }

  const LearnRequest& request_;
  const OpenLogCallbacks& callbacks_;
  TableOptions options_;
  Recipe recipe_;
  std::shared_ptr<const FeatureMap> map_;
  std::vector<std::string> chosen_;
  Leaving leaving_ = Leaving::unseen;
  std::optional<std::uint64_t> rows_;  // of all files; not known of a stream
  std::vector<bool> in_order_;         // for each file, or the first of them: whether its rows are in order
};

}  // namespace

unsigned threads_of(const LearnRequest& request) {
  const auto& jobs = request.params.jobs;
  return jobs ? static_cast<unsigned>(*jobs) : std::max(1U, std::thread::hardware_concurrency());
}

OpenLog open_log(const LearnRequest& request, const OpenLogCallbacks& callbacks) {
  return RecipeMaker(request, callbacks).make();
}

OpenLog open_log(const LearnRequest& request, const Recipe& recipe, const OpenLogCallbacks& callbacks) {
  check_agreement(request, recipe);
  auto steps = std::make_unique<LogSteps>(request.files, table_options(request, callbacks),
                                          format_of(recipe, recipe.map(), request), nullptr, threads_of(request) - 1);
  return {recipe, {}, std::move(steps)};
}

}  // namespace bellwether
