"""Whether this machine has a GPU that code can run on: NVIDIA's driver is asked, nothing else is needed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes

LEAST = (8, 0)  # compute capability
MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*


def probe():
    """(name, (major, minor), None) of the first device, or (None, None, why there is none)."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return None, None, "NVIDIA's driver cannot be opened: %s" % error
    status = cuda.cuInit(0)
    count = ctypes.c_int(0)
    if status == 0:
        status = cuda.cuDeviceGetCount(ctypes.byref(count))
    if status != 0:
        return None, None, "NVIDIA's driver gives error %d" % status
    if count.value == 0:
        return None, None, "there is no device"
    device, name = ctypes.c_int(0), ctypes.create_string_buffer(256)
    capability = []
    status = cuda.cuDeviceGet(ctypes.byref(device), 0) or cuda.cuDeviceGetName(name, 256, device)
    for attribute in (MAJOR, MINOR):
        value = ctypes.c_int(0)
        status = status or cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, device)
        capability.append(value.value)
    if status != 0:
        return None, None, "NVIDIA's driver gives error %d" % status
    found, capability = name.value.decode("utf-8", "replace"), tuple(capability)
    if capability < LEAST:
        return None, None, "%s has compute capability %d.%d, least is %d.%d" % ((found,) + capability + LEAST)
    return found, capability, None


def runs(target, capability):
    """Whether a device runs code for `sm_80`, `sm_90a`, …: `a` is for that device alone."""
    digits = target[len("sm_"):].rstrip("a")
    asked = (int(digits[:-1]), int(digits[-1]))
    return capability == asked if target.endswith("a") else capability >= asked
