#include <bellwether/core/version.h>

namespace bellwether {

const char* version() { return BELLWETHER_VERSION; }

}  // namespace bellwether
