// Learns the value of a policy from a log, as `bellwether learn` does. The log: a machine that runs for three hours a
// day, earns 1 an hour, and costs 0, 1 or 2 when it is switched off; the true value of a day is 3 - 1 = 2.
#include <cstdio>
#include <fstream>

#include <bellwether/bellwether.h>

int main() {
  std::ofstream log("learn_log.csv");
  log << "hour,earned,done\n";
  for (int day = 0; day < 90; ++day) log << "0,1,0\n1,1,0\n2,1,0\n3," << -(day % 3) << ",1\n";
  log.close();

  const bellwether::LearnResult result =
      bellwether::learn({.files = {"learn_log.csv"}, .columns = {.state = {"hour"}, .reward = {"earned"}}});
  std::puts(text_of(result.summary).c_str());
  const bellwether::PolicyValue value = result.summary.targets[0].value;
  const bool right = *value.value - *value.half_width < 2 && 2 < *value.value + *value.half_width;
  return right ? 0 : 1;
}
