#!/usr/bin/env python3
"""Classifies every digit with two Tessera kernels and compares with scikit-learn.

usage: classify.py TILE_RUN [FOLDER]

TILE_RUN is the tile-run binary; FOLDER (default: a temporary one) receives the arrays. The model is weights.npy and
bias.npy beside this file. Its scores come from examples/gemm.tile, its probabilities from examples/softmax.tile; the
class with the greatest probability must be the one that scikit-learn predicts with the same weights, for every image.
Exit status 0 if all agree.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

HERE = pathlib.Path(__file__).resolve().parent


def bf16(path):
    return np.load(path).view(ml_dtypes.bfloat16)


def sklearn_classes(images):
    """The classes that scikit-learn predicts with the stored weights."""
    model = LogisticRegression()
    model.classes_ = np.arange(10)
    model.coef_ = bf16(HERE / "weights.npy").astype(np.float64).T
    model.intercept_ = bf16(HERE / "bias.npy").astype(np.float64)
    model.n_features_in_ = 64
    return model.predict(images)


def tessera_classes(tile_run, images, folder):
    """The classes by way of the two kernels; arrays are left in `folder`."""
    np.save(folder / "images.npy", images.astype(ml_dtypes.bfloat16).view(np.uint16))
    run = lambda *words: subprocess.run([tile_run, *map(str, words), "--check"], check=True)
    run(HERE.parent / "gemm.tile", "--in", f"a={folder}/images.npy", "--in", f"b={HERE}/weights.npy",
        "--in", f"bias={HERE}/bias.npy", "--out", f"d={folder}/scores.npy")
    run(HERE.parent / "softmax.tile", "--in", f"x={folder}/scores.npy", "--out", f"y={folder}/probabilities.npy")
    return bf16(folder / "probabilities.npy").astype(np.float32).argmax(axis=1)


def main(argv):
    if len(argv) < 2:
        sys.exit("usage: classify.py TILE_RUN [FOLDER]")
    images, labels = load_digits(return_X_y=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(argv[2]) if len(argv) > 2 else pathlib.Path(scratch)
        ours = tessera_classes(argv[1], images, folder)
    theirs = sklearn_classes(images)
    print("%d of %d images: the class of scikit-learn; %d carry that label" %
          ((ours == theirs).sum(), len(theirs), (ours == labels).sum()))
    for row in np.flatnonzero(ours != theirs):
        print("image %d: tessera says %d, scikit-learn %d" % (row, ours[row], theirs[row]))
    return int((ours != theirs).any())


if __name__ == "__main__":
    sys.exit(main(sys.argv))
