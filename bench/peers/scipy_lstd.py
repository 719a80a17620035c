"""LSTD(0) by SciPy for a million hashed features: BiCGSTAB with the diagonal as preconditioner, no d x d matrix.

Solves (X^T (X - gamma X') + I) w = X^T r to the residual at which `lstd_krylov` stops. Features that never occur
are left out: their weights are zero.
"""

import numpy as np
from measure import measure, steps
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import LinearOperator, bicgstab

DIM = 2**20
(index, offset), reward, discount = steps("hashed")
count = len(reward)


def learn():
    seen = np.flatnonzero(np.bincount(index, minlength=DIM))
    column = np.empty(DIM, dtype=np.int32)
    column[seen] = np.arange(len(seen))

    def matrix(first):
        """The states from `first` on, one for each step."""
        begin, end = offset[first], offset[first + count]
        rows = offset[first : first + count + 1] - begin
        return csr_matrix((np.ones(end - begin), column[index[begin:end]], rows), shape=(count, len(seen)))

    X = matrix(0)
    difference = X - diags(discount) @ matrix(1)
    transposed = X.T.tocsr()
    diagonal = 1 + np.asarray(X.multiply(difference).sum(axis=0)).ravel()
    shape = (len(seen), len(seen))
    A = LinearOperator(shape, matvec=lambda v: transposed @ (difference @ v) + v)
    jacobi = LinearOperator(shape, matvec=lambda v: v / diagonal)
    solution, failed = bicgstab(A, transposed @ reward, rtol=1e-10, M=jacobi, maxiter=2000)
    if failed:
        raise SystemExit("BiCGSTAB did not converge")
    w = np.zeros(DIM)
    w[seen] = solution
    return w


measure(learn, count)
