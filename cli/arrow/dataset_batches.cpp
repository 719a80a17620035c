#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>
#include <vector>

#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>

#include "batches.h"

namespace bellwether::arrow_module {

namespace {

namespace fs = std::filesystem;
using Batch = std::shared_ptr<arrow::RecordBatch>;

struct Episode {
  std::int64_t number;
  std::string file;
};

/// The file of an episode: the only one in its folder that is not metadata.
arrow::Result<std::string> file_in(const fs::path& folder) {
  std::string file;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name == "metadata.json" || name.starts_with('.') || name.starts_with('_')) continue;
    if (!file.empty()) return arrow::Status::Invalid(folder.string(), " holds several files, not one episode");
    file = entry.path().string();
  }
  if (file.empty()) return arrow::Status::Invalid(folder.string(), " holds no file with an episode");
  return file;
}

arrow::Result<std::vector<Episode>> episodes_in(const fs::path& folder) {
  std::vector<Episode> episodes;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || !entry.is_directory(failed)) continue;
    ARROW_ASSIGN_OR_RAISE(std::string file, file_in(entry.path()));
    episodes.push_back({number, std::move(file)});
  }
  if (episodes.empty()) return arrow::Status::Invalid("holds no episodes (folders data/0, data/1, ...)");
  std::sort(episodes.begin(), episodes.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return episodes;
}

/// Everything about a step; the last row of an episode has an observation only.
bool of_a_step(const std::string& column) {
  return column == "actions" || column == "rewards" || column == "terminations" || column == "truncations";
}

arrow::Result<std::shared_ptr<arrow::Array>> without_last(const std::shared_ptr<arrow::Array>& array) {
  ARROW_ASSIGN_OR_RAISE(auto missing, arrow::MakeArrayOfNull(array->type(), 1));
  return arrow::Concatenate({array->Slice(0, array->length() - 1), missing});
}

/// The whole of an episode as one batch, with the column `episode`.
arrow::Result<Batch> read_episode(const Episode& episode) {
  ARROW_ASSIGN_OR_RAISE(const Opened opened, open_file(episode.file));
  ARROW_ASSIGN_OR_RAISE(const auto table, opened.batches->ToTable());
  ARROW_ASSIGN_OR_RAISE(Batch batch, table->CombineChunksToBatch());
  if (batch->num_rows() == 0) return arrow::Status::Invalid(episode.file, " has no rows");
  for (int i = 0; i < batch->num_columns(); ++i) {
    if (!of_a_step(batch->column_name(i))) continue;
    ARROW_ASSIGN_OR_RAISE(const auto column, without_last(batch->column(i)));
    ARROW_ASSIGN_OR_RAISE(batch, batch->SetColumn(i, batch->schema()->field(i), column));
  }
  ARROW_ASSIGN_OR_RAISE(const auto number,
                        arrow::MakeArrayFromScalar(arrow::Int64Scalar(episode.number), batch->num_rows()));
  return batch->AddColumn(batch->num_columns(), "episode", number);
}

class EpisodeBatches final : public arrow::RecordBatchReader {
 public:
  EpisodeBatches(std::vector<Episode> episodes, Batch first)
      : episodes_(std::move(episodes)), first_(std::move(first)) {
    schema_ = first_->schema();
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(Batch* batch) override {
    batch->reset();
    if (next_ == episodes_.size()) return arrow::Status::OK();
    if (next_ == 0) {
      *batch = std::move(first_);
    } else {
      ARROW_ASSIGN_OR_RAISE(*batch, read_episode(episodes_[next_]));
    }
    if (!(*batch)->schema()->Equals(*schema_, false)) {
      return arrow::Status::Invalid(episodes_[next_].file, " has other columns than the first episode");
    }
    ++next_;
    return arrow::Status::OK();
  }

 private:
  std::vector<Episode> episodes_;
  Batch first_;
  std::shared_ptr<arrow::Schema> schema_;
  std::size_t next_ = 0;
};

}  // namespace

arrow::Result<Opened> open_dataset(const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(std::vector<Episode> episodes, episodes_in(fs::path(folder) / "data"));
  ARROW_ASSIGN_OR_RAISE(Batch first, read_episode(episodes.front()));
  return Opened{std::make_shared<EpisodeBatches>(std::move(episodes), std::move(first))};
}

arrow::Result<Opened> open_batches(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed) ? open_dataset(path) : open_file(path);
}

}  // namespace bellwether::arrow_module
