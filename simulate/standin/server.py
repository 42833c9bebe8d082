# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts wolfpine's simulator, unmodified or with features that wolfpine 2.2 leaves out.

STANDIN_ADDITIONS lists the features to add (packer-relu, packer-accumulation, multicast-source); run.py
asks only for those that a program uses. The reasons:

wolfpine decodes the configuration of the packer's L1 accumulation and of its ReLU, and then ignores
both: a kernel that uses them gives wrong values without a message. This file adds them between the
packer's format conversion and its write to L1, in the forms our kernels use, and refuses the others:
  * `Pack_L1_Acc` with 32-bit float output: L1 := L1 + datum, one IEEE single precision addition;
  * `STACC_RELU_ApplyRelu` = 1 (zero ReLU): a datum with the sign bit set is written as +0.
wolfpine also delivers (and acknowledges) every multicast to a sender that lies in the rectangle, so
that the write barrier of a sender that counts only the others never ends. Here the sender is left
out unless the command's BRCST_SRC_INCLUDE bit (17) asks for it.
What this file adds is our reading of the vendor's headers, not a measurement of a chip.

Stands in for the interpreter that wolfpine's launcher starts: called as `server.py -u -m MODULE ARG...`.
Appends its process id to the file that STANDIN_PID_FILE names, so that run.py can end it.
"""
import os
import runpy
import struct
import sys

BRCST_SRC_INCLUDE = 1 << 17
ZERO_RELU = 1
FP32 = 0  # packer output format numbers
FLOAT_BYTES = {0: 4, 1: 2, 5: 2}  # fp32, fp16, bf16


class PackTarget:
    """The packer's view of L1 while one pack instruction runs."""

    def __init__(self, memory, accumulate, relu):
        self.memory, self.accumulate, self.relu = memory, accumulate, relu

    def write(self, address, value, size=None):
        if self.relu and value[-1] & 0x80:
            value = bytes(len(value))
        if self.accumulate:
            value = add_float(bytes(self.memory.read(address, 4)), value)
        self.memory.write(address, value)

    def __getattr__(self, name):
        return getattr(self.memory, name)


def add_float(left, right):
    import numpy

    total = numpy.frombuffer(left, numpy.float32) + numpy.frombuffer(right, numpy.float32)
    return total.astype(numpy.float32).tobytes()


def section(packer, index, blackhole):
    """Configuration prefix of packer `index` (Blackhole has one packer)."""
    return "THCON_SEC0_REG1_" if blackhole else packer.getIPackerConfig(index, 4, 1, 8)


def accumulates(packer, state, packers):
    """Whether this instruction accumulates; all packers it drives must agree, and write fp32."""
    blackhole = packer.backend.blackhole
    flags = set()
    for index in packers:
        prefix = section(packer, index, blackhole)
        flags.add(bool(packer.getConfigValue(state, prefix + "Pack_L1_Acc")))
        if True in flags and packer.getConfigValue(state, prefix + "Out_data_format") != FP32:
            raise NotImplementedError("packer L1 accumulation is modelled for fp32 output only")
    if len(flags) != 1:
        raise NotImplementedError("packers disagree about L1 accumulation")
    return flags.pop()


def applies_relu(packer, state, packers):
    mode = packer.getConfigValue(state, "STACC_RELU_ApplyRelu") & 3
    if mode not in (0, ZERO_RELU):
        raise NotImplementedError("packer ReLU mode %d is not modelled" % mode)
    for index in packers if mode else ():
        prefix = section(packer, index, packer.backend.blackhole)
        if packer.getConfigValue(state, prefix + "Out_data_format") not in FLOAT_BYTES:
            raise NotImplementedError("packer ReLU is modelled for fp32, fp16 and bf16 output only")
    return bool(mode)


def add_packer_features():
    from framework.pe.tensix.backends.packer import PackerUnit

    plain = PackerUnit.handle_pacr

    def handle_pacr(self, instruction_info, issue_thread, arguments):
        state = self.backend.getThreadConfigValue(issue_thread, "CFG_STATE_ID_StateID")
        packers = self.participating_packers(arguments["PackSel"])
        accumulate = accumulates(self, state, packers)
        relu = applies_relu(self, state, packers)
        if not (accumulate or relu):
            return plain(self, instruction_info, issue_thread, arguments)
        memory = self.backend.addressable_memory
        self.backend.addressable_memory = PackTarget(memory, accumulate, relu)
        try:
            return plain(self, instruction_info, issue_thread, arguments)
        finally:
            self.backend.addressable_memory = memory

    PackerUnit.handle_pacr = handle_pacr


def add_source_exclusion():
    from framework.network import tt_noc

    initiator = tt_noc.NUI.RequestInitiator
    plain, rectangle = initiator.handle_multicast_write_transfer, tt_noc.rectangle_destinations

    def handle_multicast_write_transfer(self, *arguments):
        def others(*corners):
            cells = rectangle(*corners)
            return [cell for cell in cells if self.nui.resolve_destination(cell) is not self.nui]

        if self.ctrl & BRCST_SRC_INCLUDE:
            return plain(self, *arguments)
        tt_noc.rectangle_destinations = others
        try:
            return plain(self, *arguments)
        finally:
            tt_noc.rectangle_destinations = rectangle

    initiator.handle_multicast_write_transfer = handle_multicast_write_transfer


def note_process():
    if "STANDIN_PID_FILE" in os.environ:
        with open(os.environ["STANDIN_PID_FILE"], "a") as file:
            file.write("%d\n" % os.getpid())


def main():
    note_process()
    module = sys.argv[sys.argv.index("-m") + 1]
    sys.argv = sys.argv[sys.argv.index("-m") + 1 :]
    wanted = os.environ.get("STANDIN_ADDITIONS", "")
    if "packer" in wanted:
        add_packer_features()
    if "multicast-source" in wanted:
        add_source_exclusion()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
