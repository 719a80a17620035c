#include "learning.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/params/params.h>
#include <bellwether/model/learning/learned_page.h>
#include <bellwether/report/page.h>
#include <bellwether/report/report_script.h>

#include "arrow_source.h"

namespace bellwether::python {
namespace {

/// Throws KeyboardInterrupt, or what else a handler of a signal raises, at most some tenths of a second after it came.
class Signals {
 public:
  void check() {
    const auto now = Clock::now();
    if (now - checked_ < std::chrono::milliseconds(50)) return;
    checked_ = now;
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point checked_ = Clock::now();
};

/// What Python is told of a result: the model, the summary as JSON and as text, and the page.
nb::tuple told(LearnResult result, const std::string& command) {
  nb::object page = nb::none();
  if (result.figures) {
    const LearnedPage made = learned_page(result, command);
    page = nb::make_tuple(made.title, made.data);
  }
  const std::string json = json_of(result.summary);
  const std::string text = text_of(result.summary);
  return nb::make_tuple(new OwnedModel(std::move(result.model)), json, text, page);
}

nb::tuple learn_values(const nb::list& sources, const nb::dict& fields, const nb::object& progress, OwnedModel* model,
                       const std::string& command) {
  const LearnRequest request = request_of(sources, fields);
  Signals signals;
  LearnCallbacks callbacks;
  callbacks.stopped = [&signals] {
    signals.check();
    return false;
  };
  callbacks.progress = [&](const LearnProgress& now) {
    signals.check();
    if (progress.is_none()) return;
    const nb::gil_scoped_acquire held;
    progress(now.share, now.stage == LearnProgress::Stage::learning ? "learning" : "finding ranges");
  };
  const auto run = [&](std::optional<Model> old) {
    return old ? learn(std::move(*old), request, callbacks) : learn(request, callbacks);
  };
  // What is learned goes to a copy: the model stays as it is when something fails.
  std::optional<LearnResult> result;
  if (model != nullptr) {
    result.emplace(model->work([&](const Model& mine) { return run(Model::parse(mine.bytes(), "the model")); }));
  } else {
    const nb::gil_scoped_release released;
    result.emplace(run(std::nullopt));
  }
  return told(std::move(*result), command);
}

/// Writes the page of what was learned.
void write_learned_page(const std::string& path, const std::string& title, const std::string& data) {
  if (report_script().empty()) {
    throw InvalidArgument(
        "this package was built without its pages, because Node.js was missing: install nodejs and npm and build it "
        "again");
  }
  write_file(path, page_of_script(title, {report_script(), report_script_hash()}, data));
}

}  // namespace

LearnRequest request_of(const nb::list& sources, const nb::dict& fields) {
  LearnRequest request{.files = sources_of(sources)};
  const auto read = [&]<class T>(const char* name, T& to) {
    if (fields.contains(name)) to = nb::cast<T>(nb::object(fields[name]));
  };
  const auto read_settings = [&](const char* name, Settings& to) {
    if (fields.contains(name)) to = settings_of(nb::cast<nb::dict>(nb::object(fields[name])));
  };
  read("state", request.columns.state);
  read("next", request.columns.next);
  read("reward", request.columns.reward);
  for (const LogRole& role : log_roles) {
    if (role.column != &LogColumns::discount) read(role.name, request.columns.*role.column);
  }
  read("unordered", request.columns.unordered);
  read("discount", request.discount);
  read("dim", request.dim);
  bool skip_bad = false;
  read("skip_bad", skip_bad);
  request.bad_rows = skip_bad ? BadRows::skip : BadRows::reject;
  std::string decimal = ".";
  read("decimal", decimal);
  request.decimal = decimal.front();
  read("features", request.features);
  read_settings("feature_settings", request.feature_settings);
  read("learner", request.learner);
  read_settings("settings", request.settings);
  Settings params;
  read_settings("params", params);
  request.params = parse_params<LearnParams>("learn", params);
  read("model", request.model);
  read("checkpoint", request.checkpoint);
  read("resume", request.resume);
  read("again", request.again);
  read("like", request.like);
  if (fields.contains("recipe")) request.recipe = parse_recipe(nb::cast<std::string>(nb::object(fields["recipe"])));
  read("figures", request.figures);
  return request;
}

void bind_learning(nb::module_& module) {
  nb::class_<NumpyColumns>(module, "NumpyColumns")
      .def(nb::init<std::size_t, nb::list>(), nb::arg("rows"), nb::arg("columns"));
  module.def("learn", &learn_values, nb::arg("sources"), nb::arg("fields"), nb::arg("progress").none(),
             nb::arg("model").none(), nb::arg("command"));
  module.def("learn_params", [] {
    nb::list all;
    for (const ParamInfo& param : describe<LearnParams>()) {
      all.append(nb::make_tuple(param.name, param.default_value, param.accepts, param.text));
    }
    return all;
  });
  module.def("write_learned_page", &write_learned_page, nb::arg("path"), nb::arg("title"), nb::arg("data"));
}

}  // namespace bellwether::python
