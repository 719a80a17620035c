#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/model/learning/judge_log.h>
#include <bellwether/model/state_rows.h>
#include <bellwether/model/state_values.h>

#include "arrays.h"
#include "arrow_source.h"
#include "learning.h"

namespace bellwether::python {
namespace {

/// Values of all states of a source: for each target its values and, with intervals, their ends; and the visits of each
/// state.
nb::tuple predict(OwnedModel& self, nb::handle states, bool interval) {
  const LogSource source = source_of(states);
  std::vector<StateValues> values;
  std::vector<double> visits;
  self.work([&](const Model& model) {
    values.resize(model.targets());
    const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    for (StateRows rows(model, source); rows.next();) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        const StateValues some = values_of(model, k, rows.rows(), interval);
        append(values[k].value, some.value);
        append(values[k].low, some.low);
        append(values[k].high, some.high);
      }
      std::vector<double> counts(rows.rows().rows);
      model.visits(rows.rows(), counts);
      append(visits, counts);
    }
  });
  nb::list all;
  for (StateValues& one : values) {
    nb::list arrays;
    arrays.append(numpy_array(std::move(one.value)));
    if (interval) {
      arrays.append(numpy_array(std::move(one.low)));
      arrays.append(numpy_array(std::move(one.high)));
    }
    all.append(arrays);
  }
  return nb::make_tuple(all, numpy_array(std::move(visits)));
}

/// One dictionary for each target.
nb::list judge(OwnedModel& self, const nb::list& sources, const nb::dict& fields) {
  const LearnRequest request = request_of(sources, fields);
  const auto judgements = self.work([&](const Model& model) { return judge_log(model, request); });
  nb::list all;
  for (const Judgement& one : judgements) {
    nb::dict told;
    told["after"] = one.after;
    told["steps"] = one.steps;
    told["td_error"] = one.td_error;
    if (one.projected) told["projected_bellman_error"] = *one.projected;
    told["returns"] = one.returns;
    if (one.returns > 0) {
      told["mean_return"] = one.mean_return;
      told["mean_value"] = one.mean_value;
      told["return_error"] = one.return_error;
    }
    all.append(told);
  }
  return all;
}

nb::bytes bytes_of(OwnedModel& self) {
  const std::string bytes = self.work([](const Model& model) { return model.bytes(); });
  return nb::bytes(bytes.data(), bytes.size());
}

void check_target(const Model& model, std::size_t target) {
  if (target >= model.targets()) {
    throw InvalidArgument(fmt::format("target = {}; the model has {}", target, model.targets()));
  }
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<OwnedModel>(module, "Model")
      .def_static("load",
                  [](const std::string& path) {
                    const nb::gil_scoped_release released;
                    return new OwnedModel(Model::load(path));
                  })
      .def_static("parse",
                  [](const nb::bytes& bytes, const std::string& name) {
                    return new OwnedModel(Model::parse({bytes.c_str(), bytes.size()}, name));
                  })
      .def("save", [](OwnedModel& self, const std::string& path) { self.work([&](const Model& m) { m.save(path); }); })
      .def("bytes", &bytes_of)
      .def("recipe", [](OwnedModel& self) { return self.work([](const Model& m) { return text_of(m.recipe()); }); })
      .def("target_names",
           [](OwnedModel& self) {
             return self.work([](const Model& m) {
               std::vector<std::string> names;
               for (std::size_t k = 0; k < m.targets(); ++k) names.push_back(m.recipe().name_of(k));
               return names;
             });
           })
      .def("summary",
           [](OwnedModel& self) {
             const LearnSummary summary = self.work([](const Model& m) { return summarise(m); });
             return nb::make_tuple(json_of(summary), text_of(summary));
           })
      .def("weights",
           [](OwnedModel& self, std::size_t target) {
             return numpy_array(self.work([&](const Model& m) {
               check_target(m, target);
               return m.weights(target);
             }));
           })
      .def("absorb",
           [](OwnedModel& self, OwnedModel& other) {
             if (&self == &other) throw nb::value_error("a model cannot absorb itself");
             other.work([&](const Model& theirs) { self.work_released([&](Model& mine) { mine.absorb(theirs); }); });
           })
      .def("predict", &predict, nb::arg("states"), nb::arg("interval"))
      .def("judge", &judge, nb::arg("sources"), nb::arg("fields"));
}

}  // namespace bellwether::python
