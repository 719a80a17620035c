#include <bellwether/data/numpy/npz.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>
#include <bellwether/data/numpy/zip_library.h>

namespace bellwether {

namespace {

constexpr std::string_view ending = ".npy";
constexpr std::string_view member_header = "PK\3\4";   // the first bytes of every archive that has members
constexpr std::uint64_t strongest_compression = 1032;  // of deflate: a bit for a match of 258 bytes, and some more

[[noreturn]] void reject_damage(const std::string& what, std::string_view why) {
  throw IoError(fmt::format("{} is damaged or cut off: {}", what, why));
}

/// The message of libzip for an error code.
std::string reason(int code) {
  zip_error_t error;
  libzip().zip_error_init_with_code(&error, code);
  std::string text = libzip().zip_error_strerror(&error);
  libzip().zip_error_fini(&error);
  return text;
}

std::shared_ptr<zip_t> open_zip(const std::string& path) {
  const RandomAccessFile file(path);  // throws for a folder or a pipe
  if (file.size() == 0) throw InvalidArgument(path + " is empty");
  int error = 0;
  // ZIP_CHECKCONS: the list of members and the headers of the members must agree.
  zip_t* const zip = libzip(path).zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
  if (zip != nullptr) return {zip, libzip().zip_discard};
  std::string begin(member_header.size(), '\0');
  file.read(0, begin.data(), begin.size());
  if (error == ZIP_ER_NOZIP && begin == member_header)
    reject_damage(path, "the list of its members is missing or wrong");
  if (error == ZIP_ER_NOZIP) throw InvalidArgument(path + " is not a zip archive");
  reject_damage(path, reason(error));
}

/// The bytes of a member.
class ZipMember final : public ByteSource {
 public:
  ZipMember(std::shared_ptr<zip_t> zip, std::uint64_t index, const std::string& archive) : zip_(std::move(zip)) {
    zip_stat_t about;
    if (libzip().zip_stat_index(zip_.get(), index, 0, &about) != 0)
      reject_damage(archive, libzip().zip_strerror(zip_.get()));
    label_ = fmt::format("{}: '{}'", archive, about.name);
    if (about.encryption_method != ZIP_EM_NONE) throw InvalidArgument(label_ + " is encrypted");
    // libzip supports more methods, but only these two need little memory whatever a hostile file says.
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) {
      throw InvalidArgument(fmt::format("{} is compressed by method {}; stored and deflated (8) members can be read",
                                        label_, about.comp_method));
    }
    if (about.comp_method == ZIP_CM_STORE ? about.size != about.comp_size
                                          : about.size / strongest_compression > about.comp_size) {
      reject_damage(label_, "its size is wrong");
    }
    file_ = libzip().zip_fopen_index(zip_.get(), index, 0);
    if (file_ == nullptr) reject_damage(label_, libzip().zip_strerror(zip_.get()));
    size_ = left_ = about.size;
  }
  ~ZipMember() override { libzip().zip_fclose(file_); }
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

  std::size_t read(char* to, std::size_t count) override {
    const std::size_t wanted = std::min<std::uint64_t>(count, left_);
    for (std::size_t done = 0; done < wanted;) {
      const zip_int64_t got = libzip().zip_fread(file_, to + done, wanted - done);
      if (got <= 0) reject(got);
      done += static_cast<std::size_t>(got);
    }
    left_ -= wanted;
    // libzip compares the checksum when a read finds the end.
    char beyond = 0;
    if (left_ == 0 && wanted > 0) {
      if (const zip_int64_t got = libzip().zip_fread(file_, &beyond, 1); got != 0) reject(got);
    }
    return wanted;
  }

  std::uint64_t size() const override { return size_; }

 private:
  [[noreturn]] void reject(zip_int64_t got) const {
    reject_damage(label_, got < 0 ? libzip().zip_file_strerror(file_) : "its size is wrong");
  }

  std::shared_ptr<zip_t> zip_;
  zip_file_t* file_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;
  std::string label_;
};

}  // namespace

NpzArchive::NpzArchive(const std::string& path) : name_(path), zip_(open_zip(path)) {
  const auto count = static_cast<std::uint64_t>(libzip().zip_get_num_entries(zip_.get(), 0));
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* const member = libzip().zip_get_name(zip_.get(), i, 0);
    if (member == nullptr) reject_damage(path, libzip().zip_strerror(zip_.get()));
    const std::string_view name = member;
    if (!name.ends_with(ending)) continue;
    arrays_.emplace_back(name.substr(0, name.size() - ending.size()));
    members_.push_back(i);
  }
}

bool NpzArchive::has(const std::string& array) const {
  return std::find(arrays_.begin(), arrays_.end(), array) != arrays_.end();
}

NpyReader NpzArchive::open(const std::string& array) const {
  const auto found = std::find(arrays_.begin(), arrays_.end(), array);
  if (found == arrays_.end()) {
    throw InvalidArgument(fmt::format("{}: {}", name_, no_such("array", array, arrays_)));
  }
  auto bytes = std::make_unique<ZipMember>(zip_, members_[static_cast<std::size_t>(found - arrays_.begin())], name_);
  const std::uint64_t size = bytes->size();
  NpyReader reader(std::move(bytes), fmt::format("{}: array '{}'", name_, array));
  // If bytes were left after the last row, the end would never be read and the checksum never be compared.
  if (reader.objection().empty() && reader.header().file_size() != size) {
    reject_damage(reader.owner(), "the header of the array does not fit its size");
  }
  return reader;
}

}  // namespace bellwether
