/**
 * Encodings made for columns, see {@code docs/columnar-format.md}. A column's values over the rows
 * of one segment are a stream. A stream is written in the encoding with the shortest estimated time
 * in total, for sending, writing and reading.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.columnar;

import org.jspecify.annotations.NullMarked;
