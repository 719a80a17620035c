#pragma once

namespace bellwether {

/// The version of the library, such as "0.1.0": what `bellwether --version` prints, and what files of results say they
/// were made by. The text lives as long as the program.
const char* version();

}  // namespace bellwether
