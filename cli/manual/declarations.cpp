#include "manual/declarations.h"

#include <algorithm>

#include "studies/subjects.h"
#include "terminal/catalogue.h"

namespace bellwether::cli {

namespace {

std::vector<std::string> names_in(const std::string& kind) {
  std::vector<std::string> names;
  for (const CatalogueSection& section : catalogue()) {
    if (kind != section.kind && kind != "all") continue;
    for (const CatalogueEntry& entry : section.entries) names.push_back(entry.name);
  }
  return names;
}

/// What everything that help explains is called.
std::vector<std::string> topics(const CLI::App& app) {
  std::vector<std::string> names = names_in("all");
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  names.emplace_back("features");
  return names;
}

/// The values that the description of a parameter lists at its end: "... (td; td | lstd)".
std::vector<std::string> listed_values(const std::string& text) {
  const std::size_t begin = text.rfind("; ");
  if (begin == std::string::npos || !text.ends_with(')')) return {};
  const std::string accepts = text.substr(begin + 2, text.size() - begin - 3);
  if (accepts.find(" | ") == std::string::npos) return {};
  std::vector<std::string> values;
  for (std::size_t at = 0; at <= accepts.size();) {
    const std::size_t end = std::min(accepts.find(" | ", at), accepts.size());
    values.push_back(accepts.substr(at, end - at));
    at = end + 3;
  }
  const auto plain = [](const std::string& value) {
    return value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos;
  };
  return std::all_of(values.begin(), values.end(), plain) ? values : std::vector<std::string>{};
}

/// What is known of values by the name they have in the help.
void complete_offer(const CLI::App& app, Argument& argument) {
  const std::string& value = argument.value;
  if (value == "LEARNER") argument.choices = names_in("learners");
  else if (value == "DOMAIN") argument.choices = names_in("domains");
  else if (value == "FEATURES") argument.choices = names_in("features");
  else if (value == "KIND") argument.choices = {"learners", "domains", "features"};
  else if (value == "SUBJECT") argument.choices = names_of_subjects();
  else if (value == "SHELL") argument.choices = {"bash", "zsh", "fish"};
  else if (value == "TOPIC") argument.choices = topics(app);
  else if (value == "DIR") argument.offer = Offer::folders;
  else if (value.starts_with("FILE") || value == "MODEL" || value == "STUDY") argument.offer = Offer::files;
  else argument.choices = listed_values(argument.text);
  if (!argument.choices.empty()) argument.offer = Offer::choices;
}

Argument argument_of(const CLI::App& app, const CLI::Option& option) {
  Argument argument;
  argument.text = option.get_description();
  argument.required = option.get_required();
  argument.repeats = option.get_items_expected_max() > 1;
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (argument.positional() || option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    argument.value = !option.get_option_text().empty() ? option.get_option_text()
                     : !type.empty() && type != "TEXT" ? type.substr(0, type.find(':'))
                     : argument.positional()           ? option.get_name(true)
                                                       : "VALUE";
  }
  complete_offer(app, argument);
  return argument;
}

}  // namespace

std::vector<Command> declarations(const CLI::App& app) {
  std::vector<Command> all;
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string notes = verb->get_footer() == app.get_footer() ? "" : verb->get_footer();  // which is inherited
    Command command{verb->get_name(), verb->get_description(), verb->get_group(), notes, {}};
    for (const CLI::Option* option : verb->get_options()) command.arguments.push_back(argument_of(app, *option));
    all.push_back(std::move(command));
  }
  return all;
}

}  // namespace bellwether::cli
