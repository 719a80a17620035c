#include "manual/features_topic.h"

#include <bellwether/core/support/text_table.h>

#include "terminal/catalogue.h"
#include "terminal/terminal.h"

namespace bellwether::cli {

std::string features_topic() {
  TextTable table({{.title = "feature map", .right = false}, {.title = "description", .right = false}});
  for (const CatalogueSection& section : catalogue()) {
    if (section.kind != "features") continue;
    for (const CatalogueEntry& entry : section.entries) table.add({entry.name, entry.doc.summary});
  }
  const auto title = [](const char* text) { return "\n" + bold(text) + "\n"; };
  return bold("Features") + "\n\n" +
         R"(  Values are linear in features: v(s) = w . x(s). A feature map makes the numbers x(s) from a state s; the learner
  finds the weights w. States with the same features have the same value, and what is learned about a state is
  learned about all that share features with it.
)" + title("How they are described") +
         R"(  --features takes a formula: names of maps, with parameters in parentheses, joined by + to stand side by side.

    tile_coding                                    a map with its defaults
    tile_coding(tilings=8 tiles=10x5)              with parameters, separated by spaces
    tile_coding(tilings=8) + bias                  the features of one, then those of the other
    own + noise(count=100 active=50)               run: the domain's own features and some that mean nothing
    tile_coding(groups=1,2) + fourier(order=3)     tiles of each variable and of each pair, and waves
    none                                           learn: the columns of the state are features already

  In a shell, put quotes around a formula that has spaces or parentheses. Parameters can also be set apart from it:

    --features tile_coding+noise --set features.tile_coding.tilings=16 --set features.noise.redraw=episode

  Without --features, `run` takes the domain's own and `learn` chooses by the variables and the rows there are; it
  says which. Maps scale variables by their ranges, which a domain knows and `learn` finds in the data.
)" + title("Which to take") +
         R"(  tabular        few states that are whole numbers: exact, and nothing is learned from one state about another
  tile_coding    one to four variables of any scale: local, binary and fast; more variables in groups of one and two
  fourier        few variables, and values that are smooth
  radial_basis   the same, but local
  polynomial     values that are nearly linear or quadratic
)" + title("The maps there are") +
         "\n" + table.text() +
         R"(
Run bellwether help NAME to read about one of them, for instance bellwether help tile_coding.
)" + title("Try") +
         R"(  bellwether run --domain mountain_car --features 'tile_coding(tilings=8 tiles=10x5) + bias' --learner lstd --steps 1000
  bellwether simulate mountain_car --steps 5000 -o log.csv && bellwether learn log.csv --features 'fourier(order=5)'
)";
}

}  // namespace bellwether::cli
