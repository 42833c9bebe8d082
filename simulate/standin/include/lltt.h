// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replay buffer control, in the terms of the REPLAY instruction (opcode 0x04): start index from bit
// 14, length from bit 4, bit 1 executes while recording, bit 0 records.
#pragma once
namespace lltt {

enum ExecBool : bool { NoExec = false, Exec = true };

constexpr unsigned replayWord(unsigned start, unsigned length, bool execute, bool record) {
  return (0x04u << 24) | (start << 14) | (length << 4) | (unsigned(execute) << 1) |
         unsigned(record);
}

constexpr unsigned replay_insn(unsigned start, unsigned length) {
  return replayWord(start, length, false, false);
}

// A word known at compile time goes into the instruction stream; any other is stored to the core's
// instruction window (0xFFE40000), where the Tensix coprocessor takes words one by one.
[[gnu::always_inline]] inline void issue(unsigned word) {
  if (__builtin_constant_p(word))
    __asm__ volatile(".ttinsn %0" ::"i"(word));
  else
    *reinterpret_cast<volatile unsigned *>(0xFFE40000u) = word;
}

template <ExecBool execute = NoExec>
[[gnu::always_inline]] inline void record(unsigned start, unsigned length) {
  issue(replayWord(start, length, execute, true));
}

[[gnu::always_inline]] inline void replay(unsigned start, unsigned length) {
  issue(replayWord(start, length, false, false));
}

} // namespace lltt
