

# ---- Values with error bounds ----------------------------------------------------------------------
# Every value is (v, e): what the program means, in float64, and how far a correct device may be from it.


class Value:
    def __init__(self, v, e=0.0):
        self.v = np.asarray(v, dtype=np.float64)
        self.e = e

    def __getitem__(self, key):
        return Value(self.v[key], self.e if np.ndim(self.e) == 0 else self.e[key])


def to_bf16(x):
    """Rounds to bf16, to nearest, ties to even; NaN and infinities stay."""
    shape = np.shape(x)
    x = np.atleast_1d(np.asarray(x, dtype=np.float32))
    bits = x.view(np.uint32)
    up = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    bits = (bits + up) & np.uint32(0xFFFF0000)
    return np.where(np.isfinite(x), bits.view(np.float32), x).reshape(shape)


# Half the distance between neighbours, relative to the value: bf16 has 8 significant bits, f32 has 24.
HALF_ULP = {"bf16": 2.0**-8, "f32": 2.0**-24}
SMALLEST = {"bf16": 2.0**-126, "f32": 2.0**-126}  # the device flushes what is smaller to 0


def rounded(v, e, dtype):
    """A rounding point: once in the meaning of the program, once on the device."""
    with np.errstate(all="ignore"):
        r = to_bf16(v) if dtype == "bf16" else np.asarray(v, dtype=np.float64).astype(np.float32)
        error = 2 * HALF_ULP[dtype] * (np.abs(v) + e) + SMALLEST[dtype]
        return Value(r, e + np.where(np.isfinite(error), error, np.inf))


def fidelity_loss(bits):
    """Part of |a b| that the multiplier's skipped phases hold, for operands of `bits` significant bits."""
    low_b = max(0.0, 2.0 ** -(SRCB_HIGH_BITS - 1) - 2.0 ** -(bits - 1))
    low_a = max(0.0, 2.0 ** -(SRCA_HIGH_BITS - 1) - 2.0 ** -(bits - 1))
    return sum([1.0, low_a, low_b, low_a * low_b][FIDELITY_PHASES:])


def product_loss(a_type, b_type):
    if a_type == "bf16" and b_type == "bf16":
        return fidelity_loss(8)
    # f32 is cut to TF32, whose last bit the first source does not multiply either.
    return fidelity_loss(11) + 3 * TF32


TF32 = 2.0**-10


def truncated(x):
    """An f32 value that the matrix engine reads: its lower 13 mantissa bits are cut off."""
    return Value(x.v, x.e + TF32 * (np.abs(x.v) + x.e))


def matmul(a, b, acc, a_type, b_type, dtype):
    """acc + a b: products and sums in f32 in any order, rounded once to `dtype`."""
    size_a, size_b = np.abs(a.v) + a.e, np.abs(b.v) + b.e
    size = size_a @ size_b
    spread = size - np.abs(a.v) @ np.abs(b.v) if np.any(a.e) or np.any(b.e) else 0.0
    terms = a.v.shape[-1] + 1
    error = spread + product_loss(a_type, b_type) * size
    error = error + terms * 2.0**-24 * (size + np.abs(acc.v) + acc.e) + acc.e
    return rounded(acc.v + a.v @ b.v, error, dtype)


def binary(kind, a, b, dtype, loss=0.0):
    """`loss`: relative error of the operation itself on the device, beyond f32."""
    with np.errstate(all="ignore"):
        if kind in ("add", "sub"):
            v, e = (a.v + b.v if kind == "add" else a.v - b.v), a.e + b.e
        elif kind == "mul":
            v = a.v * b.v
            e = np.abs(a.v) * b.e + np.abs(b.v) * a.e + a.e * b.e
        elif kind == "div":
            v = a.v / b.v
            room = np.abs(b.v) - b.e
            e = np.where(room > 0, (a.e + np.abs(v) * b.e) / np.where(room > 0, room, 1), np.inf)
        else:
            v, e = (np.maximum if kind == "max" else np.minimum)(a.v, b.v), np.maximum(a.e, b.e)
        exact_f32 = np.asarray(v, dtype=np.float32).astype(np.float64)
        e = e + loss * (np.abs(v) + e) + (2.0**-23 * (np.abs(v) + e))
    return rounded(np.where(np.isfinite(v), exact_f32, v), e, dtype)


def _erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x) if np.size(x) else x


FUNCTIONS = {
    "neg": lambda x: -x,
    "abs": np.abs,
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)),
    "square": lambda x: x * x,
    "erf": _erf,
    "sin": np.sin,
    "cos": np.cos,
}
# Largest slope of functions that are not monotone.
SLOPES = {"neg": 1.0, "abs": 1.0, "silu": 1.1, "gelu": 1.13, "gelu_tanh": 1.13, "sin": 1.0, "cos": 1.0}
EXACT = {"neg", "abs", "relu", "square"}
# Functions whose approximation is bounded absolutely near their zeros and in their flat tails.
ABSOLUTE = {"log", "sigmoid", "silu", "tanh", "gelu", "gelu_tanh", "erf", "sin", "cos"}


def unary(kind, x, dtype):
    f = FUNCTIONS[kind]
    with np.errstate(all="ignore"):
        v = f(x.v)
        if kind in SLOPES:
            e = SLOPES[kind] * x.e
        elif kind == "square":
            e = x.e * (2 * np.abs(x.v) + x.e)
        elif kind == "reciprocal" and np.any(x.e):
            room = np.abs(x.v) - x.e
            e = np.where(room > 0, np.abs(v) * x.e / np.where(room > 0, room, 1), np.inf)
        elif np.any(x.e):
            e = np.maximum(np.abs(f(x.v + x.e) - v), np.abs(f(x.v - x.e) - v))
            e = np.where(np.isnan(e) & ~np.isnan(v), np.inf, np.where(np.isnan(e), 0.0, e))
        else:
            e = 0.0
        if kind not in EXACT:
            e = e + SFPU_RELATIVE * (np.abs(v) + e) + (SFPU_RELATIVE if kind in ABSOLUTE else 0.0)
        e = e + (0.0 if kind in ("neg", "abs", "relu") else 2.0**-23 * (np.abs(v) + e))
    return rounded(v, e, dtype)


def cast(x, dtype):
    return rounded(x.v, x.e, dtype)


def constant(value, dtype):
    return rounded(np.float64(np.float32(value)), 0.0, dtype)


