"""Writes where on Mountain Car learners err: python3 by_value.py FOLDER

FOLDER holds the summaries of the study mountain_car. Its chosen settings learn once more from the first 20 seeds, and
FOLDER/by_value.csv gets their mean errors over the curve in four groups of states, from the quarter whose values are
nearest to zero, which is near the goal, to the quarter that is farthest from it.
"""

import csv
import pathlib
import sys

import numpy as np

import bellwether as bw

LABELS = ["LSTD", "ATD", "TO-TD", "TD(0)"]
SEEDS = 20
STEPS, EVERY = 5000, 50


def chosen(folder):
    """The learners of the summaries with their chosen settings, and with one of these changed; then compensated ATD."""
    with open(folder / "learners.csv", newline="") as file:
        rows = {row["label"]: row for row in csv.DictReader(file)}
    names = {"LSTD": "lstd", "ATD": "atd", "TO-TD": "true_online_td", "TD(0)": "td"}
    for label in LABELS:
        settings = dict(setting.split("=", 1) for setting in rows[label]["parameters"].split())
        settings = {name: value for name, value in settings.items() if value != "auto"}
        yield label, names[label], settings
        if label == "LSTD":
            for weaker in (10, 100):
                ridge = {"inverse_init": weaker * float(settings["inverse_init"])}
                yield f"LSTD, a ridge {weaker} times weaker", "lstd", settings | ridge
        if label == "ATD":
            yield "ATD, cut-off 0.001", "atd", settings | {"cutoff": 0.001}
            yield "ATD, rank 100", "atd", settings | {"rank": 100}
            yield "ATD, rank 100, cut-off 0.001", "atd", settings | {"rank": 100, "cutoff": 0.001}
    yield "compensated ATD, default", "atd_compensated", {}


def main(folder):
    car = bw.MountainCar(randomness=0.2)
    truth = bw.ground_truth(car, states=2000, rollouts=500)
    values = np.asarray(truth.values)
    states = car.features()(truth.states)
    quarter = np.digitize(np.abs(values), np.quantile(np.abs(values), [0.25, 0.5, 0.75]))
    with open(folder / "by_value.csv", "w", newline="") as file:
        write = csv.writer(file, lineterminator="\n").writerow
        write(["label", "quarter", "from", "to", "relative", "rmse"])
        for label, name, settings in chosen(folder):
            errors = np.zeros((2, 4))
            for run in range(SEEDS):
                stream = bw.Stream(car, seed=1, run=run)
                learner = bw.make_learner(name, stream.dim, **settings)
                for point in range(STEPS // EVERY + 1):
                    if point > 0:
                        learner.learn(stream.next(EVERY))
                    error = np.abs(learner.predict(states) - values)
                    for k in range(4):
                        among = quarter == k
                        errors[0, k] += np.mean(error[among] / np.abs(values[among]))
                        errors[1, k] += np.sqrt(np.mean(error[among] ** 2))
            errors /= SEEDS * (STEPS // EVERY + 1)
            for k in range(4):
                ends = np.sort(-np.abs(values[quarter == k]))[[-1, 0]]
                write([label, k + 1, *(f"{end:.1f}" for end in ends), *(f"{one:.4g}" for one in errors[:, k])])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
