// Malformed types and operations are errors at their place.
// RUN: %tilewright-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a dim must be positive, got 0}}
func.func private @zero() -> !tw.tile<[0, @m], f32>

// -----

// expected-error @+1 {{expected integer value}}
func.func private @word() -> !tw.vb<[m], f32>

// -----

// expected-error @+1 {{expected '['}}
func.func private @bracket() -> !tw.view<@m, f32>

// -----

// expected-error @+1 {{expected ','}}
func.func private @element() -> !tw.mem<[@m]>

// -----

// expected-error @+1 {{unknown  type `queue` in dialect `tw`}}
func.func private @queue() -> !tw.queue<[@m], f32>

// -----

func.func @placement() {
  // expected-error @+1 {{has a placement that does not match its 1 axes}}
  tw.grid (%i) = [@m over 64] placed #tw.placement<x [1] by [2] y [] by [] order [0]> {
  }
  return
}

// -----

func.func @order() {
  // expected-error @+1 {{has a placement that does not match its 2 axes}}
  tw.grid (%i, %j) = [@m over 64, @n over 64] placed #tw.placement<x [1] by [2] y [] by [] order [0, 0]> {
  }
  return
}

// -----

func.func @axes() {
  // expected-error @+1 {{needs one block number per axis}}
  tw.grid (%i) = [@m over 64, @n over 64] {
  }
  return
}

// -----

func.func @rank(%x: memref<64x64xf32>) {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{accesses a tensor of rank 2 with 1 indices and a block of rank 1}}
    %a = tw.load %x[%i] : memref<64x64xf32> -> !tw.tile<[@m], f32>
  }
  return
}

// -----

func.func @element_type(%x: memref<64xf32>) {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{changes the element type from 'f32' to 'bf16'}}
    %a = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], bf16>
  }
  return
}

// -----

func.func @inner(%x: memref<64x64xf32>) {
  tw.grid (%i, %j) = [@m over 64, @n over 64] {
    %a = tw.load %x[%i, %j] : memref<64x64xf32> -> !tw.tile<[@m, @n], f32>
    // expected-error @+1 {{has inner dims that differ: [m, n] and [m, n]}}
    %b = tw.matmul %a, %a, %a : !tw.tile<[@m, @n], f32>, !tw.tile<[@m, @n], f32>, !tw.tile<[@m, @n], f32> -> !tw.tile<[@m, @n], f32>
  }
  return
}

// -----

func.func @broadcast(%x: memref<64xf32>, %y: memref<64xf32>) {
  tw.grid (%i, %j) = [@m over 64, @n over 64] {
    %a = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    %b = tw.load %y[%j] : memref<64xf32> -> !tw.tile<[@n], f32>
    // expected-error @+1 {{cannot broadcast [m] with [n]}}
    %c = tw.binary add %a, %b : !tw.tile<[@m], f32>, !tw.tile<[@n], f32> -> !tw.tile<[@m], f32>
  }
  return
}

// -----

func.func @carried() {
  tw.grid (%i) = [@m over 64] {
    %z = tw.fill 0.0 : !tw.tile<[@m], f32>
    // expected-error @+1 {{carries tiles whose types change}}
    %r = tw.loop %k = @k over 64 carry (%a = %z : !tw.tile<[@m], f32>) {
      %b = tw.cast %a : !tw.tile<[@m], f32> -> !tw.tile<[@m], bf16>
      tw.yield %b : !tw.tile<[@m], bf16>
    }
  }
  return
}

// -----

func.func @unsqueeze() {
  tw.grid (%i) = [@m over 64] {
    %z = tw.fill 0.0 : !tw.tile<[@m], f32>
    // expected-error @+1 {{has no position 2 in [m]}}
    %u = tw.unsqueeze %z at 2 : !tw.tile<[@m], f32> -> !tw.tile<[@m, 1], f32>
  }
  return
}

// -----

func.func @view() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-error @+1 {{yields a view whose type differs from its buffer's}}
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], bf16>
  }
  return
}

// -----

func.func @bind() {
  tw.grid (%i) = [@m over 64] {
    %a = tw.mem.alloc : !tw.mem<[@m], f32>
    %s = tw.sem.alloc
    // expected-error @+1 {{binds a buffer to memory of another type}}
    %v = tw.vb.bind "v" to %a, %s : !tw.mem<[@m], f32> -> !tw.vb<[@m, 1], f32>
  }
  return
}

// -----

// A copy may unsqueeze, but not lose a dim.
func.func @column(%x: memref<64xf32>) {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m, 1], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m, 1], f32> -> !tw.view<[@m, 1], f32>
    tw.copy in %x[%i], %w : memref<64xf32>, !tw.view<[@m, 1], f32>
    %v2 = tw.vb.create "v2" : !tw.vb<[@m, 2], f32>
    %w2 = tw.vb.reserve %v2 : !tw.vb<[@m, 2], f32> -> !tw.view<[@m, 2], f32>
    // expected-error @+1 {{accesses a tensor of rank 1 with 1 indices and a block of rank 2}}
    tw.copy in %x[%i], %w2 : memref<64xf32>, !tw.view<[@m, 2], f32>
  }
  return
}

// -----

func.func @map_body() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{needs a body that yields one 'f32'}}
    tw.map () into %w : !tw.view<[@m], f32> {
      %c = tw.constant 1.0 : bf16
      tw.yield %c : bf16
    }
  }
  return
}
