#include "faults/support/disk.h"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include "cli/program.h"

namespace bellwether::testing {

namespace fs = std::filesystem;

namespace {

std::uint64_t inode_of(const std::string& path) {
  struct stat status {};
  stat(path.c_str(), &status);
  return status.st_ino;
}

void apply(const DiskEvent& event, std::string& content) {
  const auto& h = event.header;
  if (h.event == journal::resize) return content.resize(h.at);
  if (content.size() < h.at + h.size) content.resize(h.at + h.size);
  content.replace(h.at, h.size, event.bytes);
}

std::string folder_of(const std::string& name) { return fs::path(name).parent_path().string(); }

}  // namespace

std::vector<DiskEvent> disk_events_in(const std::string& journal) {
  std::ifstream in(journal, std::ios::binary);
  std::vector<DiskEvent> all;
  journal::Header header{};
  while (in.read(reinterpret_cast<char*>(&header), sizeof header)) {
    DiskEvent& event = all.emplace_back(DiskEvent{header, std::string(header.size, '\0')});
    in.read(event.bytes.data(), static_cast<std::streamsize>(header.size));
  }
  return all;
}

Disk::Disk(const std::string& folder) {
  folders_[inode_of(folder)] = "";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::uint64_t inode = inode_of(entry.path());
    add(fs::relative(entry.path(), folder), inode, entry.is_directory());
    if (!entry.is_directory()) safe_files_[inode] = read_file(entry.path());
  }
  safe_names_ = names_;
}

void Disk::add(const std::string& name, std::uint64_t inode, bool is_folder) {
  names_[name] = inode;
  if (is_folder) folders_[inode] = name;
}

void Disk::happens(const DiskEvent& event) {
  const auto& h = event.header;
  switch (h.event) {
    case journal::fresh:  // the number may have belonged to a file that is gone
      told_[h.inode].clear(), safe_files_[h.inode].clear(), add(event.bytes, h.inode, false);
      break;
    case journal::create: add(event.bytes, h.inode, false); break;
    case journal::folder: add(event.bytes, h.inode, true); break;
    case journal::remove: names_.erase(event.bytes); break;
    case journal::sync: synchronise(h.inode); break;
    default: told_[h.inode].push_back(event);
  }
}

void Disk::synchronise(std::uint64_t inode) {
  const auto folder = folders_.find(inode);
  if (folder == folders_.end()) {
    for (const DiskEvent& event : told_[inode]) apply(event, safe_files_[inode]);
    told_[inode].clear();
    return;
  }
  const auto is_in_it = [&](const auto& named) { return folder_of(named.first) == folder->second; };
  std::erase_if(safe_names_, is_in_it);
  for (const auto& named : names_) {
    if (is_in_it(named)) safe_names_.insert(named);
  }
}

void Disk::write_to(const std::string& folder, Luck luck, Rng& rng) const {
  fs::remove_all(folder);
  fs::create_directory(folder);
  const auto kept = [&] { return luck == Luck::all || (luck == Luck::some && rng.uniform() < 0.5); };
  for (const auto& [name, inode] : kept() ? names_ : safe_names_) {
    const std::string path = folder + "/" + name;
    if (!fs::exists(fs::path(path).parent_path())) continue;  // the folder is lost, and what is in it
    if (folders_.count(inode) != 0) {
      fs::create_directory(path);
      continue;
    }
    std::string content = safe_files_.at(inode);
    if (const auto told = told_.find(inode); told != told_.end()) {
      for (const DiskEvent& event : told->second) {
        if (kept()) apply(event, content);
      }
    }
    std::ofstream(path, std::ios::binary) << content;
  }
}

}  // namespace bellwether::testing
