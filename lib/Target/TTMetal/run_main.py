

# ---- Launch ----------------------------------------------------------------------------------------


def storage_shape(tensor):
    return tensor["tiles"][0] * 32, tensor["tiles"][1] * 32


def to_storage(tensor, array, fill=0.0):
    """The tensor as whole tiles; a 1-D one becomes a row or a column."""
    padded = np.full(storage_shape(tensor), fill, dtype=np.float32)
    rows = array.reshape(-1, 1) if tensor["layout"] == "column" else np.atleast_2d(array)
    padded[: rows.shape[0], : rows.shape[1]] = rows
    return padded


def from_storage(tensor, array):
    array = array.reshape(storage_shape(tensor))
    shape = tensor["shape"]
    if tensor["layout"] == "row":
        return array[0, : shape[0]]
    if tensor["layout"] == "column":
        return array[: shape[0], 0]
    return array[: shape[0], : shape[1]]


class Launcher:
    """Runs the kernels beside this file through ttnn.generic_op."""

    def __init__(self, manifest):
        import ttnn

        self.ttnn, self.manifest = ttnn, manifest
        self.types = {"bf16": ttnn.bfloat16, "f32": ttnn.float32}
        self.device = ttnn.open_device(device_id=0)
        grid = manifest["grid"]
        corner = ttnn.CoreCoord(grid["x"] - 1, grid["y"] - 1)
        self.cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), corner)])

    def upload(self, tensor, array, fill=0.0):
        t = self.ttnn
        return t.Tensor(to_storage(tensor, array, fill), self.types[tensor["dtype"]], self.device,
                        t.TILE_LAYOUT, t.DRAM_MEMORY_CONFIG)

    def download(self, tensor, handle):
        t = self.ttnn
        host = handle.cpu().to(t.ROW_MAJOR_LAYOUT)
        if host.dtype == t.bfloat16:
            host = t.to_dtype(host, t.float32)
        return from_storage(tensor, np.array(host.to_numpy(), dtype=np.float32))

    def circular_buffers(self):
        t, groups = self.ttnn, {}
        for cb in self.manifest["circular_buffers"]:
            groups.setdefault(cb.get("alias_of", cb["index"]), []).append(cb)
        return [
            t.CBDescriptor(total_size=faces[0]["bytes"], core_ranges=self.cores, format_descriptors=[
                t.CBFormatDescriptor(buffer_index=cb["index"], data_format=self.types[cb["dtype"]],
                                     page_size=cb["page_bytes"]) for cb in faces])
            for faces in groups.values()]

    def argument(self, value, tensors):
        if isinstance(value, int):
            return value
        if value["kind"] == "address":
            return tensors[value["tensor"]].buffer_address()
        core = self.device.worker_core_from_logical_core(self.ttnn.CoreCoord(*value["core"]))
        return core.x if value["kind"] == "noc_x" else core.y

    def compile_time_args(self, kernel, tensors):
        words = []
        for value in kernel["compile_time_args"]:
            if isinstance(value, int):
                words.append(value)
            else:
                accessor = self.ttnn.TensorAccessorArgs(tensors[value["tensor"]])
                words.extend(accessor.get_compile_time_args())
        return words

    def config(self, kernel):
        t, compute = self.ttnn, self.manifest["compute"]
        if kernel["role"] != "compute":
            return t.DataMovementConfigDescriptor(
                processor=getattr(t.DataMovementProcessor, kernel["processor"]),
                noc=(t.NOC.RISCV_0_default, t.NOC.RISCV_1_default)[kernel["noc"]])
        config = t.ComputeConfigDescriptor(
            math_fidelity=getattr(t.MathFidelity, compute["math_fidelity"]),
            fp32_dest_acc_en=compute["fp32_dest_acc_en"], dst_full_sync_en=compute["dst_full_sync_en"],
            math_approx_mode=compute["math_approx_mode"])
        modes = [t.UnpackToDestMode.Default] * CIRCULAR_BUFFERS
        for cb in self.manifest["circular_buffers"]:
            if cb["unpack_to_dest_fp32"]:
                modes[cb["index"]] = t.UnpackToDestMode.UnpackToDestFp32
        config.unpack_to_dest_mode = modes
        return config

    def kernel(self, kernel, tensors):
        t = self.ttnn
        arguments = t.RuntimeArgs()
        for entry in kernel["runtime_args"]:
            x, y = entry["core"]
            arguments[x][y] = [self.argument(value, tensors) for value in entry["args"]]
        return t.KernelDescriptor(
            kernel_source=open(os.path.join(HERE, kernel["file"])).read(),
            source_type=t.KernelDescriptor.SourceType.SOURCE_CODE, core_ranges=self.cores,
            compile_time_args=self.compile_time_args(kernel, tensors), runtime_args=arguments,
            config=self.config(kernel))

    def run(self, inputs):
        t, tensors, order = self.ttnn, {}, []
        for tensor in self.manifest["tensors"]:
            name = tensor["name"]
            output = tensor["role"] == "output"
            # Outputs start as NaN: an element that is never written shows.
            array = np.full(tensor["shape"], np.nan) if output else inputs[name]
            tensors[name] = self.upload(tensor, array, np.nan if output else 0.0)
            order.append(tensors[name])
        program = t.ProgramDescriptor(
            kernels=[self.kernel(k, tensors) for k in self.manifest["kernels"]],
            semaphores=[t.SemaphoreDescriptor(id=s["id"], core_ranges=self.cores, initial_value=s["initial"])
                        for s in self.manifest["semaphores"]],
            cbs=self.circular_buffers())
        t.generic_op(order, program)
        t.synchronize_device(self.device)
        return {x["name"]: self.download(x, tensors[x["name"]])
                for x in self.manifest["tensors"] if x["role"] == "output"}

    def close(self):
        self.ttnn.close_device(self.device)


# ---- Check -----------------------------------------------------------------------------------------


def compare(name, got, expected):
    """Prints PASS or FAIL for one output."""
    want = np.broadcast_to(expected.v, got.shape)
    bound = np.broadcast_to(expected.e, got.shape)
    got = got.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        difference = np.abs(got - want)
        good = same | (np.isfinite(got) & (difference <= bound)) | (np.isinf(bound) & ~np.isnan(got))
        excess = np.where(good, 0.0, np.where(np.isnan(difference), np.inf, difference / bound))
    if not good.all():
        worst = np.unravel_index(np.argmax(np.where(good, -1.0, excess)), got.shape)
        index = ", ".join(str(int(i)) for i in worst)
        print(f"FAIL {name}[{index}]: got {got[worst]:.9g}, expected {want[worst]:.9g}, "
              f"bound {bound[worst]:.3g}; {int((~good).sum())} of {got.size} elements differ")
        return False
    finite = np.isfinite(got) & np.isfinite(want)
    g, w = got[finite], want[finite]
    absolute = float(np.max(np.abs(g - w), initial=0.0))
    nonzero = w != 0
    relative = float(np.max(np.abs(g - w)[nonzero] / np.abs(w[nonzero]), initial=0.0))
    spread = g.size > 1 and np.std(g) > 0 and np.std(w) > 0
    pcc = float(np.corrcoef(g, w)[0, 1]) if spread else 1.0
    print(f"PASS {name}: max abs error {absolute:.3g}, max rel error {relative:.3g}, PCC {pcc:.9f}")
    return True


def read_array(path):
    array = np.load(path)
    if array.dtype.kind in "Vu" and array.dtype.itemsize == 2:  # bf16 as stored by ml_dtypes
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32)


def make_inputs(manifest, seed, files):
    rng, inputs = np.random.default_rng(seed), {}
    for tensor in manifest["tensors"]:
        if tensor["role"] != "input":
            continue
        array = rng.standard_normal(tensor["shape"]).astype(np.float32)
        if tensor["name"] in files:
            array = read_array(files[tensor["name"]]).reshape(tensor["shape"])
        inputs[tensor["name"]] = to_bf16(array) if tensor["dtype"] == "bf16" else array
    return inputs


def main():
    parser = argparse.ArgumentParser(description="Runs the kernels beside this file and checks the result.")
    parser.add_argument("--seed", type=int, default=0, help="of the generated inputs")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE.npy")
    parser.add_argument("--save", metavar="DIR", help="writes all inputs and outputs as .npy")
    parser.add_argument("--compare", metavar="DIR",
                        help="does not run: checks DIR/NAME.npy of every output")
    options = parser.parse_args()
    manifest = json.load(open(os.path.join(HERE, "manifest.json")))
    inputs = make_inputs(manifest, options.seed, dict(i.split("=", 1) for i in options.input))
    outputs = [t for t in manifest["tensors"] if t["role"] == "output"]
    if options.compare:
        got = {t["name"]: read_array(os.path.join(options.compare, t["name"] + ".npy")).reshape(t["shape"])
               for t in outputs}
    else:
        launcher = Launcher(manifest)
        try:
            got = launcher.run(inputs)
        finally:
            launcher.close()
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        for name, array in {**inputs, **({} if options.compare else got)}.items():
            np.save(os.path.join(options.save, name + ".npy"), np.asarray(array, dtype=np.float32))
    expected = reference({name: Value(array) for name, array in inputs.items()})
    passed = [compare(t["name"], got[t["name"]], expected[t["name"]]) for t in outputs]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
