"""Figures of studies show the numbers of the results."""

import matplotlib as mpl
import numpy as np
import pytest

import bellwether as bw

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    study = bw.Study("boyan_chain", name="figures", steps=400, every=20, seeds=20, metrics=["relative", "rmse"])
    study.add("td", label="TD", alpha=[0.003, 0.01, 0.03, 0.1, 0.3, 1], lambda_=[0, 0.5, 0.9])
    study.add("lstd", label="LSTD", lambda_=[0, 0.9]).add("td", label="wild", alpha=[30, 100])
    return bw.sweep(study, tmp_path_factory.mktemp("figures") / "x.db")


def lines(ax):
    return {line.get_label().split(":")[0]: line for line in ax.get_lines() if not line.get_label().startswith("_")}


def test_curves_are_those_of_the_best_settings(results, tmp_path):
    ax = results.plot_curves("rmse")
    best = {row["label"]: row for row in results.ranked("rmse", best=True)}
    drawn = lines(ax)
    assert set(drawn) == {"TD", "LSTD"} and "wild" in ax.texts[0].get_text()
    for label, line in drawn.items():
        steps, mean, _ = results.curve(best[label]["setting"], "rmse")
        assert np.array_equal(line.get_xdata(), steps) and np.array_equal(line.get_ydata(), mean)
    ax.figure.savefig(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").stat().st_size > 10_000
    plt.close("all")


def test_sensitivity_has_the_best_of_the_other_parameters_at_every_value(results):
    ax = results.plot_sensitivity(learners=["TD", "LSTD"])
    (line,) = [line for line in ax.get_lines() if line.get_linestyle() != "None"]
    table = results.to_pandas()
    td = table[(table.label == "TD") & (table.metric == "relative")]
    best = td.groupby("p_alpha")["average"].min()
    assert np.array_equal(line.get_xdata(), best.index) and np.array_equal(line.get_ydata(), best)
    assert ax.get_xscale() == "log" and ax.get_xlabel() == "alpha"
    assert results.plot_sensitivity("lambda_", metric="rmse").get_xlabel() == "lambda"
    plt.close("all")


def test_axes_of_ones_own_are_drawn_on(results):
    _, (left, right) = plt.subplots(1, 2)
    assert results.plot_curves(ax=left) is left and results.plot_sensitivity("alpha", ax=right) is right
    run = bw.run("boyan_chain", "td", steps=100, runs=3)
    assert np.array_equal(run.plot(ax=left).get_lines()[-1].get_ydata(), run.mean)
    with pytest.raises(ValueError, match="no metric 'x'"):
        run.plot("x")
    plt.close("all")
