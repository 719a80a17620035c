#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

/// Where a library that only some files need is found, and what a message says when it is not.
struct LibraryPlaces {
  std::string what;                // as people call it: "HDF5"
  std::string package;             // what they install: "libhdf5-dev"
  const char* variable;            // the environment variable that names another file, and nothing else is tried
  std::vector<std::string> names;  // otherwise: tried in this order, by the rules of dlopen
};

/// A shared library that is loaded while the program runs, when a file needs it. Linking it would make every start pay
/// for it and for all that it needs in turn: HDF5 brings 30 libraries, for encryption, networks and directories. It
/// stays loaded until the program ends.
class SharedLibrary {
 public:
  /// Throws IoError, which names the file that needs it, when the library cannot be loaded.
  SharedLibrary(LibraryPlaces places, std::string_view needed_by);

  /// The address of a function or variable. Throws IoError when the library has none with this name.
  template <class Pointer>
  Pointer find(const char* symbol) const {
    return reinterpret_cast<Pointer>(address(symbol));
  }

  /// Throws the IoError of a library that was loaded but cannot be used.
  [[noreturn]] void reject(std::string_view why) const;

 private:
  void* address(const char* symbol) const;

  LibraryPlaces places_;
  std::string needed_by_;
  void* handle_ = nullptr;
};

}  // namespace bellwether

/// Declares a member that points to a symbol, has its name, and finds it in the member `library_`. Some names of HDF5
/// are macros for the name of a version; the second macro is given what they stand for.
#define BELLWETHER_LOADED(symbol) BELLWETHER_LOADED_SYMBOL(symbol)
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define BELLWETHER_LOADED_SYMBOL(symbol) decltype(&::symbol) symbol = library_.find<decltype(&::symbol)>(#symbol)
