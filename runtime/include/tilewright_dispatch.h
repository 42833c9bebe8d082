/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Dispatch of matrix multiplications: from a shape to a plan by a table file, with an optional
 * planner for shapes that the table does not hold. C11 or C++; docs/dispatch.md is the manual.
 *
 *   tw_dispatcher *d;
 *   if (tw_open("ascend910b1.twt", "ascend910b1", fingerprint, NULL, NULL, 0, &d) == TW_OK) {
 *     tw_shape shape = tw_shape_dense(512, 1024, 2048, TW_ROW, TW_COLUMN, TW_FP16);
 *     tw_plan plan;
 *     if (tw_lookup(d, &shape, &plan) == TW_OK)
 *       launch(tw_kernel_name(d, plan.kernel), &plan);
 *     tw_close(d);
 *   }
 */
#ifndef TILEWRIGHT_DISPATCH_H
#define TILEWRIGHT_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call answers. The numbers are fixed: new ones are added at the end. */
typedef enum tw_status {
  TW_OK = 0,
  TW_NOT_FOUND = 1,          /**< the shape is in no table and there is no planner */
  TW_BAD_SHAPE = 2,          /**< an extent, leading dimension or enumeration is out of range */
  TW_BAD_PLAN = 3,           /**< a plan's kernel, cycles or reserved words are out of range */
  TW_BAD_ARGUMENT = 4,       /**< a null pointer or a size that cannot be */
  TW_NO_PLAN = 5,            /**< for planners: this shape cannot be planned */
  TW_NO_MEMORY = 6,          /**< an allocation failed */
  TW_SYSTEM_ERROR = 7,       /**< the operating system refused; errno says why */
  TW_NOT_A_TABLE = 8,        /**< the file does not start as a table does */
  TW_OTHER_ENDIANNESS = 9,   /**< the table or this machine is big-endian */
  TW_OTHER_VERSION = 10,     /**< the table has another format version */
  TW_TRUNCATED = 11,         /**< the file is shorter or longer than its header says */
  TW_BAD_CHECKSUM = 12,      /**< the bytes are not those that were written */
  TW_OTHER_MACHINE = 13,     /**< the table was planned for a machine with another name */
  TW_OTHER_FINGERPRINT = 14, /**< same name, but another description of the machine */
  TW_MALFORMED = 15,         /**< the checksum holds but the content breaks the format */
  TW_CONFLICT = 16,          /**< a shape was given twice with different plans */
  TW_BAD_NAMES = 17,         /**< a name is empty or too long, or names are not in strict order */
  TW_INCOMPLETE = 18         /**< the table written does not give back what went in (a defect) */
} tw_status;

enum { TW_ROW = 0, TW_COLUMN = 1 };
enum { TW_FP16 = 0, TW_BF16 = 1 };
enum { TW_DETERMINISTIC = 1 }; /**< flags: the sums must not depend on timing */

/** Upper limit of every extent and leading dimension. */
#define TW_MAX_EXTENT INT64_C(4294967295)
/** Upper limit of a machine's name in bytes, without the final zero. */
#define TW_MAX_MACHINE_NAME 63

/** C[batch][m][n] = A[batch][m][k] * B[batch][k][n]; C is row-major.
 * Extents are in elements from 0 to TW_MAX_EXTENT. A leading dimension is the distance in elements
 * between two rows (row-major) or columns (column-major), at least 1 and at least their length;
 * it is always given: 0 does not mean dense. Bytes of padding are ignored. */
typedef struct tw_shape {
  int64_t m, n, k;
  int64_t lda, ldb, ldc;
  int64_t batch;
  uint8_t layout_a, layout_b; /**< TW_ROW or TW_COLUMN */
  uint8_t dtype;              /**< TW_FP16 or TW_BF16 */
  uint8_t flags;              /**< TW_DETERMINISTIC or 0 */
} tw_shape;

/** How to launch one shape. Tiles are in elements. 80 bytes without padding. */
typedef struct tw_plan {
  uint64_t workspace_bytes;  /**< device memory that the kernel needs besides A, B and C */
  int64_t predicted_cycles;  /**< not negative */
  uint64_t key;              /**< the TilingKey */
  uint32_t m1, n1, k1a, k1b; /**< L1 tile: A is m1 x k1a, B is k1b x n1 */
  uint32_t m0, n0, k0;       /**< L0 tile */
  uint32_t split_k;          /**< parts that K is split into; 1: not split */
  uint32_t block_dim;        /**< cores launched */
  uint32_t swizzle;          /**< the order of the blocks */
  uint32_t kernel;           /**< index into the table's kernel names */
  uint32_t reserved[3];      /**< zero */
} tw_plan;

/** A shape with batch 1, no flags and dense operands. */
static inline tw_shape tw_shape_dense(int64_t m, int64_t n, int64_t k, uint8_t layout_a,
                                      uint8_t layout_b, uint8_t dtype) {
  tw_shape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.lda = layout_a == TW_ROW ? k : m;
  shape.ldb = layout_b == TW_ROW ? n : k;
  shape.ldc = n;
  shape.lda = shape.lda == 0 ? 1 : shape.lda;
  shape.ldb = shape.ldb == 0 ? 1 : shape.ldb;
  shape.ldc = shape.ldc == 0 ? 1 : shape.ldc;
  shape.batch = 1;
  shape.layout_a = layout_a;
  shape.layout_b = layout_b;
  shape.dtype = dtype;
  shape.flags = 0;
  return shape;
}

/** A sentence fragment for messages: lower case, no final period; never null. */
TW_API const char *tw_status_text(tw_status status);

/* Building a table ----------------------------------------------------------------------------- */

/** What tw_table_build has to say besides its status. */
typedef struct tw_build_info {
  size_t bad_index;    /**< the entry, plan or name that was refused, else SIZE_MAX */
  int system_error;    /**< errno of TW_SYSTEM_ERROR, else 0 */
  size_t shapes;       /**< distinct shapes written */
  size_t plans;        /**< plan records written, after merging */
  uint64_t file_bytes; /**< size of the file */
} tw_build_info;

/** Writes the table that maps shapes[i] to plans[i] for all i below count, which may be 0.
 *
 * `names` are the kernels' names in strictly ascending byte order; plans refer to them by index,
 * and names that no plan uses are kept (a planner may use them). `machine` has 1 to
 * TW_MAX_MACHINE_NAME bytes, `fingerprint` is a hash of the machine's description.
 * Entries may come in any order: the same set gives the same bytes. A shape given twice with the
 * same plan is stored once; with different plans it is TW_CONFLICT.
 *
 * The table appears under `path` whole or not at all: it is written to a temporary file in the same
 * folder, read back, searched for every shape, and then renamed. `info` may be null. */
TW_API tw_status tw_table_build(const tw_shape *shapes, const tw_plan *plans, size_t count,
                                const char *const *names, size_t name_count, const char *machine,
                                uint64_t fingerprint, const char *path, tw_build_info *info);

/* Looking up ----------------------------------------------------------------------------------- */

typedef struct tw_dispatcher tw_dispatcher;

/** Plans one shape that the table does not hold: fills *plan and returns TW_OK, or returns any
 * other status, which tw_lookup passes on. *plan is zero on entry. Called from whichever thread
 * looks up, from several at once, possibly for the same shape; it must not throw. */
typedef tw_status (*tw_planner)(void *user, const tw_shape *shape, tw_plan *plan);

/** Maps the table and checks all of it. `machine` (null: any) and `fingerprint` (0: any) must be
 * those it was built for. `planner` may be null. `cache_capacity` is the number of planned shapes
 * that are remembered, rounded up to a multiple of 8; 0: none. On failure *out is null, and
 * after TW_SYSTEM_ERROR errno is set. */
TW_API tw_status tw_open(const char *path, const char *machine, uint64_t fingerprint,
                         tw_planner planner, void *user, size_t cache_capacity,
                         tw_dispatcher **out);

/** Ends all use of the dispatcher; no other call may be under way. Null is allowed. */
TW_API void tw_close(tw_dispatcher *dispatcher);

/** The plan of a shape: from the table, else from the cache, else from the planner. Any number of
 * threads may call it. A table hit takes no lock; a table or cache hit allocates nothing.
 * *plan is written only with TW_OK. No pointer may be null. */
TW_API tw_status tw_lookup(tw_dispatcher *dispatcher, const tw_shape *shape, tw_plan *plan);

/** Every lookup counts in exactly one of the first four. */
typedef struct tw_counts {
  uint64_t table_hits;
  uint64_t cache_hits;
  uint64_t planned; /**< answered by the planner */
  uint64_t refused; /**< answered with a status other than TW_OK */
  uint64_t evicted; /**< plans that left the cache to make room */
} tw_counts;

/** Exact when no lookup is under way; else each figure lies between its values before and after. */
TW_API void tw_counters(const tw_dispatcher *dispatcher, tw_counts *counts);

/** What an open table holds. The string lives as long as the dispatcher. */
typedef struct tw_table_info {
  const char *machine;
  uint64_t fingerprint;
  size_t shapes, plans, kernels;
  size_t slots; /**< positions for tw_table_entry, at least `shapes` */
  size_t cache_capacity;
  uint64_t file_bytes;
} tw_table_info;

TW_API void tw_info(const tw_dispatcher *dispatcher, tw_table_info *info);

/** Name of a kernel, or null when there is none of that index; lives as long as the dispatcher. */
TW_API const char *tw_kernel_name(const tw_dispatcher *dispatcher, uint32_t kernel);

/** Index of a kernel's name, or UINT32_MAX. */
TW_API uint32_t tw_find_kernel(const tw_dispatcher *dispatcher, const char *name);

/** The table's entry at a slot; TW_NOT_FOUND for an empty slot, TW_BAD_ARGUMENT past the last.
 * For walking a whole table; the order is that of the hash. */
TW_API tw_status tw_table_entry(const tw_dispatcher *dispatcher, size_t slot, tw_shape *shape,
                                tw_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
