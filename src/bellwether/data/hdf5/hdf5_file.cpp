#include <bellwether/data/hdf5/hdf5_file.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/data/bytes/byte_source.h>
#include <bellwether/data/hdf5/hdf5_library.h>

namespace bellwether {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>, "identifiers of HDF5 1.10 and later");

namespace {

constexpr double small_array = 1e6;             // bytes that an array may have without being stored
constexpr double strongest_compression = 1100;  // deflate needs a bit for 258 bytes
constexpr unsigned read_only = 0;               // H5F_ACC_RDONLY, a macro that also calls functions

/// How numbers of a type are stored; nullopt for other types. They are read as stored and converted here: HDF5 converts
/// slowly, and accesses memory outside the number when a damaged file describes a type that no machine has.
std::optional<NumberType> number_type(const Hdf5Object& type) {
  const bool big_endian = hdf5().H5Tget_order(type.id()) == H5T_ORDER_BE;
  const std::size_t size = hdf5().H5Tget_size(type.id());
  switch (hdf5().H5Tget_class(type.id())) {
    case H5T_ENUM: return number_type(Hdf5Object(hdf5().H5Tget_super(type.id())));  // booleans, as h5py writes them
    case H5T_INTEGER:
      if (size == 0 || size > 8 || !std::has_single_bit(size) || hdf5().H5Tget_precision(type.id()) != 8 * size)
        return {};
      return NumberType{hdf5().H5Tget_sign(type.id()) == H5T_SGN_NONE ? 'u' : 'i', size, big_endian};
    case H5T_FLOAT:
      for (const hid_t* known :
           {hdf5().H5T_IEEE_F32LE_g, hdf5().H5T_IEEE_F32BE_g, hdf5().H5T_IEEE_F64LE_g, hdf5().H5T_IEEE_F64BE_g}) {
        if (hdf5().H5Tequal(type.id(), *known) > 0) return NumberType{'f', size, big_endian};
      }
      return {};
    default: return {};
  }
}

/// Properties by which links to other files are refused: a file that somebody else has made could show what is in any
/// file of this machine. They are made once, since making them takes as long as opening an array.
class WithinFile {
 public:
  explicit WithinFile(const hid_t* properties) : access_(hdf5().H5Pcreate(*properties)) {
    hdf5().H5Pset_elink_cb(access_, refuse, &refusal_);
  }

  /// The object that `open` opens with these properties.
  template <class Open>
  Hdf5Object opened(Open&& open) {
    Hdf5Object object(open(access_));
    if (!refusal_.empty()) throw InvalidArgument(std::exchange(refusal_, {}));
    return object;
  }

 private:
  static herr_t refuse(const char* file, const char* group, const char* other, const char*, unsigned*, hid_t,
                       void* to) {
    *static_cast<std::string*>(to) =
        fmt::format("{}: {} has a link to another file, {}, which is not followed", file, group, other);
    return -1;
  }

  hid_t access_;  // which HDF5 closes when the program ends
  std::string refusal_;
};

/// Throws when the numbers of an array are elsewhere, or cannot be as many as it says.
void check_storage(const Hdf5Object& array, const std::string& label, double declared) {
  const Hdf5Object layout(hdf5().H5Dget_create_plist(array.id()));
  if (hdf5().H5Pget_layout(layout.id()) == H5D_VIRTUAL || hdf5().H5Pget_external_count(layout.id()) > 0) {
    throw InvalidArgument(label + " has its numbers in other files, which are not read");
  }
  hsize_t of_file = 0;
  const Hdf5Object file(hdf5().H5Iget_file_id(array.id()));
  hdf5().H5Fget_filesize(file.id(), &of_file);
  const auto stored = static_cast<double>(std::min<std::uint64_t>(hdf5().H5Dget_storage_size(array.id()), of_file));
  if (declared > small_array + strongest_compression * stored) {
    throw IoError(
        fmt::format("{} is damaged: it says that it has {:.0f} bytes, but has {:.0f}", label, declared, stored));
  }
  std::array<hsize_t, H5S_MAX_RANK> lengths{};
  const int rank = hdf5().H5Pget_layout(layout.id()) == H5D_CHUNKED
                       ? hdf5().H5Pget_chunk(layout.id(), H5S_MAX_RANK, lengths.data())
                       : 0;
  double chunk = sizeof(double);
  for (int i = 0; i < rank; ++i) chunk *= static_cast<double>(lengths[static_cast<std::size_t>(i)]);
  require_memory(chunk, "a chunk of " + label, "the file is not what it should be, or has too large chunks");
}

}  // namespace

Hdf5Silence::Hdf5Silence() {
  hdf5().H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
  hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Silence::~Hdf5Silence() { hdf5().H5Eset_auto2(H5E_DEFAULT, report_, data_); }

Hdf5Object::~Hdf5Object() {
  if (id_ >= 0) hdf5().H5Idec_ref(id_);
}

bool Hdf5Object::is_group() const { return hdf5().H5Iget_type(id_) == H5I_GROUP; }
bool Hdf5Object::is_array() const { return hdf5().H5Iget_type(id_) == H5I_DATASET; }

std::vector<std::string> Hdf5Object::members() const {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  hdf5().H5Literate(id_, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
  return names;
}

Hdf5Object Hdf5Object::open(const std::string& name) const {
  static WithinFile links(hdf5().H5P_CLS_LINK_ACCESS_ID_g);
  return links.opened([&](hid_t access) { return hdf5().H5Oopen(id_, name.c_str(), access); });
}

Hdf5Object Hdf5Object::open_array(const std::string& name) const {
  static WithinFile links(hdf5().H5P_CLS_DATASET_ACCESS_ID_g);
  return links.opened([&](hid_t access) { return hdf5().H5Dopen2(id_, name.c_str(), access); });
}

Hdf5Object open_hdf5(const std::string& path) {
  if (RandomAccessFile(path).size() == 0) throw InvalidArgument(path + " is empty");
  hdf5(path);  // loads it, if it is the first file
  const Hdf5Silence silence;
  if (hdf5().H5Fis_hdf5(path.c_str()) <= 0) throw InvalidArgument(path + " is not an HDF5 file");
  // The metadata of groups and arrays are read once, so caching them is no use: by default HDF5 caches hundreds of
  // megabytes when there are many groups.
  const Hdf5Object access(hdf5().H5Pcreate(*hdf5().H5P_CLS_FILE_ACCESS_ID_g));
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  hdf5().H5Pget_mdc_config(access.id(), &cache);
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = std::size_t{1} << 20;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  hdf5().H5Pset_mdc_config(access.id(), &cache);
  Hdf5Object file(hdf5().H5Fopen(path.c_str(), read_only, access.id()));
  if (!file) throw IoError(path + " is damaged, cut off or being written: HDF5 cannot open it");
  return file;
}

Hdf5Array::Hdf5Array(Hdf5Object array, std::string label) : array_(std::move(array)), label_(std::move(label)) {
  space_ = Hdf5Object(hdf5().H5Dget_space(array_.id()));
  file_type_ = Hdf5Object(hdf5().H5Dget_type(array_.id()));
  std::array<hsize_t, H5S_MAX_RANK> lengths{};
  const int rank = hdf5().H5Sget_simple_extent_dims(space_.id(), lengths.data(), nullptr);
  if (!file_type_ || rank < 0) throw IoError(label_ + " is damaged: it has no type or no dimensions");
  type_ = number_type(file_type_);
  rank_ = static_cast<std::size_t>(rank);
  auto declared = static_cast<double>(hdf5().H5Tget_size(file_type_.id()));
  for (std::size_t i = 0; i < rank_; ++i) declared *= static_cast<double>(lengths[i]);
  check_storage(array_, label_, declared);
  if (rank_ == 0) return;
  rows_ = lengths[0];
  for (std::size_t i = 1; i < rank_; ++i) {
    if (lengths[i] != 0 && width_ > std::numeric_limits<std::uint32_t>::max() / lengths[i]) {
      throw IoError(label_ + " is damaged: its dimensions are too large");
    }
    width_ *= lengths[i];
  }
}

void Hdf5Array::read(std::uint64_t first, std::size_t count, double* to) {
  const std::size_t numbers = count * static_cast<std::size_t>(width_);
  if (numbers == 0) return;
  bytes_.resize(numbers * type_->size);
  bool well = false;
  if (first == 0 && count == rows_) {
    well = hdf5().H5Dread(array_.id(), file_type_.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes_.data()) >= 0;
  } else {
    std::array<hsize_t, H5S_MAX_RANK> start{};
    std::array<hsize_t, H5S_MAX_RANK> lengths{};
    hdf5().H5Sget_simple_extent_dims(space_.id(), lengths.data(), nullptr);
    start[0] = first;
    lengths[0] = count;
    // HDF5 copies a selection fastest into memory of the same shape.
    const Hdf5Object memory(hdf5().H5Screate_simple(static_cast<int>(rank_), lengths.data(), nullptr));
    well =
        hdf5().H5Sselect_hyperslab(space_.id(), H5S_SELECT_SET, start.data(), nullptr, lengths.data(), nullptr) >= 0 &&
        hdf5().H5Dread(array_.id(), file_type_.id(), memory.id(), space_.id(), H5P_DEFAULT, bytes_.data()) >= 0;
  }
  if (!well) throw IoError(label_ + " cannot be read: it is damaged, or compressed in a way that HDF5 does not know");
  convert_numbers(*type_, bytes_.data(), to, {.size = numbers});
}

}  // namespace bellwether
