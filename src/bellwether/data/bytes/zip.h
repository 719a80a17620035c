#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/data/bytes/byte_source.h>

/// Zip archives, as far as NumPy, Python and `zip` write them: members stored or deflated, of any size (zip64), in one
/// file, not encrypted.
namespace bellwether {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  // 0: stored, 8: deflated
  std::uint32_t crc = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // of the header that stands before its bytes
};

/// An archive and the list of its members, which stands at its end.
class ZipArchive {
 public:
  /// Throws IoError when the file can not be read or its end is damaged, InvalidArgument when it is no archive.
  explicit ZipArchive(const std::string& path);

  const std::string& name() const { return file_->name(); }
  const std::vector<ZipMember>& members() const { return members_; }

  /// The bytes of a member, decompressed while they are read: some kilobytes of memory, whatever its size. Reading
  /// throws IoError when they are damaged, at the latest with the last byte, whose checksum is then compared. Opening
  /// throws InvalidArgument for a member that is encrypted or compressed in another way. Sources outlive the archive.
  std::unique_ptr<ByteSource> open(const ZipMember& member) const;

 private:
  std::shared_ptr<const RandomAccessFile> file_;
  std::vector<ZipMember> members_;
};

}  // namespace bellwether
