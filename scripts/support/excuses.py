"""Lists of excuses: `key… reason`, one a line; `#` starts a comment."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os


def read(path, words):
    """{key: reason} of the file, whose first `words` words are the key; ValueError on a line without a reason."""
    found = {}
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = line.split(None, words)
            if len(parts) <= words:
                raise ValueError("%s:%d: wanted %d words and a reason" % (path, number, words))
            found[" ".join(parts[:words])] = parts[words].strip()
    return found
