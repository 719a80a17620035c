"""Policy evaluation: how much reward will a policy collect from here?

Names are those of the C++ library. Three rules differ: parameters are keyword arguments, `lambda` is spelled `lambda_`,
and arrays are NumPy's.
"""

from ._core import Active, Batch, __version__
from ._learning import Learned, Target, learn
from ._model import Model
from ._registry import LEARNERS, Learner, make_learner

globals().update({learner.__name__: learner for learner in LEARNERS.values()})

__all__ = ["LEARNERS", "Active", "Batch", "Learner", "__version__", "make_learner"]
__all__ += ["Learned", "Model", "Target", "learn"]
__all__ += [learner.__name__ for learner in LEARNERS.values()]


def __getattr__(name: str):
    """What needs scikit-learn is imported when it is asked for."""
    if name in ("ValueEstimator", "value_score"):
        from . import _estimator

        return getattr(_estimator, name)
    raise AttributeError(f"module 'bellwether' has no attribute '{name}'")
