#!/usr/bin/env python3
"""Trains the classifier of this example and writes its weights.

usage: train.py [FOLDER]

A logistic regression on scikit-learn's handwritten digits (1797 images of 8 x 8 pixels, values 0 to 16, ten classes).
Weights and bias are rounded to bf16 and stored as their bit patterns (`<u2`), which is how Tessera reads bf16:
weights.npy is [64, 10], bias.npy is [10].
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

import ml_dtypes
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


def main(argv):
    folder = pathlib.Path(argv[1]) if len(argv) > 1 else pathlib.Path(__file__).parent
    images, labels = load_digits(return_X_y=True)
    model = LogisticRegression(C=0.1, max_iter=5000).fit(images[:1347], labels[:1347])
    np.save(folder / "weights.npy", model.coef_.T.astype(ml_dtypes.bfloat16).view(np.uint16))
    np.save(folder / "bias.npy", model.intercept_.astype(ml_dtypes.bfloat16).view(np.uint16))
    print("accuracy on the 450 images not trained on: %.3f" % model.score(images[1347:], labels[1347:]))


if __name__ == "__main__":
    main(sys.argv)
