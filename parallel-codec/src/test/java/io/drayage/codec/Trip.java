package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;

/** Carries a cargo into bytes and back. */
interface Trip {
  /** A limit that no test content reaches. */
  long MAX_CARGO_BYTES = 1L << 30;

  /** The cargo that arrives when {@code cargo} is sent. */
  ChangeCargo carry(ChangeCargo cargo) throws Exception;
}
