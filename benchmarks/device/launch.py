# Loads and launches kernels through libcuda alone: memory, modules, one stream. For programs without PyTorch.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes


class Device:
    """The first GPU. Errors are raised with the driver's text."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(128)
        self.call("cuDeviceGetName", name, 128, device)
        self.name = name.value.decode()

    def call(self, function, *arguments):
        result = getattr(self.cuda, function)(*arguments)
        if result != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(result, ctypes.byref(text))
            raise RuntimeError("%s: %s" % (function, text.value.decode() if text.value else result))

    def module(self, ptx):
        """A module from the text of PTX; the error has what the driver's assembler says."""
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # the buffer for errors, its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 8192)
        result = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx + b"\0", 2, options, values)
        if result != 0:
            raise RuntimeError("the driver refuses the module (%d): %s" % (result, log.value.decode()))
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def memory(self, count):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(count, 16)))
        return pointer

    def put(self, pointer, data):
        self.call("cuMemcpyHtoD_v2", pointer, data, ctypes.c_size_t(len(data)))

    def get(self, pointer, count):
        data = ctypes.create_string_buffer(count)
        self.call("cuMemcpyDtoH_v2", data, pointer, ctypes.c_size_t(count))
        return data.raw

    def fill(self, pointer, byte, count):
        self.call("cuMemsetD8_v2", pointer, ctypes.c_ubyte(byte), ctypes.c_size_t(count))

    def free(self, pointer):
        self.call("cuMemFree_v2", pointer)

    def launch(self, function, grid, threads, shared, arguments):
        """Arguments are values of ctypes; returns when the kernel is done."""
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        self.call("cuLaunchKernel", function, grid, 1, 1, threads, 1, 1, shared, None, pointers, None)
        self.call("cuCtxSynchronize")
