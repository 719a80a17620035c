#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

#include "manual/completion.h"
#include "manual/man_page.h"
#include "terminal/output.h"
#include "verbs.h"

namespace bellwether::cli {

void add_man(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("man", "Print the manual page, bellwether(1)");
  verb->footer("Example: bellwether man | man -l -");
  verb->callback([&app] { print(man_page(declarations(app), app.get_description())); });
}

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "Print a script that lets a shell complete commands and names");
  verb->add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("SHELL");
  verb->footer(
      "Examples:\n"
      "  source <(bellwether completion bash)          in ~/.bashrc\n"
      "  source <(bellwether completion zsh)           in ~/.zshrc, after compinit\n"
      "  bellwether completion fish | source           in ~/.config/fish/config.fish");
  verb->callback([shell, &app] {
    const std::vector<Command> all = declarations(app);
    if (*shell == "bash") print(bash_completion(all));
    else if (*shell == "zsh") print(zsh_completion(all));
    else if (*shell == "fish") print(fish_completion(all));
    else {
      throw InvalidArgument(fmt::format("completion: there is no shell '{}'{} (known: bash, zsh, fish)", *shell,
                                        suggestion(*shell, {"bash", "zsh", "fish"})));
    }
  });
}

}  // namespace bellwether::cli
