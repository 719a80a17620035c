#include "support/data/arrow_stream.h"

#include <cerrno>
#include <numeric>

namespace bellwether::testing {

namespace {

/// What an array, a schema or a stream owns.
struct Owned {
  std::shared_ptr<const std::vector<ArrowNode>> batches;  // whose bytes are pointed to
  std::string error;
  int* released = nullptr;
  std::size_t next = 0;
  std::vector<const void*> buffers = {};
  std::vector<std::unique_ptr<ArrowArray>> arrays = {};
  std::vector<ArrowArray*> array_pointers = {};
  std::vector<std::unique_ptr<ArrowSchema>> schemas = {};
  std::vector<ArrowSchema*> schema_pointers = {};
};

template <class T>
void release(T* one) {
  std::unique_ptr<Owned> owned(static_cast<Owned*>(one->private_data));
  for (const auto& array : owned->arrays) {
    if (array->release != nullptr) array->release(array.get());
  }
  for (const auto& schema : owned->schemas) {
    if (schema->release != nullptr) schema->release(schema.get());
  }
  if (owned->released != nullptr) ++*owned->released;
  one->release = nullptr;
}

void fill(ArrowSchema& schema, const ArrowNode& node, const Owned& from) {
  auto owned = std::make_unique<Owned>(Owned{from.batches, "", from.released});
  const auto add = [&](const ArrowNode& inner) {
    owned->schemas.push_back(std::make_unique<ArrowSchema>());
    fill(*owned->schemas.back(), inner, from);
    return owned->schemas.back().get();
  };
  for (const ArrowNode& child : node.children) owned->schema_pointers.push_back(add(child));
  schema = {.format = node.format.c_str(),
            .name = node.name.c_str(),
            .metadata = nullptr,
            .flags = ARROW_FLAG_NULLABLE,
            .n_children = static_cast<std::int64_t>(node.children.size()),
            .children = owned->schema_pointers.data(),
            .dictionary = node.dictionary ? add(*node.dictionary) : nullptr,
            .release = release<ArrowSchema>,
            .private_data = nullptr};
  schema.private_data = owned.release();
}

void fill(ArrowArray& array, const ArrowNode& node, const Owned& from) {
  auto owned = std::make_unique<Owned>(Owned{from.batches, "", from.released});
  const auto add = [&](const ArrowNode& inner) {
    owned->arrays.push_back(std::make_unique<ArrowArray>());
    fill(*owned->arrays.back(), inner, from);
    return owned->arrays.back().get();
  };
  for (const ArrowNode& child : node.children) owned->array_pointers.push_back(add(child));
  for (const auto& buffer : node.buffers) owned->buffers.push_back(buffer ? buffer->data() : nullptr);
  array = {.length = node.length,
           .null_count = node.null_count,
           .offset = node.offset,
           .n_buffers = static_cast<std::int64_t>(node.buffers.size()),
           .n_children = static_cast<std::int64_t>(node.children.size()),
           .buffers = owned->buffers.data(),
           .children = owned->array_pointers.data(),
           .dictionary = node.dictionary ? add(*node.dictionary) : nullptr,
           .release = release<ArrowArray>,
           .private_data = nullptr};
  array.private_data = owned.release();
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  const Owned& owned = *static_cast<Owned*>(stream->private_data);
  fill(*schema, owned.batches->at(0), owned);
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* array) {
  Owned& owned = *static_cast<Owned*>(stream->private_data);
  *array = {};
  if (owned.next == owned.batches->size()) return owned.error.empty() ? 0 : EIO;
  fill(*array, owned.batches->at(owned.next++), owned);
  return 0;
}

const char* last_error(ArrowArrayStream* stream) { return static_cast<Owned*>(stream->private_data)->error.c_str(); }

}  // namespace

ArrowNode ArrowNode::valid(const std::vector<bool>& bits) const {
  ArrowNode other = *this;
  other.buffers.at(0) = bits_of(bits);
  other.null_count = -1;
  return other;
}

ArrowNode ArrowNode::slice(std::int64_t first, std::int64_t rows) const {
  ArrowNode other = *this;
  other.offset += first;
  other.length = rows;
  return other;
}

std::string bits_of(const std::vector<bool>& values) {
  std::string bytes((values.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) bytes[i / 8] = static_cast<char>(bytes[i / 8] | 1 << i % 8);
  }
  return bytes;
}

ArrowNode arrow_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::int32_t> offsets{0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    offsets.push_back(static_cast<std::int32_t>(all.size()));
  }
  return {"u", name, static_cast<std::int64_t>(texts.size()), {std::nullopt, bytes_of(offsets), all}};
}

ArrowNode arrow_rows(const std::vector<ArrowNode>& columns) {
  return {"+s", "", columns.empty() ? 0 : columns[0].length, {std::nullopt}, columns};
}

ArrowArrayStream arrow_stream(const std::vector<ArrowNode>& batches, const std::string& error, int* released) {
  auto shared = std::make_shared<const std::vector<ArrowNode>>(batches);
  return {.get_schema = get_schema,
          .get_next = get_next,
          .get_last_error = last_error,
          .release = release<ArrowArrayStream>,
          .private_data = new Owned{std::move(shared), error, released}};
}

}  // namespace bellwether::testing
