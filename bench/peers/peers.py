"""scikit-learn's lasso path on the data of run.ts: peers.py FOLDER"""
import json
import os
import resource
import sys
import time

try:
    import numpy as np
    import sklearn
    from sklearn.linear_model import lasso_path
except ImportError as error:
    sys.exit(f"{error.name} is not installed")

folder = sys.argv[1]
with open(os.path.join(folder, "shape.json")) as file:
    shape = json.load(file)
n, p = shape["rows"], shape["columns"]
x = np.fromfile(os.path.join(folder, "x.f32"), np.float32).reshape((n, p), order="F")
y = np.fromfile(os.path.join(folder, "y.f32"), np.float32)


def blas():
    try:
        from threadpoolctl import threadpool_info

        names = [f"{i['internal_api']} {i['version']}" for i in threadpool_info() if i["user_api"] == "blas"]
        return ", ".join(sorted(set(names))) or "unknown"
    except ImportError:
        return "unknown"


start, cpu = time.perf_counter(), time.process_time()
# Centred and scaled as glmnet does it; the Gram matrix first, which is its faster way when rows outnumber columns.
mean, sd = x.mean(0), x.std(0)
x -= mean
x /= sd
centred = y - y.mean()
alphas, coefs, _ = lasso_path(x, centred, eps=1e-4, n_alphas=100, precompute=n > p, copy_X=False)
seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
residual = ((centred[:, None] - x @ coefs.astype(np.float32)) ** 2).mean(0)
bic = n * np.log(residual) + (coefs != 0).sum(0) * np.log(n)
beta = coefs[:, int(np.argmin(bic))]
print(json.dumps({
    "version": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, BLAS {blas()}",
    "seconds": seconds,
    "cpuSeconds": cpu,
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "note": f"{len(alphas)} values of lambda, no early stop",
    "selected": np.nonzero(beta)[0].tolist(),
    "coefficients": (beta / sd).tolist(),
}))
