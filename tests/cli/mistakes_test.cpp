// What the program says to a request that makes no sense.
#include <algorithm>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.h"

namespace bellwether {
namespace {

using testing::bellwether;
using testing::Finished;

struct Mistake {
  const char* what;
  const char* arguments;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.arguments; }

class EveryMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(EveryMistake, GetsOneClearLineAndExitCodeTwo) {
  const Finished finished = bellwether(GetParam().arguments);
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_EQ(finished.err.rfind("bellwether: ", 0), 0U) << finished.err;
  EXPECT_NE(finished.err.find(GetParam().message), std::string::npos) << finished.err;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, EveryMistake,
    ::testing::Values(
        Mistake{"UnknownVerb", "rnu", "there is no command 'rnu'; did you mean 'run'?"},
        Mistake{"FileForACommand", "-x.db", "-x.db"},
        Mistake{"UnknownLearner", "run --domain boyan_chain --learner tdd", "no learner 'tdd'; did you mean 'td'?"},
        Mistake{"UnknownDomain", "run --domain boyan --learner td", "did you mean 'boyan_chain'?"},
        Mistake{"UnknownFeatures", "run --domain baird --features tabulr --learner td", "did you mean 'tabular'?"},
        Mistake{"UnknownParameter", "run --domain baird --learner td --set alhpa=1", "did you mean 'alpha'?"},
        Mistake{"UnknownDomainParameter", "run --domain boyan_chain --learner td --set domain.siz=4", "'size'"},
        Mistake{"UnknownOption", "run --domain baird --learner td --stps 3",
                "run: there is no option '--stps'; did you mean '--steps'? (see bellwether help run)"},
        Mistake{"UnknownOptionBeforeRequiredOnes", "predict --intervl", "did you mean '--interval'?"},
        Mistake{"UnknownOptionWithAValue", "learn log.csv --dicsount=0.9", "did you mean '--discount'?"},
        Mistake{"EmptyFile", "sweep boyan --out= --dry-run", "sweep: --out needs the name of a file"},
        Mistake{"EmptyFileAsAWord", "reproduce boyan --out '' --dry-run", "reproduce: --out needs the name of a file"},
        Mistake{"EmptyValue", "run --domain baird --steps= --every 3", "run: --steps needs a value"},
        Mistake{"UnknownShortOption", "learn log.csv -o m.bw",
                "learn: there is no option '-o' (see bellwether help learn)"},
        Mistake{"UnknownShortOptionWithAValue", "predict m.bw -mlog", "predict: there is no option '-m'"},
        Mistake{"CapitalLearner", "run --domain baird --learner TD", "no learner 'TD'; did you mean 'td'?"},
        Mistake{"OneModelToMerge", "merge one.bw -o all.bw", "merge: takes two models or more, not 1"},
        Mistake{"UnknownKind", "list learnrs", "did you mean 'learners'?"},
        Mistake{"UnknownHelp", "help tdr", "did you mean 'td'?"},
        Mistake{"MissingDomain", "run --learner td", "run: --domain is required (see bellwether help run)"},
        Mistake{"MissingData", "learn", "learn: data is required (see bellwether help learn)"},
        Mistake{"TextForANumber", "run --domain baird --learner td --set alpha=fast",
                "td: alpha = 'fast' is not a number"},
        Mistake{"TextForACount", "run --domain baird --learner td --steps many",
                "steps = 'many' is not a whole number"},
        Mistake{"FractionForACount", "run --domain baird --learner td --runs 2.5",
                "runs = '2.5' is not a whole number"},
        Mistake{"ZeroSteps", "run --domain baird --learner td --steps 0", "run: steps = 0 is outside [1, inf)"},
        Mistake{"NoRuns", "run --domain baird --learner td --runs 0", "run: runs = 0 is outside [1, inf)"},
        Mistake{"NegativeSeed", "run --domain baird --learner td --seed -4", "seed"},
        Mistake{"ZeroSimulatedSteps", "simulate baird --steps 0", "simulate: steps = 0 is outside [1, inf)"},
        Mistake{"SimulatedToAnotherFormat", "simulate baird -o log.parquet",
                "log.parquet: simulate writes .csv and .jsonl"},
        Mistake{"OutOfRange", "run --domain baird --learner td --set alpha=-1", "td: alpha = -1 is outside (0, inf)"},
        Mistake{"NotANumber", "run --domain baird --learner td --set alpha=nan", "is not a number"},
        Mistake{"NotAChoice", "run --domain baird --learner td --set trace=replacng", "did you mean 'replacing'?"},
        Mistake{"TwoValuesForOneKey", "run --domain baird --learner td --set alpha=1 --set alpha=2",
                "td: alpha is set twice, to '1' and to '2'"},
        Mistake{"TwoValuesForOneOption", "run --domain baird --learner td --steps 5 --steps 6",
                "run: steps is set twice, to '5' and to '6'"},
        Mistake{"TooManyMeasurements", "run --domain baird --learner td --steps 1000000000000000000 --every 1 --runs 1",
                "run: steps / every = 1000000000000000000 measurements are outside [1, 100000000]"},
        Mistake{"MoreThanFits", "run --domain baird --learner td --runs 1000000000000", "is outside [1, 1000000000]"},
        Mistake{"NewlineInAValue", "run --domain baird --learner 'a\nb'", "there is no learner"},
        Mistake{"TooSmallForANumber", "run --domain baird --learner td --set alpha=1e-400", "too small"},
        Mistake{"NoAssignment", "run --domain baird --learner td --set alpha", "--set takes KEY=VALUE, not 'alpha'"},
        Mistake{"FeatureParameterWithoutFeatures", "run --domain baird --learner td --set features.tilings=8",
                "--features is not"},
        Mistake{"NoMultipleOfFour", "run --domain boyan_chain --set domain.size=13 --learner td",
                "boyan_chain: size = 13 is not a multiple of 4"},
        Mistake{"MetricThatDividesByZero", "run --domain baird --learner td --metric relative", "relative"},
        Mistake{"UnknownMetric", "run --domain baird --metric rmse,mspb", "did you mean 'mspbe'?"},
        Mistake{"MetricTwice", "run --domain baird --metric rmse,rmse", "run: metric rmse is asked for twice"},
        Mistake{"MostlyBias", "run --domain energy --metric mspbe", "less than twice the 8192 features"},
        Mistake{"TooManyArcs", "simulate garnet --set states=2000 --set actions=100 --set branching=100",
                "states * actions * branching = 20000000 is outside [1, 2000000]"},
        Mistake{"UnclosedFeatures", "run --domain mountain_car --features 'tile_coding(tilings=3'",
                "opens a parenthesis that it does not close"},
        Mistake{"FeatureParameterOfNoPart", "run --domain mountain_car --features own+bias --set features.tilings=3",
                "tilings could belong to several maps"},
        Mistake{"UnknownPartOfFeatures", "run --domain mountain_car --features tile_coding+bais",
                "did you mean 'bias'?"},
        Mistake{"ExactTruthThatIsNotKnown", "run --domain mountain_car --truth exact",
                "truth = exact, but mountain_car does not know its values"},
        Mistake{"TooFewSteps", "run --domain mountain_car --states 100 --trajectory 10",
                "100 states cannot be sampled from a trajectory of 10 steps"},
        Mistake{"CsvAndJson", "run --domain baird --learner td --csv --json", "--json excludes --csv"}),
    [](const auto& tested) { return std::string(tested.param.what); });

}  // namespace
}  // namespace bellwether
