"""Policy evaluation: how much reward will a policy collect from here?

Names are those of the C++ library. Three rules differ: parameters are keyword arguments, `lambda` is spelled `lambda_`,
and arrays are NumPy's.
"""

from ._collect import collect, read_minari
from ._core import Active, Batch, GroundTruth, Rng, __version__
from ._domains import DOMAINS, Domain, Stream, as_domain, make_domain
from ._features import FEATURES, FeatureMap, Features, make_features
from ._gymnasium import GymnasiumDomain
from ._learning import Learned, Target, learn
from ._metrics import METRICS, Measure, ground_truth, value_error
from ._model import Model
from ._registry import LEARNERS, Learner, make_learner
from ._results import Results
from ._run import Run
from ._studies import Study, run, sweep

globals().update({learner.__name__: learner for learner in LEARNERS.values()})
globals().update({made.__name__: made for made in (*DOMAINS.values(), *FEATURES.values())})

__all__ = ["LEARNERS", "Active", "Batch", "Learner", "__version__", "make_learner"]
__all__ += ["DOMAINS", "Domain", "GymnasiumDomain", "Rng", "Stream", "as_domain", "make_domain"]
__all__ += ["FEATURES", "FeatureMap", "Features", "make_features"]
__all__ += ["METRICS", "GroundTruth", "Measure", "ground_truth", "value_error"]
__all__ += ["Results", "Run", "Study", "collect", "read_minari", "run", "sweep"]
__all__ += ["Learned", "Model", "Target", "learn"]
__all__ += [learner.__name__ for learner in LEARNERS.values()]
__all__ += [made.__name__ for made in (*DOMAINS.values(), *FEATURES.values())]


# What needs scikit-learn is imported when it is asked for.
_LATER = {"ValueEstimator": "_estimator", "value_score": "_estimator"}


def __getattr__(name: str):
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module 'bellwether' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
