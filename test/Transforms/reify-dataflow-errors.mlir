// RUN: %tilewright-opt %s -split-input-file -verify-diagnostics -tw-reify-dataflow

func.func @reads_output(%x: memref<64xf32> {tw.name = "x"}) {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{reads "x", which the function also writes [transforms.read-of-output]}}
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
    // expected-note @+1 {{written here}}
    tw.store %t, %x[%i] : !tw.tile<[@m], f32>, memref<64xf32>
  }
  return
}

// -----

func.func @outside() {
  // expected-error @+1 {{must be inside tw.grid [transforms.structure]}}
  %t = tw.fill 0.0 : !tw.tile<[@m], f32>
  return
}

// -----

func.func @later_stage() {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{is of a later stage than the tile program [transforms.stage]}}
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @foreign() {
  tw.grid (%i) = [@m over 64] {
    %t = tw.fill 0.0 : !tw.tile<[@m], f32>
    // expected-error @+1 {{computes with tiles in a way that has no virtual-buffer form [transforms.unknown-op]}}
    %u = builtin.unrealized_conversion_cast %t : !tw.tile<[@m], f32> to !tw.tile<[@n], f32>
  }
  return
}

// -----

func.func @integers() {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{computes with elements of type 'i32', which are not floating-point [transforms.element-type]}}
    %t = tw.fill 0.0 : !tw.tile<[@m], i32>
  }
  return
}

// -----

func.func @nested_grid() {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{must be at the top of its function [transforms.structure]}}
    tw.grid (%j) = [@n over 64] {
    }
  }
  return
}

// -----

func.func @local_tensor() {
  tw.grid (%i) = [@m over 64] {
    %x = builtin.unrealized_conversion_cast to memref<64xf32>
    // expected-error @+1 {{accesses a tensor that is not an argument of the function [transforms.tensor]}}
    %t = tw.load %x[%i] : memref<64xf32> -> !tw.tile<[@m], f32>
  }
  return
}
