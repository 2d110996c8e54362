/**
 * Encodings made for columns: what {@code docs/columnar-format.md} describes. A column's values
 * over the rows of one segment are a stream; a stream is written in the encoding that is estimated
 * to take the least time in all, on the wire and on both sides of it.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.columnar;

import org.jspecify.annotations.NullMarked;
