#include <bellwether/experiment/wire.h>

#include <cstring>
#include <type_traits>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

/// Writes or reads, by the same list of members.
class Writer {
 public:
  Ranks::Bytes bytes;

  template <class... T>
  void all(const T&... members) {
    ((*this)(members), ...);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& all) {
    (*this)(all.size());
    for (const T& one : all) (*this)(one);
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(const T& record) { members(record, *this); }
};

class Reader {
 public:
  explicit Reader(const Ranks::Bytes& all) : bytes(all) {}
  const Ranks::Bytes& bytes;
  std::size_t at = 0;

  template <class... T>
  void all(T&... members) {
    ((*this)(members), ...);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    if (bytes.size() - at < sizeof value) throw IoError("a message between processes is cut off");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
  }
  template <class T>
  void operator()(std::vector<T>& all) {
    std::size_t size = 0;
    (*this)(size);
    if (size > bytes.size()) throw IoError("a message between processes is cut off");
    all.resize(size);
    for (T& one : all) (*this)(one);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool there = false;
    (*this)(there);
    if (there) (*this)(value.emplace());
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(T& record) { members(record, *this); }
};

/// The members of a record, written (const) or read.
template <class T, class Record>
concept Is = std::is_same_v<std::remove_const_t<T>, Record>;

template <Is<WorkUnit> T, class F>
void members(T& work, F& f) {
  f.all(work.place, work.block, work.settings, work.cost);
}
template <Is<RunRecord> T, class F>
void members(T& run, F& f) {
  f.all(run.seed, run.diverged_at, run.seconds, run.average, run.last, run.curves);
}
template <Is<BlockResult> T, class F>
void members(T& block, F& f) {
  f.all(block.setting, block.block, block.runs, block.curves.runs, block.curves.mean, block.curves.m2);
}
template <Is<MeasuredAlone> T, class F>
void members(T& alone, F& f) {
  f.all(alone.setting, alone.seconds_per_step);
}
template <Is<WorkResult> T, class F>
void members(T& result, F& f) {
  f.all(result.blocks, result.alone);
}

template <class T>
Ranks::Bytes written(const T& record) {
  Writer writer;
  writer(record);
  return std::move(writer.bytes);
}

template <class T>
T read(const Ranks::Bytes& bytes) {
  T record;
  Reader reader(bytes);
  reader(record);
  return record;
}

}  // namespace

Ranks::Bytes to_bytes(const WorkUnit& work) { return written(work); }
Ranks::Bytes to_bytes(const WorkResult& result) { return written(result); }
WorkUnit work_from(const Ranks::Bytes& bytes) { return read<WorkUnit>(bytes); }
WorkResult result_from(const Ranks::Bytes& bytes) { return read<WorkResult>(bytes); }

}  // namespace bellwether
