"""scikit-learn on the data in a folder (bench/shapes/data.ts), its Lasso or logistic path: peers.py FOLDER

Columns in standard units, 100 values of lambda as glmnet has them, each from where the last one ended; the path ends
when a model has more than 100 variables.
"""
import json
import os
import resource
import sys
import time
import warnings

try:
    import numpy as np
    import sklearn
    from sklearn.datasets import load_svmlight_file
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso, LogisticRegression, lasso_path
    from sklearn.utils.sparsefuncs import inplace_column_scale, mean_variance_axis
except ImportError as error:
    sys.exit(f"{error.name} is not installed")

warnings.simplefilter("ignore", ConvergenceWarning)
MOST = 100
folder = sys.argv[1]
with open(os.path.join(folder, "shape.json")) as file:
    shape = json.load(file)
n, p, family = shape["rows"], shape["columns"], shape["family"]
if family == "poisson":
    sys.exit("scikit-learn has no penalty for counts that selects")
if shape["format"] == "dense":
    x = np.fromfile(os.path.join(folder, "x.f32"), np.float32).reshape((n, p), order="F")
    y = np.fromfile(os.path.join(folder, "y.f32"), np.float32)
else:
    x, y = load_svmlight_file(os.path.join(folder, "data.svm"), n_features=p)
    x = x.tocsc()


def blas():
    try:
        from threadpoolctl import threadpool_info

        names = [f"{i['internal_api']} {i['version']}" for i in threadpool_info() if i["user_api"] == "blas"]
        return ", ".join(sorted(set(names))) or "unknown"
    except ImportError:
        return "unknown"


def lambdas(largest, count=100):
    return largest * (1e-4 if n > p else 1e-2) ** (np.arange(count) / (count - 1))


def dense_path():
    """The Gram matrix first, which is the faster way when rows outnumber columns."""
    global x
    mean, sd = x.mean(0), x.std(0)
    x -= mean
    x /= sd
    centre = y.mean()
    centred = y - centre
    gram = np.dot(x.T, x) if n > p else False
    xy = x.T @ centred
    beta, total = np.zeros(p, x.dtype), float(centred @ centred)
    models = []
    for alpha in lambdas(np.abs(xy).max() / n):
        _, coefs, _ = lasso_path(x, centred, alphas=[alpha], precompute=gram, Xy=xy, copy_X=False,
                                 coef_init=beta, check_input=False)
        beta = np.ascontiguousarray(coefs[:, 0])
        used = np.nonzero(beta)[0]
        if len(used) > MOST:
            break
        residual = centred - x[:, used] @ beta[used]
        scaled = beta[used].astype(float) / sd[used]
        rss = float(residual @ residual)
        models.append((float(centre - mean[used] @ scaled), used, scaled, n * np.log(rss / total)))
    return models, "Gram matrix first" if n > p else "without the Gram matrix"


def sparse_path():
    mean, variance = mean_variance_axis(x, axis=0)
    sd = np.sqrt(np.where(variance > 0, variance, 1))
    inplace_column_scale(x, 1 / sd)
    centred = y - y.mean()
    xy = x.T @ centred
    total = float(centred @ centred)
    lasso = Lasso(warm_start=True)
    models = []
    for alpha in lambdas(np.abs(xy).max() / n):
        lasso.set_params(alpha=alpha).fit(x, y)
        used = np.nonzero(lasso.coef_)[0]
        if len(used) > MOST:
            break
        residual = y - lasso.intercept_ - x[:, used] @ lasso.coef_[used]
        rss = float(residual @ residual)
        models.append((float(lasso.intercept_), used, lasso.coef_[used] / sd[used], n * np.log(rss / total)))
    return models, "sparse columns, centred implicitly"


def logistic_path():
    """saga, which does not penalise the intercept and starts where the last one ended."""
    global x
    mean, sd = x.mean(0), x.std(0)
    x -= mean
    x /= sd
    x = np.ascontiguousarray(x)
    largest = np.abs(x.T @ (y - y.mean())).max() / n
    model = LogisticRegression(penalty="l1", solver="saga", warm_start=True, tol=1e-3, max_iter=1000)
    models = []
    for alpha in lambdas(largest):
        model.set_params(C=1 / (n * alpha)).fit(x, y)
        beta = model.coef_[0]
        used = np.nonzero(beta)[0]
        if len(used) > MOST:
            break
        eta = model.intercept_[0] + x[:, used] @ beta[used]
        deviance = 2 * float(np.sum(np.logaddexp(0, eta.astype(float)) - y * eta))
        scaled = beta[used].astype(float) / sd[used]
        models.append((float(model.intercept_[0] - mean[used] @ scaled), used, scaled, deviance))
    return models, "saga, tolerance 0.001"


start, cpu = time.perf_counter(), time.process_time()
path = logistic_path if family == "binomial" else dense_path if shape["format"] == "dense" else sparse_path
models, how = path()
seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
print(json.dumps({
    "version": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, BLAS {blas()}",
    "seconds": seconds,
    "cpuSeconds": cpu,
    "wholeCpuSeconds": time.process_time(),
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "note": f"{len(models)} values of lambda, {how}",
    "models": [
        {"intercept": intercept, "columns": used.tolist(), "values": np.asarray(beta, float).tolist(), "deviance": deviance}
        for intercept, used, beta, deviance in models
    ],
}))
