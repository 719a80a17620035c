#include "arrow_source.h"

#include <bellwether/core/error.h>
#include <bellwether/data/arrow/arrow_table.h>

#include "module.h"

namespace bellwether::python {
namespace {

/// Nothing to free: the columns own all that is handed out.
template <class T>
void forget(T* item) {
  item->release = nullptr;
}

/// The stream of an object of another package.
ArrowArrayStream stream_of(nb::handle object) {
  const nb::object capsule = object.attr("__arrow_c_stream__")();
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  return std::exchange(*stream, ArrowArrayStream{});
}

}  // namespace

void NumpyColumns::Node::describe(std::size_t rows) {
  const std::int64_t children = values ? 1 : 0;
  if (values) {
    values_schema = &values->schema;
    values_array = &values->array;
  }
  schema = {.format = format.c_str(),
            .name = name.c_str(),
            .metadata = nullptr,
            .flags = ARROW_FLAG_NULLABLE,
            .n_children = children,
            .children = values ? &values_schema : nullptr,
            .dictionary = nullptr,
            .release = forget<ArrowSchema>,
            .private_data = nullptr};
  array = {.length = static_cast<std::int64_t>(rows),
           .null_count = buffers[0] == nullptr ? 0 : -1,
           .offset = 0,
           .n_buffers = static_cast<std::int64_t>(buffers.size()),
           .n_children = children,
           .buffers = buffers.data(),
           .children = values ? &values_array : nullptr,
           .dictionary = nullptr,
           .release = forget<ArrowArray>,
           .private_data = nullptr};
}

std::unique_ptr<NumpyColumns::Node> NumpyColumns::leaf(std::string name, std::string format, std::size_t rows,
                                                       const nb::tuple& column) {
  auto node = std::make_unique<Node>();
  node->name = std::move(name);
  node->format = std::move(format);
  for (std::size_t i = 3; i < nb::len(column); ++i) {
    const nb::object memory = column[i];
    if (memory.is_none()) {
      if (i == 3) node->buffers.push_back(nullptr);
      continue;
    }
    Array array;
    if (!nb::try_cast(memory, array, false)) reject(node->name.c_str(), memory, "an array of numbers");
    node->buffers.push_back(array.data());
    owners_.push_back(memory);
  }
  node->describe(rows);
  return node;
}

NumpyColumns::NumpyColumns(std::size_t rows, const nb::list& columns) {
  for (const nb::handle item : columns) {
    const auto column = nb::cast<nb::tuple>(item);
    auto name = nb::cast<std::string>(column[0]);
    auto format = nb::cast<std::string>(column[1]);
    const auto width = nb::cast<std::size_t>(column[2]);
    std::unique_ptr<Node> node;
    if (width == 0) {
      node = leaf(std::move(name), std::move(format), rows, column);
    } else {
      node = std::make_unique<Node>();
      node->name = std::move(name);
      node->format = "+w:" + std::to_string(width);
      node->buffers = {nullptr};
      node->values = leaf("item", std::move(format), rows * width, column);
      node->describe(rows);
    }
    schemas_.push_back(&node->schema);
    arrays_.push_back(&node->array);
    nodes_.push_back(std::move(node));
  }
  const auto children = static_cast<std::int64_t>(nodes_.size());
  root_schema_ = {.format = "+s",
                  .name = "",
                  .metadata = nullptr,
                  .flags = 0,
                  .n_children = children,
                  .children = schemas_.data(),
                  .dictionary = nullptr,
                  .release = forget<ArrowSchema>,
                  .private_data = nullptr};
  root_array_ = {.length = static_cast<std::int64_t>(rows),
                 .null_count = 0,
                 .offset = 0,
                 .n_buffers = 1,
                 .n_children = children,
                 .buffers = &no_bits_,
                 .children = arrays_.data(),
                 .dictionary = nullptr,
                 .release = forget<ArrowArray>,
                 .private_data = nullptr};
}

/// What a stream remembers.
struct NumpyColumns::Stream {
  const NumpyColumns* columns;
  bool read = false;

  static Stream& of(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    *out = of(stream).columns->root_schema_;
    return 0;
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    *out = std::exchange(of(stream).read, true) ? ArrowArray{} : of(stream).columns->root_array_;
    return 0;
  }
  static const char* get_last_error(ArrowArrayStream*) { return nullptr; }
  static void release(ArrowArrayStream* stream) {
    delete &of(stream);
    stream->release = nullptr;
  }
};

ArrowArrayStream NumpyColumns::stream() const {
  return {.get_schema = Stream::get_schema,
          .get_next = Stream::get_next,
          .get_last_error = Stream::get_last_error,
          .release = Stream::release,
          .private_data = new Stream{this}};
}

LogSource source_of(nb::handle data) {
  auto name = nb::cast<std::string>(data.attr("name"));
  const nb::object table = data.attr("table");
  if (table.is_none()) return {std::move(name)};
  const auto rows = nb::cast<std::uint64_t>(data.attr("rows"));
  LogSource::Open open;
  if (nb::isinstance<NumpyColumns>(table)) {
    open = [columns = &nb::cast<const NumpyColumns&>(table), name, rows](const TableOptions& options) {
      ArrowArrayStream stream = columns->stream();
      return arrow_table(stream, name, options, rows);
    };
  } else {
    open = [object = nb::handle(table), name, rows](const TableOptions& options) {
      ArrowArrayStream stream{};
      {
        const nb::gil_scoped_acquire held;
        stream = stream_of(object);
      }
      return arrow_table(stream, name, options, rows);
    };
  }
  LogSource source(std::move(name), std::move(open));
  source.once = nb::cast<bool>(data.attr("once"));
  source.bytes = nb::cast<std::optional<std::uint64_t>>(data.attr("bytes"));
  return source;
}

std::vector<LogSource> sources_of(const nb::list& data) {
  std::vector<LogSource> all;
  for (const nb::handle item : data) all.push_back(source_of(item));
  return all;
}

}  // namespace bellwether::python
