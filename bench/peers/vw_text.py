"""Vowpal Wabbit learns returns from rows of sparse text by plain gradient descent in one pass: one linear update a row.

It reads in one thread and learns in another; processor time is that of both. Its rate is half of ours, as it takes the
derivative of the squared error, and its predictions are left unbounded: the weights are then ours, in single precision.
"""

import sys

from measure import ALPHA, DIM, FOLDER, measure
from vowpalwabbit import Workspace

ROWS = int(sys.argv[2])


def learn():
    model = Workspace(
        f"--data {FOLDER}/returns_{ROWS}.vw --sgd --learning_rate {ALPHA / 2} --power_t 0 --noconstant "
        "--bit_precision 10 --min_prediction -1000 --max_prediction 1000 --quiet --no_stdin"
    )
    w = [model.get_weight(j) for j in range(DIM)]
    model.finish()
    return w


measure(learn, ROWS)
