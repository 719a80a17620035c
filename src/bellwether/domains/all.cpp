#include <bellwether/domains/all.h>

namespace bellwether {

const std::vector<DomainEntry>& domains() {
  static const auto all = entries<Domain>(Domains{});
  return all;
}

std::unique_ptr<Domain> make_domain(std::string_view name, const Settings& settings) {
  return find_entry(domains(), "domain", name).make(settings);
}

}  // namespace bellwether
