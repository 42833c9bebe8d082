// RUN: %tilewright-opt %s -split-input-file -verify-diagnostics -tw-verify-protocol

// In place: released, reserved, read and overwritten by one operation, committed.
func.func @in_place() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w0 = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w0 : !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    tw.loop %k = @k over 64 {
      %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
      tw.vb.release %v : !tw.vb<[@m], f32>
      %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
      tw.map (%a = %r : !tw.view<[@m], f32>) into %w : !tw.view<[@m], f32> {
        %b = tw.unary exp %a : f32 -> f32
        tw.yield %b : f32
      }
      tw.vb.commit %v : !tw.vb<[@m], f32>
      tw.yield
    }
    %r1 = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @empty() {
  tw.grid (%i) = [@m over 64] {
    // expected-note @+1 {{the buffer is empty since here}}
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-error @+1 {{waits for a block of "v" that nobody commits before [transforms.protocol-deadlock]}}
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @uncommitted() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-note @+1 {{reserved here and not committed yet}}
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-error @+1 {{waits for a block of "v" that nobody commits before}}
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @full() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-note @+1 {{the block committed here is never released before}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-error @+1 {{waits for room in "v" that only a later release can give [transforms.protocol-deadlock]}}
    %w1 = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @twice() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-note @+1 {{first reserved here}}
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{reserves "v" twice without a commit in between [transforms.protocol-order]}}
    %w1 = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @acquired_twice() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-note @+1 {{first acquired here}}
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{acquires "v" twice without a release in between [transforms.protocol-order]}}
    %r1 = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @lonely_ends() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %u = tw.vb.create "u" : !tw.vb<[@m], f32>
    // expected-error @+1 {{commits "v" without a reserve before it}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-error @+1 {{releases "u" without an acquire before it}}
    tw.vb.release %u : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @unwritten() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-note @+1 {{reserved here}}
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{commits a block of "v" that nothing wrote [transforms.protocol-unwritten]}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @left_behind() {
  // expected-note @+1 {{the grid's body is here}}
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-error @+1 {{leaves a block in "v" at the end of the grid's body [transforms.protocol-neutral]}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @loop_takes() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-error @+1 {{commits a block of "v" that every iteration takes and none gives back}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-note @+1 {{the loop's body is here}}
    tw.loop %k = @k over 64 {
      %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
      tw.vb.release %v : !tw.vb<[@m], f32>
      tw.yield
    }
  }
  return
}

// -----

func.func @loop_releases() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-note @+1 {{acquired here}}
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.loop %k = @k over 64 {
      // expected-error @+1 {{releases in the loop's body a block of "v" acquired outside}}
      tw.vb.release %v : !tw.vb<[@m], f32>
      tw.yield
    }
  }
  return
}

// -----

func.func @loop_reserves() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    // expected-note @+1 {{the loop's body is here}}
    tw.loop %k = @k over 64 {
      // expected-error @+1 {{reserves "v" and the loop's body ends without a commit}}
      %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
      tw.yield
    }
  }
  return
}

// -----

func.func @after_commit() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-note @+1 {{committed here}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-error @+1 {{writes to the view of "v" after its commit [transforms.protocol-view]}}
    tw.set 1.0, %w : !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @after_release() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %u = tw.vb.create "u" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-note @+1 {{released here}}
    tw.vb.release %v : !tw.vb<[@m], f32>
    %wu = tw.vb.reserve %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{reads the view of "v" after its release [transforms.protocol-view]}}
    tw.map (%a = %r : !tw.view<[@m], f32>) into %wu : !tw.view<[@m], f32> {
      tw.yield %a : f32
    }
    tw.vb.commit %u : !tw.vb<[@m], f32>
    %ru = tw.vb.acquire %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %u : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @overwritten() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
    // expected-note @+1 {{its room was reserved again here}}
    %w1 = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 1.0, %w1 : !tw.view<[@m], f32>
    // expected-error @+1 {{reads a block of "v" that was overwritten in place [transforms.protocol-in-place]}}
    tw.map (%a = %r : !tw.view<[@m], f32>) into %w1 : !tw.view<[@m], f32> {
      tw.yield %a : f32
    }
  }
  return
}

// -----

func.func @factor_in_place() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m, @m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m, @m], f32> -> !tw.view<[@m, @m], f32>
    tw.set 0.0, %w : !tw.view<[@m, @m], f32>
    tw.vb.commit %v : !tw.vb<[@m, @m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m, @m], f32> -> !tw.view<[@m, @m], f32>
    // expected-note @+1 {{released here}}
    tw.vb.release %v : !tw.vb<[@m, @m], f32>
    %w1 = tw.vb.reserve %v : !tw.vb<[@m, @m], f32> -> !tw.view<[@m, @m], f32>
    // expected-error @+1 {{reads "v" in place in a way that is not element by element}}
    tw.contract %r, %r, %r into %w1 : !tw.view<[@m, @m], f32>, !tw.view<[@m, @m], f32>, !tw.view<[@m, @m], f32> into !tw.view<[@m, @m], f32>
  }
  return
}

// -----

func.func @wrong_view() {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %u = tw.vb.create "u" : !tw.vb<[@m], f32>
    // expected-note @+1 {{reserved here}}
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    %wu = tw.vb.reserve %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{reads the write view of "v"}}
    tw.map (%a = %w : !tw.view<[@m], f32>) into %wu : !tw.view<[@m], f32> {
      tw.yield %a : f32
    }
    tw.vb.commit %u : !tw.vb<[@m], f32>
    // expected-note @+1 {{acquired here}}
    %ru = tw.vb.acquire %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{writes to the read view of "u"}}
    tw.set 1.0, %ru : !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @roles(%x: memref<64xf32>) {
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-note @+1 {{the first producer is here}}
    tw.copy in %x[%i], %w : memref<64xf32>, !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
    %w1 = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-error @+1 {{is a second producer of "v": data movement and computation are different threads [transforms.protocol-role]}}
    tw.set 1.0, %w1 : !tw.view<[@m], f32>
  }
  return
}

// -----

func.func @shared() {
  tw.grid (%i) = [@m over 64] {
    %a = tw.mem.alloc : !tw.mem<[@m], f32>
    %s = tw.sem.alloc
    %t = tw.sem.alloc
    %v = tw.vb.bind "v" to %a, %s : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
    %u = tw.vb.bind "u" to %a, %t : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %w : !tw.view<[@m], f32>
    // expected-note @+1 {{its block is here}}
    tw.vb.commit %v : !tw.vb<[@m], f32>
    // expected-error @+1 {{takes memory for "u" that "v" still uses [transforms.protocol-shared-memory]}}
    %wu = tw.vb.reserve %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.set 0.0, %wu : !tw.view<[@m], f32>
    tw.vb.commit %u : !tw.vb<[@m], f32>
    %ru = tw.vb.acquire %u : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %u : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
  }
  return
}

// -----

func.func @shared_global(%x: memref<64xf32>) {
  tw.grid (%i) = [@m over 64] {
    %a = tw.mem.alloc : !tw.mem<[@m], f32>
    %s = tw.sem.alloc
    %t = tw.sem.alloc
    // expected-error @+1 {{shares the memory of "v" although it meets global memory}}
    %v = tw.vb.bind "v" to %a, %s : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
    %u = tw.vb.bind "u" to %a, %t : !tw.mem<[@m], f32> -> !tw.vb<[@m], f32>
    %w = tw.vb.reserve %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    // expected-note @+1 {{moved by this copy}}
    tw.copy in %x[%i], %w : memref<64xf32>, !tw.view<[@m], f32>
    tw.vb.commit %v : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
    tw.vb.release %v : !tw.vb<[@m], f32>
  }
  return
}
