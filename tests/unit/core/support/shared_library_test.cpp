#include <bellwether/core/support/shared_library.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;

LibraryPlaces mathematics(std::vector<std::string> names) {
  return {"mathematics", "libm-dev", "BELLWETHER_TEST_LIBRARY", std::move(names)};
}

TEST(SharedLibrary, IsLoadedFromTheFirstPlaceThatHasIt) {
  const SharedLibrary library(mathematics({"/nowhere/libm.so", "libm.so.6"}), "x.data");
  EXPECT_EQ(library.find<double (*)(double)>("floor")(2.5), 2);
}

TEST(SharedLibrary, ThatIsMissingIsOneLineWithTheFileAndWhatToInstall) {
  EXPECT_EQ(failure([] {
              SharedLibrary(mathematics({"/nowhere/libm.so", "/nowhere/else.so"}), "x.data");
            }),
            "x.data: needs mathematics, which cannot be loaded (/nowhere/libm.so: cannot open shared object file: No "
            "such file or directory): install libm-dev, or set BELLWETHER_TEST_LIBRARY to the path of the library");
}

TEST(SharedLibrary, WithoutAFunctionIsRejectedByTheNameOfTheFunction) {
  const SharedLibrary library(mathematics({"libm.so.6"}), "x.data");
  const std::string message = failure([&] { library.find<void*>("no_such_function"); });
  EXPECT_EQ(message.rfind("x.data: needs mathematics, which cannot be loaded (it has no no_such_function)", 0), 0U);
}

TEST(SharedLibrary, ThatTheEnvironmentNamesIsTheOnlyOneTried) {
  setenv("BELLWETHER_TEST_LIBRARY", "/chosen/libm.so", 1);
  const std::string message = failure([] { SharedLibrary(mathematics({"libm.so.6"}), "x.data"); });
  unsetenv("BELLWETHER_TEST_LIBRARY");
  EXPECT_NE(message.find("(/chosen/libm.so: "), std::string::npos) << message;
}

}  // namespace
}  // namespace bellwether
