package io.drayage.columnar.stream;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a stream was written, or is to be: its encoding, and the schemes of the streams within. One
 * that was written tells how to write a stream like it. Immutable.
 *
 * @param id of the encoding
 * @param name of the encoding
 * @param parameter what the encoding was chosen with: a reference, a divisor, a distance
 * @param width a second parameter: a number of bits
 * @param values how many values the stream has
 * @param bytes what it takes, its header and the streams within included; estimated, if it is not
 *     written yet
 * @param children the streams within; none, if it is not written yet
 */
public record Scheme(
    int id, String name, long parameter, int width, int values, int bytes, List<Scheme> children) {
  /** A stream is not like another if it takes so many times the bytes a value, and some more. */
  private static final double MUCH = 1.4;

  private static final int SOME_BYTES = 512;

  public Scheme {
    children = List.copyOf(children);
  }

  /** One whose encoding has no parameters. */
  public Scheme(int id, String name, int values, int bytes, List<Scheme> children) {
    this(id, name, 0, 0, values, bytes, children);
  }

  /** One stream within; null if it is not known. */
  public @Nullable Scheme child(int place) {
    return place < children.size() ? children.get(place) : null;
  }

  /** Whether this takes much more than expected from a stream like it, or from an estimate. */
  public boolean isMuchLongerThan(Scheme expected) {
    double ofEach = (double) expected.bytes / Math.max(1, expected.values);
    return bytes > MUCH * ofEach * values + SOME_BYTES;
  }

  /** {@code RLE(BITS, FOR)}. */
  @Override
  public String toString() {
    return children.isEmpty()
        ? name
        : name
            + children.stream().map(Scheme::toString).collect(Collectors.joining(", ", "(", ")"));
  }
}
