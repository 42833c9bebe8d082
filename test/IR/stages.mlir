// Each stage of docs/ir.md parses, verifies, prints, and its print parses back to the same text.
// RUN: %tilewright-opt %s > %t.once
// RUN: %tilewright-opt %t.once > %t.twice
// RUN: cmp %t.once %t.twice
// RUN: FileCheck --strict-whitespace %s < %t.once

// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[X:.*]]: memref<512x256xbf16> {tw.name = "x", tw.role = "input"}
func.func @tile(%x: memref<512x256xbf16> {tw.name = "x", tw.role = "input"},
                %y: memref<256x512xbf16> {tw.name = "y", tw.role = "input"},
                %bias: memref<512xbf16> {tw.name = "bias", tw.role = "input"},
                %out: memref<512x512xbf16> {tw.name = "out", tw.role = "output"})
    attributes {tw.source = "matmul.py:matmul"} {
  // CHECK: tw.sym @tile_m extent 512 in [1, 512]{{$}}
  %tm = tw.sym @tile_m extent 512 in [1, 512]
  // CHECK: tw.sym @tile_n extent 512 in [32, 256] = 64
  %tn = tw.sym @tile_n extent 512 in [32, 256] = 64
  %tk = tw.sym @tile_k extent 256 in [1, 256]
  // CHECK: tw.grid (%[[M:.*]], %[[N:.*]]) = [@tile_m over 512, @tile_n over 512] {
  tw.grid (%m, %n) = [@tile_m over 512, @tile_n over 512] {
    // CHECK: tw.fill 0.000000e+00 : !tw.tile<[@tile_m, @tile_n], f32>
    %zero = tw.fill 0.0 : !tw.tile<[@tile_m, @tile_n], f32>
    // CHECK: tw.loop %[[K:.*]] = @tile_k over 256 carry (%{{.*}} = %{{.*}} : !tw.tile<[@tile_m, @tile_n], f32>) {
    %acc = tw.loop %k = @tile_k over 256 carry (%a = %zero : !tw.tile<[@tile_m, @tile_n], f32>) {
      // CHECK: tw.load %[[X]][%[[M]], %[[K]]] : memref<512x256xbf16> -> !tw.tile<[@tile_m, @tile_k], bf16>
      %xt = tw.load %x[%m, %k] : memref<512x256xbf16> -> !tw.tile<[@tile_m, @tile_k], bf16>
      %yt = tw.load %y[%k, %n] : memref<256x512xbf16> -> !tw.tile<[@tile_k, @tile_n], bf16>
      // CHECK: tw.matmul {{.*}} : !tw.tile<[@tile_m, @tile_k], bf16>, !tw.tile<[@tile_k, @tile_n], bf16>, !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], f32>
      %c = tw.matmul %xt, %yt, %a : !tw.tile<[@tile_m, @tile_k], bf16>, !tw.tile<[@tile_k, @tile_n], bf16>, !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], f32>
      // CHECK: tw.yield %{{.*}} : !tw.tile<[@tile_m, @tile_n], f32>
      tw.yield %c : !tw.tile<[@tile_m, @tile_n], f32>
    }
    %bt = tw.load %bias[%n] : memref<512xbf16> -> !tw.tile<[@tile_n], bf16>
    // CHECK: tw.binary add {{.*}} : !tw.tile<[@tile_m, @tile_n], f32>, !tw.tile<[@tile_n], bf16> -> !tw.tile<[@tile_m, @tile_n], f32>
    %s = tw.binary add %acc, %bt : !tw.tile<[@tile_m, @tile_n], f32>, !tw.tile<[@tile_n], bf16> -> !tw.tile<[@tile_m, @tile_n], f32>
    // CHECK: tw.unary relu {{.*}} : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], f32>
    %r = tw.unary relu %s : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], f32>
    // CHECK: tw.unsqueeze {{.*}} at 0 : !tw.tile<[@tile_n], bf16> -> !tw.tile<[1, @tile_n], bf16>
    %u = tw.unsqueeze %bt at 0 : !tw.tile<[@tile_n], bf16> -> !tw.tile<[1, @tile_n], bf16>
    // CHECK: tw.cast {{.*}} : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], bf16>
    %o = tw.cast %r : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], bf16>
    // CHECK: tw.store %{{.*}}, %{{.*}}[%[[M]], %[[N]]] : !tw.tile<[@tile_m, @tile_n], bf16>, memref<512x512xbf16>
    tw.store %o, %out[%m, %n] : !tw.tile<[@tile_m, @tile_n], bf16>, memref<512x512xbf16>
  }
  return
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%x: memref<512x512xbf16> {tw.name = "x", tw.role = "input"},
                   %out: memref<512x512xbf16> {tw.name = "out", tw.role = "output"}) {
  // CHECK: tw.grid (%{{.*}}, %{{.*}}) = [@tile_m over 512, @tile_n over 512] placed #tw.placement<x [1] by [8] y [0] by [4] order [0, 1]> {
  tw.grid (%m, %n) = [@tile_m over 512, @tile_n over 512] placed #tw.placement<x [1] by [8] y [0] by [4] order [0, 1]> {
    // CHECK: tw.mem.alloc {depth = 2 : i64} : !tw.mem<[@tile_m, 64], bf16>
    %mx = tw.mem.alloc {depth = 2 : i64} : !tw.mem<[@tile_m, 64], bf16>
    // CHECK: tw.sem.alloc
    %sx = tw.sem.alloc
    // CHECK: tw.vb.bind "x[tile_m, 64]" to %{{.*}}, %{{.*}} : !tw.mem<[@tile_m, 64], bf16> -> !tw.vb<[@tile_m, 64], bf16>
    %vx = tw.vb.bind "x[tile_m, 64]" to %mx, %sx : !tw.mem<[@tile_m, 64], bf16> -> !tw.vb<[@tile_m, 64], bf16>
    // CHECK: tw.vb.create "acc" : !tw.vb<[@tile_m, @tile_m], f32>
    %va = tw.vb.create "acc" : !tw.vb<[@tile_m, @tile_m], f32>
    // CHECK: tw.vb.reserve %{{.*}} : !tw.vb<[@tile_m, 64], bf16> -> !tw.view<[@tile_m, 64], bf16>
    %wx = tw.vb.reserve %vx : !tw.vb<[@tile_m, 64], bf16> -> !tw.view<[@tile_m, 64], bf16>
    // CHECK: tw.copy in %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} via <8 by 1> : memref<512x512xbf16>, !tw.view<[@tile_m, 64], bf16>
    tw.copy in %x[%m, %n], %wx via <8 by 1> : memref<512x512xbf16>, !tw.view<[@tile_m, 64], bf16>
    // CHECK: tw.vb.commit %{{.*}} : !tw.vb<[@tile_m, 64], bf16>
    tw.vb.commit %vx : !tw.vb<[@tile_m, 64], bf16>
    %wa = tw.vb.reserve %va : !tw.vb<[@tile_m, @tile_m], f32> -> !tw.view<[@tile_m, @tile_m], f32>
    // CHECK: tw.set 1.000000e+00, %{{.*}} : !tw.view<[@tile_m, @tile_m], f32>
    tw.set 1.0, %wa : !tw.view<[@tile_m, @tile_m], f32>
    // CHECK: tw.vb.acquire %{{.*}} : !tw.vb<[@tile_m, 64], bf16> -> !tw.view<[@tile_m, 64], bf16>
    %rx = tw.vb.acquire %vx : !tw.vb<[@tile_m, 64], bf16> -> !tw.view<[@tile_m, 64], bf16>
    // CHECK: tw.contract {{.*}} into %{{.*}} by [2, 2] : {{.*}} into !tw.view<[@tile_m, 64], bf16>
    tw.contract %wa, %rx, %rx into %wx by [2, 2] : !tw.view<[@tile_m, @tile_m], f32>, !tw.view<[@tile_m, 64], bf16>, !tw.view<[@tile_m, 64], bf16> into !tw.view<[@tile_m, 64], bf16>
    // CHECK: tw.map (%{{.*}} = %{{.*}} : !tw.view<[@tile_m, 64], bf16>) into %{{.*}} : !tw.view<[@tile_m, 64], bf16> {
    tw.map (%a = %rx : !tw.view<[@tile_m, 64], bf16>) into %wx : !tw.view<[@tile_m, 64], bf16> {
      // CHECK: tw.constant 2.000000e+00 : f32
      %c = tw.constant 2.0 : f32
      // CHECK: tw.binary mul %{{.*}}, %{{.*}} : bf16, f32 -> f32
      %d = tw.binary mul %a, %c : bf16, f32 -> f32
      %e = tw.cast %d : f32 -> bf16
      tw.yield %e : bf16
    }
    // CHECK: tw.loop %{{.*}} = @tile_k over 256 {
    // CHECK-NEXT: tw.yield
    tw.loop %k = @tile_k over 256 {
      tw.yield
    }
    // CHECK: tw.copy out %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : memref<512x512xbf16>, !tw.view<[@tile_m, 64], bf16>
    tw.copy out %out[%m, %n], %rx : memref<512x512xbf16>, !tw.view<[@tile_m, 64], bf16>
    // CHECK: tw.vb.release %{{.*}} : !tw.vb<[@tile_m, 64], bf16>
    tw.vb.release %vx : !tw.vb<[@tile_m, 64], bf16>
  }
  return
}

// CHECK-LABEL: func.func @one_core
func.func @one_core() {
  // CHECK: placed #tw.placement<x [] by [] y [] by [] order [0]> {
  tw.grid (%m) = [@m over 64] placed #tw.placement<x [] by [] y [] by [] order [0]> {
    // CHECK: tw.vb.create "col[m]" : !tw.vb<[@m], f32>
    %v = tw.vb.create "col[m]" : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // CHECK: tw.view.unsqueeze %{{.*}} at 1 : !tw.view<[@m], f32> -> !tw.view<[@m, 1], f32>
    %u = tw.view.unsqueeze %r at 1 : !tw.view<[@m], f32> -> !tw.view<[@m, 1], f32>
    // CHECK: tw.vb.reserve
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // CHECK: tw.map () into %{{.*}} : !tw.view<[@m], f32> {
    tw.map () into %w : !tw.view<[@m], f32> {
      %c = tw.constant 1.0 : f32
      tw.yield %c : f32
    }
  }
  return
}
