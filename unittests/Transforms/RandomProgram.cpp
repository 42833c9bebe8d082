// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator writes text, so that a failing program can be read and replayed with
// tilewright-opt.
#include "RandomProgram.h"
#include <random>
#include <vector>

namespace {

struct Value {
  std::string name, type;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string run() {
    int outputs = 1 + pick(3);
    body = "  %tm = tw.sym @m extent 512 in [1, 512]\n  %tn = tw.sym @n extent 512 in [1, 512]\n"
           "  %tk = tw.sym @k extent 256 in [1, 256]\n"
           "  tw.grid (%i, %j) = [@m over 512, @n over 512] {\n";
    loadSome();
    for (int products = pick(3); products > 0; --products) {
      product(1);
      pointwise(pick(3));
    }
    pointwise(1 + pick(8));
    for (int o = 0; o < outputs; ++o)
      store(o);
    return header(outputs) + body + "  }\n  return\n}\n";
  }

private:
  int pick(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); }
  static std::string tile(const std::string &dims, const std::string &element) {
    return "!tw.tile<[" + dims + "], " + element + ">";
  }
  static std::string element(const Value &value) {
    return value.type.substr(value.type.rfind(' ') + 1,
                             value.type.size() - value.type.rfind(' ') - 2);
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  Value emit(const std::string &text, const std::string &type) {
    Value value{fresh(), type};
    body += "    " + value.name + " = " + text + "\n";
    return value;
  }

  static std::string header(int outputs) {
    std::string text =
        "func.func @kernel(%x: memref<512x256xbf16> {tw.name = \"x\"}, %y: memref<256x512xbf16> "
        "{tw.name = \"y\"}, %r: memref<512x512xbf16> {tw.name = \"r\"}, %row: memref<512xbf16> "
        "{tw.name = \"row\"}, %col: memref<512xf32> {tw.name = \"col\"}";
    for (int o = 0; o < outputs; ++o)
      for (const char *type : {"f32", "bf16"})
        text += ", %out_" + std::string(type) + std::to_string(o) + ": memref<512x512x" + type +
                "> {tw.name = \"out_" + type + std::to_string(o) + "\"}";
    return text + ") {\n";
  }

  void loadSome() {
    for (int count = 1 + pick(2); count > 0; --count)
      pool.push_back(emit("tw.load %r[%i, %j] : memref<512x512xbf16> -> " + tile("@m, @n", "bf16"),
                          tile("@m, @n", "bf16")));
    rows.push_back(
        emit("tw.load %row[%j] : memref<512xbf16> -> " + tile("@n", "bf16"), tile("@n", "bf16")));
    Value column =
        emit("tw.load %col[%i] : memref<512xf32> -> " + tile("@m", "f32"), tile("@m", "f32"));
    if (pick(2))
      column = emit("tw.unary exp " + column.name + " : " + column.type + " -> " + column.type,
                    column.type);
    rows.push_back(emit("tw.unsqueeze " + column.name + " at 1 : " + column.type + " -> " +
                            tile("@m, 1", "f32"),
                        tile("@m, 1", "f32")));
  }

  Value fill(const std::string &dims, int value) {
    return emit("tw.fill " + std::to_string(value) + ".0 : " + tile(dims, "f32"),
                tile(dims, "f32"));
  }

  Value full() { return pool[pick(pool.size())]; }

  Value binary(const Value &a, const Value &b) {
    static const char *kinds[] = {"add", "sub", "mul", "max"};
    std::string type = tile("@m, @n", pick(3) ? "f32" : "bf16");
    return emit(std::string("tw.binary ") + kinds[pick(4)] + " " + a.name + ", " + b.name + " : " +
                    a.type + ", " + b.type + " -> " + type,
                type);
  }

  Value step() {
    Value a = full();
    switch (pick(6)) {
    case 0:
      return emit("tw.unary exp " + a.name + " : " + a.type + " -> " + a.type, a.type);
    case 1: {
      std::string type = tile("@m, @n", element(a) == "f32" ? "bf16" : "f32");
      return emit("tw.cast " + a.name + " : " + a.type + " -> " + type, type);
    }
    case 2:
      return binary(a, rows[pick(rows.size())]);
    case 3:
      return binary(fill(pick(2) ? "" : "@m, @n", 1 + pick(3)), a);
    default:
      return binary(a, full());
    }
  }

  void pointwise(int count) {
    for (; count > 0; --count)
      pool.push_back(step());
  }

  /// A loop that carries one to three tiles; one of them is a product, the others are made of each
  /// other, or swapped, or passed on unchanged.
  void product(int depth) {
    int carried = 1 + pick(3);
    std::string index = "%k" + std::to_string(next), text;
    std::vector<Value> arguments, results;
    std::vector<Value> inits;
    for (int c = 0; c < carried; ++c) {
      Value init = pick(2) ? fill("@m, @n", pick(2)) : full();
      inits.push_back(init);
    }
    for (int c = 0; c < carried; ++c) {
      arguments.push_back({fresh(), inits[c].type});
      results.push_back({"%loop" + std::to_string(next) + "#" + std::to_string(c), inits[c].type});
      text += (c ? ", " : "") + arguments[c].name + " = " + inits[c].name + " : " + inits[c].type;
    }
    body += "    " + results[0].name.substr(0, results[0].name.find('#'));
    for (int c = 0; c < carried; ++c)
      results[c].name =
          results[0].name.substr(0, results[0].name.find('#')) + "#" + std::to_string(c);
    if (carried > 1)
      body += ":" + std::to_string(carried);
    else
      results[0].name = results[0].name.substr(0, results[0].name.find('#'));
    body += " = tw.loop " + index + " = @k over 256 carry (" + text + ") {\n";
    loopBody(arguments, index, depth);
    body += "    }\n";
    for (const Value &result : results)
      pool.push_back(result);
  }

  void loopBody(const std::vector<Value> &arguments, const std::string &index, int depth) {
    std::vector<Value> outer = pool;
    pool.insert(pool.end(), arguments.begin(), arguments.end());
    Value a =
        emit("tw.load %x[%i, " + index + "] : memref<512x256xbf16> -> " + tile("@m, @k", "bf16"),
             tile("@m, @k", "bf16"));
    Value b =
        emit("tw.load %y[" + index + ", %j] : memref<256x512xbf16> -> " + tile("@k, @n", "bf16"),
             tile("@k, @n", "bf16"));
    if (!pick(3))
      a = emit("tw.unary relu " + a.name + " : " + a.type + " -> " + a.type, a.type);
    Value acc = pick(4) ? arguments[0] : pick(2) ? fill("@m, @n", 0) : full();
    pool.push_back(emit("tw.matmul " + a.name + ", " + b.name + ", " + acc.name + " : " + a.type +
                            ", " + b.type + ", " + acc.type + " -> " + arguments[0].type,
                        arguments[0].type));
    Value result = pool.back();
    if (depth > 0 && !pick(4))
      product(depth - 1);
    pointwise(pick(4));
    if (!pick(4))
      result = like(arguments[0].type);
    std::string names = result.name, types = result.type;
    for (size_t c = 1; c < arguments.size(); ++c) {
      Value next = like(arguments[c].type);
      names += ", " + next.name;
      types += ", " + next.type;
    }
    body += "      tw.yield " + names + " : " + types + "\n";
    pool = outer;
  }

  /// Some value of that type; carried tiles of the loop are among them.
  Value like(const std::string &type) {
    std::vector<Value> fitting;
    for (const Value &value : pool)
      if (value.type == type)
        fitting.push_back(value);
    return fitting[pick(fitting.size())];
  }

  void store(int output) {
    Value value = pick(8) ? full() : fill("@m, @n", 7);
    if (pick(2))
      value = pool.back();
    std::string type = element(value);
    body += "    tw.store " + value.name + ", %out_" + type + std::to_string(output) +
            "[%i, %j] : " + value.type + ", memref<512x512x" + type + ">\n";
  }

  std::mt19937 random;
  std::string body;
  std::vector<Value> pool; ///< tiles of shape [m, n]
  std::vector<Value> rows; ///< tiles that broadcast to it
  int next = 0;
};

} // namespace

std::string randomProgram(unsigned seed) {
  return Generator(seed).run();
}
