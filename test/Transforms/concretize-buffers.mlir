// RUN: %tilewright-opt %s -tw-reify-dataflow -tw-concretize-buffers -tw-verify-protocol | FileCheck %s

// "first" is dead when "third" is born: one memory, two semaphores. "second" overlaps both. Buffers of
// another shape or at global memory have memory of their own.
// CHECK-LABEL: func.func @chain
func.func @chain(%x: memref<64xf32> {tw.name = "x"}, %r: memref<64x64xf32> {tw.name = "r"}, %a: memref<64xf32> {tw.name = "a"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: %[[MX:.*]] = tw.mem.alloc : !tw.mem<[@m], f32>
    // CHECK-NEXT: %[[SX:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "x[m]" to %[[MX]], %[[SX]]
    // CHECK-NEXT: %[[M1:.*]] = tw.mem.alloc : !tw.mem<[@m], f32>
    // CHECK-NEXT: %[[S1:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "first[m]" to %[[M1]], %[[S1]] : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
    // CHECK-NEXT: %[[M2:.*]] = tw.mem.alloc : !tw.mem<[@m], f32>
    // CHECK-NEXT: %[[S2:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "second[m]" to %[[M2]], %[[S2]]
    // CHECK-NEXT: %[[MW:.*]] = tw.mem.alloc : !tw.mem<[@m], bf16>
    // CHECK-NEXT: %[[SW:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "wide[m]" to %[[MW]], %[[SW]]
    // CHECK-NEXT: %[[S3:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "third[m]" to %[[M1]], %[[S3]]
    // CHECK-NEXT: %[[MA:.*]] = tw.mem.alloc : !tw.mem<[@m], f32>
    // CHECK-NEXT: %[[SA:.*]] = tw.sem.alloc
    // CHECK-NEXT: tw.vb.bind "a[m]" to %[[MA]], %[[SA]]
    // CHECK-NOT: tw.mem.alloc
    // CHECK-NOT: tw.vb.create
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %e = tw.unary exp %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("first")
    %n = tw.binary mul %e, %e : !tw.tile<[@m], f32>, !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("second")
    %w = tw.binary mul %n, %n : !tw.tile<[@m], f32>, !tw.tile<[@m], f32> -> !tw.tile<[@m], bf16> loc("wide")
    %u = tw.binary sub %n, %w : !tw.tile<[@m], f32>, !tw.tile<[@m], bf16> -> !tw.tile<[@m], f32> loc("third")
    %v = tw.binary sub %u, %w : !tw.tile<[@m], f32>, !tw.tile<[@m], bf16> -> !tw.tile<[@m], f32>
    %z = tw.binary add %v, %u : !tw.tile<[@m], f32>, !tw.tile<[@m], f32> -> !tw.tile<[@m], f32>
    tw.store %z, %a[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}

// A buffer that lives across a loop keeps its memory from the buffers inside.
// CHECK-LABEL: func.func @around_a_loop
func.func @around_a_loop(%x: memref<64xf32> {tw.name = "x"}, %a: memref<64xf32> {tw.name = "a"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: tw.vb.bind "outer[m]" to %[[M:.*]], %
    // CHECK: tw.vb.bind "acc[m]" to %[[N:.*]], %
    // CHECK-NOT: tw.vb.bind "inner[m]" to %[[M]]
    // CHECK: tw.vb.bind "inner[m]" to %[[I:.*]], %
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %e = tw.unary exp %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("outer")
    %z = tw.fill 0.0 : !tw.tile<[@m], f32>
    %r = tw.loop %k = @m over 64 carry (%c = %z : !tw.tile<[@m], f32>) {
      %n = tw.binary add %c, %e : !tw.tile<[@m], f32>, !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("inner")
      tw.yield %n : !tw.tile<[@m], f32>
    }
    tw.store %r, %a[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}
