// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host compilation of kernels: two compiler jobs at a time, temporary files removed after loading.
#include "Kernels.h"
#include "tilewright/Support/File.h"
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::emulator {

namespace fs = std::filesystem;

static std::string environment(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

static std::string shellQuoted(const std::string &text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

static std::string makeFolder() {
  std::string pattern = (fs::temp_directory_path() / "tilewright-emulator-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw Error(Kind::User, "emulator.toolchain", "cannot create a temporary folder", "set TMPDIR");
  return pattern;
}

static std::string compileTimeArgs(const Manifest &m, const ManifestKernel &kernel) {
  constexpr int interleavedDram = 2; // TensorAccessorArgs: configuration bits
  std::string list;
  for (const ManifestArgument &a : kernel.compileTimeArgs) {
    if (!list.empty())
      list += ",";
    list += a.kind == ManifestArgument::Kind::Accessor
                ? fmt::format("{}u,{}u", interleavedDram, m.tensors[a.tensor].pageBytes)
                : fmt::format("{}u", a.value);
  }
  return list.empty() ? "" : " -DKERNEL_COMPILE_TIME_ARGS=" + list;
}

static std::string threadDefines(const Manifest &m, const MachineModel &machine, int role) {
  if (role == Reader || role == Writer)
    return fmt::format(" -DNOC_INDEX={} -DCOMPILE_FOR_{} -DTILEWRIGHT_NOC_BURST={}u",
                       role == Reader ? 0 : 1, role == Reader ? "NCRISC" : "BRISC",
                       machine.nocBurst);
  const char *names[] = {"UNPACK", "MATH", "PACK"};
  return fmt::format(" -DTRISC_{} -DDST_ACCUM_MODE={} -DAPPROX={}", names[role - Unpack],
                     int(m.fp32DestAcc), int(m.mathApprox));
}

/// Empty when the kernel includes more than API headers: then its text does not tell all.
static std::string cacheKey(const std::string &flags, const std::string &source) {
  for (size_t at = source.find("#include"); at != std::string::npos;
       at = source.find("#include", at + 1))
    if (source.compare(at, 14, "#include \"api/") != 0)
      return {};
  return flags + "\n" + source;
}

Kernels::Job Kernels::prepare(const std::string &dir, const Manifest &m,
                              const MachineModel &machine, int role) const {
  const ManifestKernel &kernel = m.kernels[role == Reader ? 0 : role == Writer ? 2 : 1];
  const std::string source = fs::absolute(fs::path(dir) / kernel.file).string();
  std::string why;
  const auto code = readFile(source, why);
  if (!code)
    throw Error(Kind::User, "emulator.file", fmt::format("cannot read \"{}\": {}", source, why),
                "the folder must hold the files that \"tilewright compile\" wrote", {source, 0, 0});
  const std::string stem = fmt::format("{}/{}", folder, roleName(role));
  std::ofstream(stem + ".cpp") << "#include \"" << source << "\"\n#include \"entry.h\"\n";
  // Coverage callbacks count the work of loops and catch accesses to device addresses (entry.h).
  const std::string flags =
      environment("CXX_EMULATOR", TILEWRIGHT_EMULATOR_COMPILER) +
      " -std=c++17 -O1 -w -fPIC -shared -fvisibility=hidden -fno-finite-loops"
      " -fsanitize-coverage=bb,no-prune,trace-pc,trace-loads,trace-stores -Wl,-z,defs "
      "-DTILEWRIGHT_KERNEL" +
      threadDefines(m, machine, role) + compileTimeArgs(m, kernel) + " -I " +
      shellQuoted(environment("TILEWRIGHT_EMULATOR_INCLUDE", TILEWRIGHT_EMULATOR_HEADERS));
  Job job{role, {}, stem + ".log", stem + ".so", cacheKey(flags, *code)};
  job.command = flags + " " + shellQuoted(stem + ".cpp") + " -o " + shellQuoted(job.object) +
                " > " + shellQuoted(job.log) + " 2>&1";
  return job;
}

namespace {
/// Objects compiled earlier in this process, by command and source, so that a directory that is run
/// again (or shares a kernel with another) is not compiled again.
struct ObjectCache {
  static constexpr size_t most = 512;
  std::mutex lock;
  std::map<std::string, std::string> objects;
};
ObjectCache &objectCache() {
  static ObjectCache cache;
  return cache;
}
} // namespace

bool Kernels::fromCache(const Job &job) const {
  ObjectCache &cache = objectCache();
  std::lock_guard guard(cache.lock);
  auto found = cache.objects.find(job.key);
  if (job.key.empty() || found == cache.objects.end())
    return false;
  std::ofstream(job.object, std::ios::binary) << found->second;
  return true;
}

void Kernels::toCache(const Job &job) const {
  ObjectCache &cache = objectCache();
  std::lock_guard guard(cache.lock);
  if (job.key.empty() || cache.objects.size() >= ObjectCache::most)
    return;
  std::string why;
  if (auto object = readFile(job.object, why))
    cache.objects[job.key] = *std::move(object);
}

void Kernels::compile(const std::vector<Job> &all) const {
  std::vector<Job> jobs;
  for (const Job &job : all)
    if (!fromCache(job))
      jobs.push_back(job);
  auto runHalf = [&jobs](size_t first) {
    std::vector<int> results;
    for (size_t i = first; i < jobs.size(); i += 2)
      results.push_back(std::system(jobs[i].command.c_str()));
    return results;
  };
  auto other = std::async(std::launch::async, runHalf, size_t(1));
  std::vector<int> even = runHalf(0), odd = other.get();
  for (size_t i = 0; i < jobs.size(); ++i) {
    const int status = i % 2 ? odd[i / 2] : even[i / 2];
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      toCache(jobs[i]);
      continue;
    }
    std::string why;
    const std::string text = readFile(jobs[i].log, why).value_or("");
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
      throw Error(Kind::User, "emulator.toolchain", "the host compiler does not run: " + text,
                  "install clang++-22 or set CXX_EMULATOR");
    throw Error(Kind::User, "emulator.kernel-compile",
                fmt::format("the kernel of thread \"{}\" does not compile\n{}",
                            roleName(jobs[i].role), text),
                "include one API header per operation");
  }
}

void Kernels::load(const Job &job) {
  void *handle = dlopen(job.object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw Error(Kind::Internal, "emulator.toolchain",
                fmt::format("cannot load a kernel: {}", dlerror()));
  handles[size_t(job.role)] = handle;
  auto bind = reinterpret_cast<void (*)(const tb::Bridge *)>(dlsym(handle, "tilewright_bind"));
  entries[size_t(job.role)] = reinterpret_cast<void (*)()>(dlsym(handle, "tilewright_run"));
  bind(&bridgeTable);
}

Kernels::Kernels(const std::string &dir, const Manifest &manifest, const MachineModel &machine,
                 const EmulationOptions &options)
    : folder(makeFolder()) {
  struct Remove {
    const std::string &folder;
    bool keep;
    ~Remove() {
      std::error_code ignored;
      if (!keep)
        fs::remove_all(folder, ignored);
    }
  } remove{folder, options.keepObjects};
  std::vector<Job> jobs;
  for (int role = 0; role < RoleCount; ++role)
    jobs.push_back(prepare(dir, manifest, machine, role));
  compile(jobs);
  for (const Job &job : jobs)
    load(job);
}

Kernels::~Kernels() {
  for (void *handle : handles)
    if (handle)
      dlclose(handle);
}

} // namespace tilewright::emulator
