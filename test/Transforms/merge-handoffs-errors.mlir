// RUN: %tilewright-opt %s -verify-diagnostics -tw-merge-handoffs

func.func @broken() {
  // expected-error @+1 {{does not obey the protocol before buffers are merged [transforms.stage]}}
  tw.grid (%i) = [@m over 64] {
    %v = tw.vb.create "v" : !tw.vb<[@m], f32>
    %r = tw.vb.acquire %v : !tw.vb<[@m], f32> -> !tw.view<[@m], f32>
  }
  return
}
