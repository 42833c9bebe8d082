# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Assembler prelude of the stand-in compiler: the one directive that the vendor's assembler adds.
#
# `.ttinsn V` places the Tensix coprocessor instruction V in the RISC-V stream. The hardware takes a
# 32-bit word whose two low bits are not 11 (what a 4-byte RISC-V instruction has) as a Tensix
# instruction, after undoing a rotation to the left by two bits.
# Link-time optimisation may name this file twice for one assembly: hence the guard.
    .ifndef .Lstandin_prelude
    .set .Lstandin_prelude, 1
    .macro .ttinsn v
    .4byte (((\v) << 2) | (((\v) >> 30) & 3)) & 0xffffffff
    .endm
    .endif
