#pragma once
#include <stddef.h>

/// One file of `migrations/` or `catalogue/`, as it was when this binary was built.
struct EmbeddedFile {
  /// Path below the repository's root, such as `migrations/0001_intake.sql`.
  const char *name;
  /// The file's bytes; not terminated by a zero.
  const unsigned char *bytes;
  /// Number of bytes.
  size_t length;
};

/// The file at `index` in the order in which the migrator applies them, or NULL past the last one.
const struct EmbeddedFile *embedded_file(size_t index);
