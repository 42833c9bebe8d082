// RUN: %tilewright-opt %s -tw-reify-dataflow -tw-verify-protocol | FileCheck %s

// A chain becomes one map; a 1-D load comes in as the column that its only use wants; the carried tile is
// one buffer before, inside and after the loop.
// CHECK-LABEL: func.func @epilogue
func.func @epilogue(%x: memref<64x64xbf16> {tw.name = "x"}, %c: memref<64xbf16> {tw.name = "c"},
                    %out: memref<64x64xbf16> {tw.name = "out"}) {
  tw.grid (%i, %j) = [@m over 64, @m over 64] {
    // CHECK: %[[ACC:.*]] = tw.vb.create "acc[m, m]" : !tw.vb<[@m, @m], f32>
    // CHECK: %[[X:.*]] = tw.vb.create "x[m, m]" : !tw.vb<[@m, @m], bf16>
    // CHECK: %[[P:.*]] = tw.vb.create "product[m, m]" : !tw.vb<[@m, @m], f32>
    // CHECK: %[[C:.*]] = tw.vb.create "c[m, 1]" : !tw.vb<[@m, 1], bf16>
    // CHECK: %[[OUT:.*]] = tw.vb.create "out[m, m]" : !tw.vb<[@m, @m], bf16>
    // CHECK: %[[W0:.*]] = tw.vb.reserve %[[ACC]]
    // CHECK-NEXT: tw.set 0.000000e+00, %[[W0]]
    // CHECK-NEXT: tw.vb.commit %[[ACC]]
    // CHECK-NEXT: tw.loop %[[K:.*]] = @m over 64 {
    %zero = tw.fill 0.0 : !tw.tile<[@m, @m], f32>
    %acc = tw.loop %k = @m over 64 carry (%a = %zero : !tw.tile<[@m, @m], f32>) {
      // CHECK-NEXT: %[[WX:.*]] = tw.vb.reserve %[[X]]
      // CHECK-NEXT: tw.copy in %{{.*}}[%{{.*}}, %[[K]]], %[[WX]]
      // CHECK-NEXT: tw.vb.commit %[[X]]
      // CHECK-NEXT: %[[RX:.*]] = tw.vb.acquire %[[X]]
      // CHECK-NEXT: %[[RA:.*]] = tw.vb.acquire %[[ACC]]
      // CHECK-NEXT: %[[WP:.*]] = tw.vb.reserve %[[P]]
      // CHECK-NEXT: tw.contract %[[RX]], %[[RX]], %[[RA]] into %[[WP]]
      // CHECK-NEXT: tw.vb.commit %[[P]]
      // CHECK-NEXT: tw.vb.release %[[X]]
      // CHECK-NEXT: tw.vb.release %[[ACC]]
      // CHECK-NEXT: %[[RP:.*]] = tw.vb.acquire %[[P]]
      // CHECK-NEXT: %[[WA:.*]] = tw.vb.reserve %[[ACC]]
      // CHECK-NEXT: tw.map (%[[A:.*]] = %[[RP]] : {{.*}}) into %[[WA]]
      // CHECK-NEXT: tw.yield %[[A]] : f32
      // CHECK: tw.vb.commit %[[ACC]]
      // CHECK-NEXT: tw.vb.release %[[P]]
      %t = tw.load %x[%i, %k] : memref<64x64xbf16> -> !tw.tile<[@m, @m], bf16>
      %p = tw.matmul %t, %t, %a : !tw.tile<[@m, @m], bf16>, !tw.tile<[@m, @m], bf16>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      tw.yield %p : !tw.tile<[@m, @m], f32>
    }
    // CHECK: tw.copy in %{{.*}}[%{{.*}}], %{{.*}} : memref<64xbf16>, !tw.view<[@m, 1], bf16>
    // CHECK: %[[RA2:.*]] = tw.vb.acquire %[[ACC]]
    // CHECK: %[[RC:.*]] = tw.vb.acquire %[[C]]
    // CHECK: %[[WO:.*]] = tw.vb.reserve %[[OUT]]
    // CHECK: tw.map (%[[E0:.*]] = %[[RA2]] : {{.*}}, %[[E1:.*]] = %[[RC]] : !tw.view<[@m, 1], bf16>) into %[[WO]]
    // CHECK-NEXT: %[[S0:.*]] = tw.binary add %[[E0]], %[[E1]] : f32, bf16 -> f32
    // CHECK-NEXT: %[[S1:.*]] = tw.constant 2.000000e+00 : f32
    // CHECK-NEXT: %[[S2:.*]] = tw.binary mul %[[S0]], %[[S1]] : f32, f32 -> f32
    // CHECK-NEXT: %[[S3:.*]] = tw.cast %[[S2]] : f32 -> bf16
    // CHECK-NEXT: tw.yield %[[S3]] : bf16
    // CHECK: tw.vb.commit %[[OUT]]
    // CHECK: %[[RO:.*]] = tw.vb.acquire %[[OUT]]
    // CHECK-NEXT: tw.copy out %{{.*}}[%{{.*}}, %{{.*}}], %[[RO]]
    // CHECK-NEXT: tw.vb.release %[[OUT]]
    %ct = tw.load %c[%i] : memref<64xbf16> -> !tw.tile<[@m], bf16>
    %cu = tw.unsqueeze %ct at 1 : !tw.tile<[@m], bf16> -> !tw.tile<[@m, 1], bf16>
    %s = tw.binary add %acc, %cu : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, 1], bf16> -> !tw.tile<[@m, @m], f32>
    %two = tw.fill 2.0 : !tw.tile<[], f32>
    %d = tw.binary mul %s, %two : !tw.tile<[@m, @m], f32>, !tw.tile<[], f32> -> !tw.tile<[@m, @m], f32>
    %o = tw.cast %d : !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], bf16>
    tw.store %o, %out[%i, %j] : !tw.tile<[@m, @m], bf16>, memref<64x64xbf16>
  }
  return
}

// One acquire spans a loop and the uses behind it; the value is read in both places, copied in once.
// CHECK-LABEL: func.func @inside_and_behind
func.func @inside_and_behind(%x: memref<64x64xf32> {tw.name = "x"}, %out: memref<64x64xf32> {tw.name = "out"}) {
  tw.grid (%i, %j) = [@m over 64, @m over 64] {
    // CHECK: %[[X:.*]] = tw.vb.create "x[m, m]"
    // CHECK: tw.vb.acquire %[[X]]
    // CHECK: tw.loop
    // CHECK-NOT: tw.vb.release %[[X]]
    // CHECK: tw.copy out
    // CHECK: tw.loop
    // CHECK: tw.yield
    // CHECK: tw.map (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
    // CHECK: tw.vb.release %[[X]]
    %a = tw.load %x[%i, %j] : memref<64x64xf32> -> !tw.tile<[@m, @m], f32>
    %zero = tw.fill 0.0 : !tw.tile<[@m, @m], f32>
    %r = tw.loop %k = @m over 64 carry (%c = %zero : !tw.tile<[@m, @m], f32>) {
      %n = tw.binary add %c, %a : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      tw.yield %n : !tw.tile<[@m, @m], f32>
    }
    tw.store %r, %out[%i, %j] : !tw.tile<[@m, @m], f32>, memref<64x64xf32>
    %q = tw.loop %k = @m over 64 carry (%c = %zero : !tw.tile<[@m, @m], f32>) {
      tw.yield %c : !tw.tile<[@m, @m], f32>
    }
    %s = tw.binary sub %a, %q : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
    tw.store %s, %out[%j, %i] : !tw.tile<[@m, @m], f32>, memref<64x64xf32>
  }
  return
}

// Values with two readers are computed once and read by both in one span; unused values disappear.
// CHECK-LABEL: func.func @twice
func.func @twice(%x: memref<64xf32> {tw.name = "x"}, %a: memref<64xf32> {tw.name = "a"}, %b: memref<64xf32> {tw.name = "b"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: tw.vb.create "x[m]"
    // CHECK-NEXT: %[[E:.*]] = tw.vb.create "map[m]"
    // CHECK-NEXT: tw.vb.create "a[m]"
    // CHECK-NEXT: tw.vb.create "b[m]"
    // CHECK-NOT: tw.unary exp2
    // CHECK: tw.unary exp
    // CHECK: tw.vb.commit %[[E]]
    // CHECK: %[[RE:.*]] = tw.vb.acquire %[[E]]
    // CHECK: tw.map (%{{.*}} = %[[RE]]
    // CHECK: tw.copy out
    // CHECK: tw.map (%{{.*}} = %[[RE]]
    // CHECK: tw.unary neg
    // CHECK: tw.vb.release %[[E]]
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %unused = tw.unary exp2 %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32>
    %e = tw.unary exp %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32>
    tw.store %e, %a[%i] : !tw.tile<[@m], f32>, memref<64xf32>
    %n = tw.unary neg %e : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32>
    tw.store %n, %b[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}

// Carried tiles that change places leave their buffers before any of them is written again.
// CHECK-LABEL: func.func @swap
func.func @swap(%x: memref<64xf32> {tw.name = "x"}, %out: memref<64xf32> {tw.name = "out"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: %[[X:.*]] = tw.vb.create "x[m]"
    // CHECK: %[[A:.*]] = tw.vb.create "acc[m]"
    // CHECK: %[[B:.*]] = tw.vb.create "acc[m]#2"
    // CHECK: tw.loop
    // CHECK: %[[K0:.*]] = tw.vb.reserve
    // CHECK: %[[K1:.*]] = tw.vb.reserve
    // CHECK: tw.vb.release %[[A]]
    // CHECK-NEXT: tw.vb.release %[[B]]
    // CHECK: tw.vb.reserve %[[A]]
    // CHECK: tw.vb.reserve %[[B]]
    // CHECK: tw.vb.commit %[[B]]
    // CHECK-NEXT: tw.vb.release
    // Nothing reads the second result: its block is taken out all the same.
    // CHECK-NEXT: tw.yield
    // CHECK-NEXT: }
    // CHECK-NEXT: tw.vb.acquire %[[B]]
    // CHECK-NEXT: tw.vb.release %[[B]]
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %one = tw.fill 1.0 : !tw.tile<[@m], f32>
    %r:2 = tw.loop %k = @m over 64 carry (%a = %t : !tw.tile<[@m], f32>, %b = %one : !tw.tile<[@m], f32>) {
      tw.yield %b, %a : !tw.tile<[@m], f32>, !tw.tile<[@m], f32>
    }
    tw.store %r#0, %out[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}

// A load in two shapes is copied in once per shape; a computed value is looked at through its view; source
// names become labels.
// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: memref<64xf32> {tw.name = "x"}, %out: memref<64x64xf32> {tw.name = "out"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: tw.vb.create "x[m]"
    // CHECK-NEXT: tw.vb.create "x[m, 1]"
    // CHECK-NEXT: %[[S:.*]] = tw.vb.create "scale[m]"
    // CHECK: tw.copy in %{{.*}}, %{{.*}} : memref<64xf32>, !tw.view<[@m], f32>
    // CHECK: tw.copy in %{{.*}}, %{{.*}} : memref<64xf32>, !tw.view<[@m, 1], f32>
    // CHECK: %[[R:.*]] = tw.vb.acquire %[[S]]
    // CHECK: %[[U:.*]] = tw.view.unsqueeze %[[R]] at 1 : !tw.view<[@m], f32> -> !tw.view<[@m, 1], f32>
    // CHECK: tw.map (%{{.*}} = %{{.*}} : !tw.view<[@m, 1], f32>, %{{.*}} = %[[R]] : !tw.view<[@m], f32>, %{{.*}} = %[[U]] : !tw.view<[@m, 1], f32>)
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %e = tw.unary exp %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("scale")
    %c = tw.unsqueeze %t at 1 : !tw.tile<[@m], f32> -> !tw.tile<[@m, 1], f32>
    %f = tw.unsqueeze %e at 1 : !tw.tile<[@m], f32> -> !tw.tile<[@m, 1], f32>
    %s = tw.binary add %c, %e : !tw.tile<[@m, 1], f32>, !tw.tile<[@m], f32> -> !tw.tile<[@m, @m], f32>
    %q = tw.binary mul %s, %f : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, 1], f32> -> !tw.tile<[@m, @m], f32>
    tw.store %q, %out[%i, %i] : !tw.tile<[@m, @m], f32>, memref<64x64xf32>
  }
  return
}
