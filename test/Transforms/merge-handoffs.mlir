// RUN: %tilewright-opt %s -split-input-file -verify-diagnostics -tw-reify-dataflow -tw-merge-handoffs -tw-verify-protocol | FileCheck %s

// Initial value, carried tile, product and result are one buffer; it is released before it is reserved.
// CHECK-LABEL: func.func @accumulator
func.func @accumulator(%x: memref<64x64xbf16> {tw.name = "x"}, %out: memref<64x64xf32> {tw.name = "out"}) {
  tw.grid (%i, %j) = [@m over 64, @m over 64] {
    // CHECK: %[[ACC:.*]] = tw.vb.create "acc[m, m]"
    // CHECK-NEXT: %[[X:.*]] = tw.vb.create "x[m, m]"
    // CHECK-NEXT: %[[OUT:.*]] = tw.vb.create "out[m, m]"
    // CHECK-NOT: tw.vb.create
    // CHECK: tw.loop
    // CHECK: %[[RX:.*]] = tw.vb.acquire %[[X]]
    // CHECK-NEXT: %[[RA:.*]] = tw.vb.acquire %[[ACC]]
    // CHECK-NEXT: tw.vb.release %[[ACC]]
    // CHECK-NEXT: %[[WA:.*]] = tw.vb.reserve %[[ACC]]
    // CHECK-NEXT: tw.contract %[[RX]], %[[RX]], %[[RA]] into %[[WA]]
    // CHECK-NEXT: tw.vb.commit %[[ACC]]
    // CHECK-NEXT: tw.vb.release %[[X]]
    // CHECK-NEXT: tw.yield
    // A stored value keeps a buffer of its own.
    // CHECK: %[[RR:.*]] = tw.vb.acquire %[[ACC]]
    // CHECK-NEXT: %[[WO:.*]] = tw.vb.reserve %[[OUT]]
    // CHECK-NEXT: tw.map (%{{.*}} = %[[RR]] : {{.*}}) into %[[WO]]
    %zero = tw.fill 0.0 : !tw.tile<[@m, @m], f32>
    %acc = tw.loop %k = @m over 64 carry (%a = %zero : !tw.tile<[@m, @m], f32>) {
      %t = tw.load %x[%i, %k] : memref<64x64xbf16> -> !tw.tile<[@m, @m], bf16>
      %p = tw.matmul %t, %t, %a : !tw.tile<[@m, @m], bf16>, !tw.tile<[@m, @m], bf16>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      tw.yield %p : !tw.tile<[@m, @m], f32>
    }
    tw.store %acc, %out[%i, %j] : !tw.tile<[@m, @m], f32>, memref<64x64xf32>
  }
  return
}

// -----

// A computed value that dies in the next map is overwritten there; one that lives on is not, and neither
// is a loaded one.
// CHECK-LABEL: func.func @maps
func.func @maps(%x: memref<64xf32> {tw.name = "x"}, %a: memref<64xf32> {tw.name = "a"}, %b: memref<64xf32> {tw.name = "b"}) {
  tw.grid (%i) = [@m over 64] {
    // CHECK: tw.vb.create "x[m]"
    // CHECK-NEXT: %[[E:.*]] = tw.vb.create "first[m]"
    // CHECK-NEXT: tw.vb.create "a[m]"
    // CHECK-NEXT: tw.vb.create "a[m]#2"
    // CHECK-NEXT: tw.vb.create "b[m]"
    // CHECK-NOT: tw.vb.create
    // CHECK: %[[R:.*]] = tw.vb.acquire %[[E]]
    // CHECK: tw.copy out
    // CHECK: tw.vb.release %[[E]]
    // CHECK-NEXT: %[[W:.*]] = tw.vb.reserve %[[E]]
    // CHECK-NEXT: tw.map (%{{.*}} = %[[R]] : {{.*}}) into %[[W]]
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %e = tw.unary exp %t : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("first")
    tw.store %e, %a[%i] : !tw.tile<[@m], f32>, memref<64xf32>
    %n = tw.unary neg %e : !tw.tile<[@m], f32> -> !tw.tile<[@m], f32> loc("second")
    tw.store %n, %a[%i] : !tw.tile<[@m], f32>, memref<64xf32>
    tw.store %n, %b[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}

// -----

// The carried tile is still needed behind the product: two buffers.
// CHECK-LABEL: func.func @still_needed
func.func @still_needed(%x: memref<64x64xf32> {tw.name = "x"}, %out: memref<64x64xf32> {tw.name = "out"}) {
  tw.grid (%i, %j) = [@m over 64, @m over 64] {
    // CHECK: tw.vb.create "acc[m, m]"
    // CHECK-NEXT: tw.vb.create "x[m, m]"
    // CHECK-NEXT: tw.vb.create "product[m, m]"
    // CHECK-NEXT: tw.vb.create "out[m, m]"
    // CHECK-NOT: tw.vb.create
    %zero = tw.fill 0.0 : !tw.tile<[@m, @m], f32>
    %acc = tw.loop %k = @m over 64 carry (%a = %zero : !tw.tile<[@m, @m], f32>) {
      %t = tw.load %x[%i, %k] : memref<64x64xf32> -> !tw.tile<[@m, @m], f32>
      %p = tw.matmul %t, %t, %a : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, @m], f32>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      %q = tw.binary max %p, %a : !tw.tile<[@m, @m], f32>, !tw.tile<[@m, @m], f32> -> !tw.tile<[@m, @m], f32>
      tw.yield %q : !tw.tile<[@m, @m], f32>
    }
    tw.store %acc, %out[%i, %j] : !tw.tile<[@m, @m], f32>, memref<64x64xf32>
  }
  return
}
