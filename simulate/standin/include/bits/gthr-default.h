// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No threads library: takes the place of the host's pthread layer.
#pragma once
