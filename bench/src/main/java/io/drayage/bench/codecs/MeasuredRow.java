package io.drayage.bench.codecs;

import io.drayage.bench.result.Status;
import org.jspecify.annotations.Nullable;

/** What was measured of one combination. */
interface MeasuredRow {
  String serializer();

  String compressor();

  /** Of the compressor; null for its default. */
  @Nullable Integer level();

  Form form();

  /** Codec threads of the sender that its segments pass through; null if they pass through none. */
  default @Nullable Integer threads() {
    return null;
  }

  /** {@link Status#FAILED} if there is nothing to show. */
  Status status();

  /** Why it failed; null if it did not. */
  @Nullable String error();

  /** What was measured. No getter by its name, so that it is not written as JSON. */
  default Combination combination() {
    return new Combination(serializer(), compressor(), level(), form(), threads());
  }
}
