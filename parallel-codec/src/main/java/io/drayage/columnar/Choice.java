package io.drayage.columnar;

import org.jspecify.annotations.Nullable;

/**
 * How a stream is to be written.
 *
 * @param encoding what with
 * @param patching for the patched encodings
 * @param pair for {@link Encoding#ALP}: see {@link DecimalForm}; for {@link Encoding#REPEAT}: the
 *     distance
 * @param bytes what it is estimated to take
 * @param ns what it is estimated to cost: on the wire, and on both sides of it
 */
record Choice(Encoding encoding, @Nullable Patching patching, int pair, double bytes, double ns) {
  static final int NO_PAIR = -1;

  Choice withNs(double newNs) {
    return new Choice(encoding, patching, pair, bytes, newNs);
  }
}
