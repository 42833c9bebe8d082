// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wrong or unsupported program per line: kind, id, line and a piece of the message.
#include "Lower.h"

namespace tilewright::frontend::test {

struct Wrong {
  std::string source;
  std::vector<std::string> arguments;
  Kind kind;
  std::string id;
  unsigned line;
  std::string message;
};

std::ostream &operator<<(std::ostream &stream, const Wrong &wrong) {
  return stream << wrong.id << " in\n" << wrong.source;
}

class WrongProgram : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongProgram, HasOneDiagnostic) {
  const Wrong &wrong = GetParam();
  Lowered program = lowerText(wrong.source, wrong.arguments);
  ASSERT_TRUE(program.error) << program.text();
  EXPECT_EQ(int(program.error->kind), int(wrong.kind)) << program.text();
  EXPECT_EQ(program.error->id, "frontend." + wrong.id) << program.text();
  EXPECT_EQ(program.error->location.line, wrong.line) << program.text();
  EXPECT_NE(program.error->message.find(wrong.message), std::string::npos) << program.text();
  EXPECT_FALSE(program.error->hint.empty()) << program.text();
  EXPECT_FALSE(program.error->message.back() == '.') << program.text();
}

static const std::vector<std::string> x2 = {"x=bf16[64,96]"},
                                      xy = {"x=bf16[64,96]", "y=bf16[96,64]"};
constexpr Kind user = Kind::User, no = Kind::Unsupported;

/// `statement` at line 7, on the host.
static Wrong host(const std::string &statement, Kind kind, const std::string &id,
                  const std::string &message, std::vector<std::string> arguments = x2) {
  return {
      kernelText("x", "    " + statement + "\n    return x\n"), arguments, kind, id, 7, message};
}
/// `expression` at line 10, on the device, where t is x[tile_m, tile_n] in bf16.
static Wrong tile(const std::string &expression, Kind kind, const std::string &id,
                  const std::string &message) {
  return {pointwiseText(expression), x2, kind, id, 10, message};
}
/// Lines from 8 on in a loop over t_m and t_n; `line` is where the error is.
static Wrong loop(const std::string &body, unsigned line, Kind kind, const std::string &id,
                  const std::string &message, const std::string &parameters = "x",
                  std::vector<std::string> arguments = x2) {
  return {
      kernelText(parameters,
                 "    out = torch.empty_like(x)\n    for tile_m, tile_n in hl.tile(x.size()):\n" +
                     body + "\n    return out\n"),
      arguments,
      kind,
      id,
      line,
      message};
}

static std::string indented(const std::string &line) {
  return "        " + line + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Host, WrongProgram,
    ::testing::Values(
        host("while True: pass", no, "unsupported", "'while'"),
        host("del x", no, "unsupported", "'del'"),
        host("with x: pass", no, "unsupported", "'with'"),
        host("try:\n        pass\n    except: pass", no, "unsupported", "'try'"),
        host("import os", no, "unsupported", "import"),
        host("global x", no, "unsupported", "'global'"),
        host("class A: pass", no, "unsupported", "'class'"),
        host("match x:\n        case _: pass", no, "unsupported", "'match'"),
        host("y = [i for i in x.shape]", no, "unsupported", "list comprehension"),
        host("y = {1: 2}", no, "unsupported", "dict"),
        host("y = (z := 1)", no, "unsupported", "':='"),
        host("for i in range(3): pass", no, "unsupported", "builtins.range"),
        host("for i in x.shape: pass", no, "unsupported", "'for' over a tuple"),
        host("for i in hl.grid(3): pass", no, "unsupported", "helion.language.grid"),
        host("hl.barrier()", no, "unsupported", "helion.language.barrier"),
        host("print(x)", no, "unsupported", "builtins.print"),
        host("y = undefined", user, "undefined", "'undefined'"),
        host("y = z; z = 1", user, "unbound", "'z'"),
        host("m, n, k = x.size()", user, "unpack", "2 values are unpacked into 3"),
        host("m, n = 3", user, "unpack", "an integer"),
        host("m, *n = x.size()", no, "unsupported", "starred"),
        host("x.foo = 1", no, "unsupported", "target"),
        host("assert x.size(0) == 32, f'm is {x.size(0)}'", user, "assert", "m is 64"),
        host("m = 3; assert m == 4", user, "assert", "'m' is 3"),
        host("raise ValueError(f'bad {x.ndim}')", user, "raise", "ValueError: bad 2"),
        host("y = 1 // 0", user, "division-by-zero", "1 // 0"),
        host("y = 1.5 / 0", user, "division-by-zero", "1.5 / 0"),
        host("y = 2 ** 63", user, "overflow", "64 bits"),
        host("y = 9999999999 * 9999999999", user, "overflow", "64 bits"),
        host("y = 1 << 70", user, "overflow", "64 bits"),
        host("y = 99999999999999999999", no, "unsupported", "64 bits"),
        host("y = 'a' * 3", user, "operands", "'*' does not take a string"),
        host("y = x + 1", no, "unsupported", "'+' on tensor bf16"),
        host("y = x < 1", no, "unsupported", "'<'"),
        host("y = x == x", no, "unsupported", "comparing tensor"),
        host("if x: pass", no, "unsupported", "a condition on tensor"),
        host("y = x.shape[5]", user, "index", "out of range"),
        host("y = x.size(2)", user, "index", "dim 2"),
        host("y = x.shape[::2]", no, "unsupported", "step"),
        host("y = x.T", no, "unsupported", "'T'"), host("y = x.sum(0)", no, "unsupported", "'sum'"),
        host("y = x.sise(0)", no, "unsupported", "'sise'"),
        host("y = torch.relu(x)", no, "unsupported", "outside of a tile loop"),
        host("y = x[0]", no, "unsupported", "outside of a tile loop"),
        host("y = torch.empty([4, 4, 4])", no, "unsupported", "3 dims"),
        host("y = torch.empty([0])", user, "dim", "'0'"),
        host("y = torch.empty([4], dtype=torch.float16)", no, "unsupported", "float16"),
        host("y = torch.empty([4], dtype=3)", user, "operands", "dtype"),
        host("y = torch.empty()", user, "call", "without a shape"),
        host("y = torch.empty([4], dtipe=torch.float32)", no, "unsupported", "'dtipe'"),
        host("y = torch.promote_types(x.dtype)", user, "call", "'type2'"),
        host("y = torch.promote_types(x.dtype, x.dtype, 3)", user, "call", "at most 2"),
        host("y = torch.promote_types(x.dtype, torch.int32)", no, "unsupported", "int32"),
        host("y = torch.randn([4])", no, "unsupported", "torch.randn"),
        host("y = hl.zeros([4, 4])", no, "unsupported", "outside of a tile loop"),
        host("hl.register_block_size(0)", user, "block-size", "'0'"),
        host("hl.register_block_size(64, 32)", user, "block-size", "'64' to '32'"),
        host("y = 3()", user, "call", "cannot be called"),
        host("y = (lambda a: a)()", user, "call", "'a'"),
        host("y = (lambda a: a)(1, 2)", user, "call", "1 positional arguments, 2"),
        host("y = (lambda a: a)(b=1)", user, "call", "'a'"),
        host("f = lambda n: f(n); f(1)", no, "unsupported", "32 calls"),
        host("y = math.sqrt(-1)", user, "host-math", "not defined at -1"),
        host("y = math.log(0)", user, "host-math", "logarithm"),
        host("y = helion.cdiv(4, 0)", user, "host-math", "cdiv"),
        host("y = min()", user, "call", "min"),
        host("y = 'x' in 'xy'", no, "unsupported", "'in'")));

INSTANTIATE_TEST_SUITE_P(
    Device, WrongProgram,
    ::testing::Values(
        tile("t.sum(-1)", no, "unsupported", "reduction"),
        tile("torch.amax(t, dim=1)", no, "unsupported", "reduction"),
        tile("torch.softmax(t, dim=1)", no, "unsupported", "reduction"),
        tile("torch.where(t > 0, t, 0)", no, "unsupported", "'>'"),
        tile("t.T", no, "unsupported", "'T'"), tile("t.t()", no, "unsupported", "transposing"),
        tile("torch.bmm(t, t)", no, "unsupported", "batched"),
        tile("torch.cumsum(t, 0)", no, "unsupported", "torch.cumsum"),
        tile("torch.relo(t)", no, "unsupported", "torch.relo"),
        tile("t.half()", no, "unsupported", "float16"),
        tile("t.to(torch.int8)", no, "unsupported", "int8"),
        tile("t.to(3)", user, "operands", "dtype"),
        tile("t // 2", no, "unsupported", "'//' on tiles"),
        tile("t % 2", no, "unsupported", "'%' on tiles"),
        tile("t ** 7", no, "unsupported", "power"), tile("t & 1", no, "unsupported", "'&'"),
        tile("~t", no, "unsupported", "'~'"), tile("t if t > 0 else -t", no, "unsupported", "'>'"),
        tile("not t", no, "unsupported", "condition"),
        tile("min(t, 0)", no, "unsupported", "min or max"),
        tile("torch.maximum(t, 0)", no, "unsupported", "with a number"),
        tile("t + x", user, "operands", "the whole tensor bf16[64, 96]"),
        tile("torch.relu(x)", user, "operands", "the whole tensor"),
        tile("t + tile_m", user, "operands", "tile 'tile_m'"),
        tile("t + 'a'", user, "operands", "a string"), tile("t + None", user, "operands", "None"),
        tile("tile_m + 1", no, "unsupported", "arithmetic on a tile"),
        tile("tile_m.index", no, "unsupported", "'index'"),
        tile("tile_m.block_size * 2", no, "unsupported", "block size"),
        tile("x[tile_m, 0]", no, "unsupported", "an integer as an index"),
        tile("x[tile_m, tile_n, tile_n]", user, "index", "too many indices"),
        tile("x[tile_m, 1:3]", no, "unsupported", "a slice as an index"),
        tile("x[t, tile_n]", no, "unsupported", "as an index"),
        tile("x[tile_n, tile_m]", user, "tile-extent", "96 elements, dim 0 of 'x' has 64"),
        tile("x[..., ...]", user, "index", "'...'"),
        tile("x[None, tile_m, tile_n]", no, "unsupported", "3 dims"),
        tile("t[0]", no, "unsupported", "as an index of a tile"),
        tile("t[:, None]", no, "unsupported", "3 dims"),
        tile("t[:, :, :]", user, "index", "too many"),
        tile("t @ t", user, "shape", "inner dims that differ"),
        tile("t + t[0:1]", no, "unsupported", "a slice"),
        tile("torch.addmm(t, t, t)", user, "shape", "inner dims"),
        tile("torch.addmm(t, t)", user, "call", "'mat2'"),
        tile("torch.addmm(t, t, t, beta=2)", no, "unsupported", "beta"),
        tile("torch.clamp(t)", user, "call", "limit"),
        tile("F.gelu(t, approximate='fast')", user, "call", "'approximate' is fast"),
        tile("torch.exp(2.0)", user, "operands", "a float"),
        tile("hl.full([tile_m, tile_n], t)", user, "operands", "a number"),
        tile("hl.zeros([tile_m, 0])", user, "dim", "'0'"),
        tile("hl.zeros([tile_m])", user, "shape", "[tile_m]"),
        tile("hl.zeros([tile_m, tile_n, 4])", no, "unsupported", "3 dims"),
        tile("torch.empty_like(x)", no, "unsupported", "allocating"),
        tile("hl.arange(3)", no, "unsupported", "arange"),
        tile("hl.dot(t, t, out_dtype=torch.float16)", no, "unsupported", "float16"),
        tile("out[tile_m, tile_n]", user, "uninitialized", "'out'"),
        tile("unknown(t)", user, "undefined", "'unknown'"),
        tile("t.relu(1)", user, "call", "at most 1"), tile("t.foo", no, "unsupported", "'foo'"),
        tile("hl.tile(3)", user, "operands", "an hl.tile range")));

INSTANTIATE_TEST_SUITE_P(
    Loops, WrongProgram,
    ::testing::Values(
        loop(indented("t = x[tile_m, tile_n]") + indented("for k in hl.tile(96):") +
                 indented("    t = t.float()") + indented("out[tile_m, tile_n] = t"),
             11, user, "loop-carried",
             "'t' is bfloat16 [tile_m, tile_n] before the loop and float32 [tile_m, tile_n]"),
        loop(indented("t = x[tile_m, tile_n]") + indented("for k in hl.tile(96):") +
                 indented("    t = 1"),
             11, user, "loop-carried", "an integer"),
        loop(indented("for k in hl.tile(96):") + indented("    t = x[tile_m, k]") +
                 indented("out[tile_m, tile_n] = t"),
             11, user, "loop-local", "loop over 'k'"),
        loop(indented("i = 0") + indented("for k in hl.tile(96):") + indented("    i = i + 1"), 11,
             no, "unsupported", "host value 'i'"),
        loop(indented("for k in hl.tile(96):") + indented("    break"), 10, no, "unsupported",
             "'break'"),
        loop(indented("for k in hl.tile(96): pass") + indented("else: pass"), 9, no, "unsupported",
             "'else'"),
        loop(indented("for k in hl.tile(32, 96): pass"), 9, no, "unsupported", "begins at 32"),
        loop(indented("for k in hl.tile(0): pass"), 9, user, "dim", "'0'"),
        loop(indented("for k in hl.tile(tile_m): pass"), 9, no, "unsupported", "tile 'tile_m'"),
        loop(indented("for k in hl.tile(96, block_size=0): pass"), 9, user, "block-size", "'0'"),
        loop(indented("for k in hl.tile(96, block_size=[1, 2]): pass"), 9, user, "block-size",
             "2 block sizes for 1"),
        loop(indented("for a, b in hl.tile(96): pass"), 9, user, "unpack", "one tile"),
        loop(indented("for a, b, c in hl.tile([96, 3]): pass"), 9, user, "unpack",
             "2 tiles are unpacked into 3"),
        loop(indented("for x.y in hl.tile(96): pass"), 9, no, "unsupported", "target"),
        loop(indented("return out"), 9, user, "return", "'return'"),
        loop(indented("x[tile_m, tile_n] = x[tile_m, tile_n]"), 9, no, "unsupported",
             "'x', which is also read"),
        loop(indented("out[tile_m, tile_n] = 0") + indented("t = out[tile_m, tile_n]"), 10, no,
             "unsupported", "after it was stored"),
        loop(indented("out[tile_m, tile_n] = 0") + indented("out[tile_m, tile_n] += 1"), 10, no,
             "unsupported", "after it was stored"),
        loop(indented("out[tile_m, :] = 0"), 9, no, "unsupported",
             "without the outer tile 'tile_n'"),
        loop(indented("out[tile_m, tile_n] = y[tile_m]"), 9, user, "shape", "[tile_m]", "x, y",
             {x2[0], "y=bf16[64]"}),
        loop(indented("out[tile_m, tile_n] = y[tile_m]"), 9, user, "tile-extent",
             "tile 'tile_m' covers 64 elements", "x, y", {x2[0], "y=bf16[32]"}),
        loop(indented("out[tile_m, tile_n] = y[tile_m]"), 9, no, "tile-extent",
             "dim 0 of 'y' has 128", "x, y", {x2[0], "y=bf16[128]"}),
        loop(indented("z = torch.zeros_like(x[tile_m, tile_n])"), 7, user, "never-stored",
             "returns 'out' but never stores"),
        loop(indented("hl.register_block_size(3)"), 9, no, "unsupported", "inside a tile loop"),
        loop(indented("out[tile_m, tile_n][tile_n] = 3"), 9, user, "uninitialized", "'out'"),
        loop(indented("out[None, tile_m, tile_n] = 3"), 9, no, "unsupported", "3 dims"),
        loop(indented("tile_m[0] = 3"), 9, no, "unsupported", "storing into tile"),
        Wrong{
            kernelText(
                "x",
                "    out = torch.empty_like(x)\n    for t in hl.tile(x.size()):\n        out[t] = "
                "x[t]\n    for t in hl.tile(x.size()):\n        out[t] = x[t]\n    return out\n"),
            x2, no, "unsupported", 10, "second outermost tile loop"},
        Wrong{kernelText("x", "    out = torch.empty_like(x)\n    for t in hl.tile(x.size()):\n    "
                              "    v = x[t]\n    y = v\n    return out\n"),
              x2, user, "loop-local", 10, "'v'"},
        Wrong{kernelText("x", "    out = torch.empty_like(x)\n    for t in hl.tile(x.size()):\n    "
                              "    out[t] = x[t]\n    return out.sum()\n"),
              x2, no, "unsupported", 10, "'sum'"},
        Wrong{kernelText("x", "    def f():\n        for t in hl.tile(3): pass\n    f()\n"), x2, no,
              "unsupported", 8, "inside the function 'f'"},
        Wrong{kernelText(
                  "x",
                  "    s = hl.register_block_size(9)\n    out = torch.empty_like(x)\n    for a in "
                  "hl.tile(64, block_size=s):\n        for b in hl.tile(96, block_size=s):\n"
                  "            out[a, b] = x[a, b]\n    return out\n"),
              x2, no, "unsupported", 10, "64 and 96"},
        Wrong{kernelText("x", "    s = hl.register_block_size(9)\n    out = torch.empty_like(x)\n  "
                              "  for a in hl.tile(64):\n        t = hl.zeros([a, s])\n        "
                              "out[a, :] = x[a, :]\n    return out\n"),
              x2, no, "unsupported", 7, "block size 's', which no hl.tile uses"}));

/// The same for whole files and arguments, where there may be no line.
INSTANTIATE_TEST_SUITE_P(
    Files, WrongProgram,
    ::testing::Values(
        Wrong{"x = 1\n", {}, user, "kernel", 0, "no Helion kernel"},
        Wrong{"import helion\n@helion.kernel\ndef a(): pass\n@helion.kernel\ndef b(): pass\n",
              {},
              user,
              "kernel",
              0,
              "'a' and 'b'"},
        Wrong{pointwiseText("t"), {}, user, "arguments", 6, "needs an argument 'x'"},
        Wrong{pointwiseText("t"), {"xx=bf16[4,4]"}, user, "arguments", 6, "needs an argument 'x'"},
        Wrong{pointwiseText("t"), {x2[0], x2[0]}, user, "arguments", 1, "given twice"},
        Wrong{pointwiseText("t"),
              {x2[0], "bias=bf16[4]"},
              user,
              "arguments",
              1,
              "no free name 'bias'"},
        Wrong{pointwiseText("t + a(t)", "x, a"),
              {x2[0], "a=3"},
              user,
              "call",
              10,
              "an integer cannot be called"},
        Wrong{pointwiseText("a(t)", "x, a"),
              {x2[0], "a=nowhere.py:f"},
              user,
              "file",
              0,
              "'nowhere.py' does not exist"},
        Wrong{kernelText("*x", "    pass\n"), {}, no, "unsupported", 6, "'*x'"},
        Wrong{kernelText("x", "    return\n"), {x2[0]}, user, "no-output", 6, "no result"},
        Wrong{"A = B\nB = A\n" + pointwiseText("t * A"), x2, user, "circular", 2, "'A'"},
        Wrong{"A = torch.randn([3])\n" + pointwiseText("t * A"), x2, no, "unsupported", 1,
              "torch.randn"},
        Wrong{"A = 1\nA += 2\n" + pointwiseText("t * A"), x2, no, "unsupported", 12, "'A'"}));

TEST(Errors, SuggestionsNameTheNearest) {
  auto hint = [](const std::string &source, const std::vector<std::string> &arguments,
                 const std::string &kernel = "") {
    Lowered program = lowerText(source, arguments, kernel);
    return program.error ? program.error->hint : "";
  };
  EXPECT_EQ(hint(pointwiseText("torch.relo(t)"), x2), "did you mean 'relu'?");
  EXPECT_EQ(hint(pointwiseText("t + biass[tile_n]", "x"), {x2[0], "bias=bf16[96]"}),
            "did you mean 'bias'?");
  EXPECT_EQ(hint(pointwiseText("t"), x2, "kernal"), "did you mean 'kernel'?");
  EXPECT_EQ(hint(pointwiseText("t", "x, alpha=1.0"), {x2[0], "alpa=0.5"}), "did you mean 'alpha'?");
}

TEST(Errors, CallableFilesAreChecked) {
  std::string file =
      writeFile("functions.py", "def relu(acc, tile):\n    return acc\nnumber = 3\n");
  Lowered program = lowerText(pointwiseText("a(t, 0)", "x, a"), {x2[0], "a=" + file + ":rely"});
  ASSERT_TRUE(program.error);
  EXPECT_EQ(program.error->id, "frontend.callable");
  EXPECT_EQ(program.error->hint, "did you mean 'relu'?");
  EXPECT_TRUE(lowerText(pointwiseText("a(t, 0)", "x, a"), {x2[0], "a=" + file + ":number"}).error);
  std::string broken = writeFile("broken.py", "def f(:\n");
  Lowered syntax = lowerText(pointwiseText("a(t, 0)", "x, a"), {x2[0], "a=" + broken + ":f"});
  ASSERT_TRUE(syntax.error);
  EXPECT_EQ(syntax.error->location.str(), broken + ":1:7");
}

} // namespace tilewright::frontend::test
