// RUN: %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32;k=64' placement='x 1:8 y 0:4 order 0 1' transfers='8x1;1x4' depths='x[m, k]=2; y[k, m]=3' subblocks='2x1'" -tw-verify-protocol | FileCheck %s
// RUN: not %tilewright-opt %s -tw-materialize 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not %tilewright-opt %s "-tw-materialize=symbols=m" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=31;k=64'" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32'" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32;k=64;q=1'" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32;k=64' placement='x 2:8 order 0 1'" 2>&1 | FileCheck %s --check-prefix=PLACEMENT
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32;k=64' placement='order 0 1' transfers='1x1'" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %tilewright-opt %s -tw-reify-dataflow -tw-merge-handoffs -tw-concretize-buffers "-tw-materialize=symbols='m=32;k=64' placement='order 0 1' transfers='1x1;1x1' depths='z=2'" 2>&1 | FileCheck %s --check-prefix=DEPTH

// STAGE: error: the program has no memory yet: run tw-concretize-buffers first [transforms.schedule-stage]
// TEXT: error: the options of tw-materialize cannot be read [transforms.schedule-text]
// RANGE: error: "m" = 31 is outside [32, 256] [transforms.schedule-symbol]
// MISSING: error: the schedule has no value for "k" [transforms.schedule-symbol]
// UNKNOWN: error: the schedule has a value for "q", which the program does not have [transforms.schedule-symbol]
// PLACEMENT: error: the placement's factors do not match the grid's 2 axes [transforms.schedule-placement]
// COUNT: error: the schedule has 1 transfers where the program has 2 [transforms.schedule-count]
// DEPTH: error: the schedule has a depth for "z", which the program does not have [transforms.schedule-depth]

// CHECK-LABEL: func.func @product
func.func @product(%x: memref<256x64xbf16> {tw.name = "x"}, %y: memref<64x256xbf16> {tw.name = "y"}, %out: memref<256x256xf32> {tw.name = "out"}) {
  // CHECK: tw.sym @m extent 256 in [32, 256] = 32
  %m = tw.sym @m extent 256 in [32, 256]
  // CHECK: tw.sym @k extent 64 in [1, 64] = 64
  %kk = tw.sym @k extent 64 in [1, 64]
  // CHECK: tw.grid (%{{.*}}, %{{.*}}) = [@m over 256, @m over 256] placed #tw.placement<x [1] by [8] y [0] by [4] order [0, 1]> {
  tw.grid (%i, %j) = [@m over 256, @m over 256] {
    // CHECK: tw.mem.alloc : !tw.mem<[@m, @m], f32>
    // CHECK: tw.mem.alloc {depth = 2 : i64} : !tw.mem<[@m, @k], bf16>
    // CHECK: tw.mem.alloc {depth = 3 : i64} : !tw.mem<[@k, @m], bf16>
    // CHECK: tw.mem.alloc : !tw.mem<[@m, @m], f32>
    // CHECK: tw.copy in {{.*}} via <8 by 1> : memref<256x64xbf16>
    // CHECK: tw.copy in {{.*}} via <1 by 4> : memref<64x256xbf16>
    // CHECK: tw.contract {{.*}} into %{{.*}} by [2, 1] :
    %zero = tw.fill 0.0 : !tw.tile<[@m, @m], f32>
    %acc = tw.loop %k = @k over 64 carry (%a = %zero : !tw.tile<[@m, @m], f32>) {
      %xt = tw.load %x[%i, %k] : memref<256x64xbf16> -> !tw.tile<[@m, @k], bf16>
      %yt = tw.load %y[%k, %j] : memref<64x256xbf16> -> !tw.tile<[@k, @m], bf16>
      %p = tw.matmul %xt, %yt, %a : !tw.tile<[@m, @k], bf16>, !tw.tile<[@k, @m], bf16>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      tw.yield %p : !tw.tile<[@m, @m], f32>
    }
    tw.store %acc, %out[%i, %j] : !tw.tile<[@m, @m], f32>, memref<256x256xf32>
  }
  return
}
