// RUN: %tilewright-opt %s -split-input-file -verify-diagnostics -tw-concretize-buffers

func.func @too_early() {
  tw.grid (%i) = [@m over 64] {
    // expected-error @+1 {{is of an earlier stage: run tw-reify-dataflow first [transforms.stage]}}
    %t = tw.fill 0.0 : !tw.tile<[@m], f32>
  }
  return
}

// -----

func.func @too_late() {
  tw.grid (%i) = [@m over 64] {
    %a = tw.mem.alloc : !tw.mem<[@m], f32>
    %s = tw.sem.alloc
    // expected-error @+1 {{already has memory [transforms.stage]}}
    %v = tw.vb.bind "v" to %a, %s : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @inside_a_loop() {
  tw.grid (%i) = [@m over 64] {
    tw.loop %k = @m over 64 {
      // expected-error @+1 {{must be at the top of the grid's body [transforms.structure]}}
      %v = tw.vb.create "v" : !tw.vb<[@m], f32>
      tw.yield
    }
  }
  return
}
