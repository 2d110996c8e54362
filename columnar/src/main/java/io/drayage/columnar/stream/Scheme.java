package io.drayage.columnar.stream;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a written or planned stream, and the schemes of its inner streams. The scheme of
 * a written stream is a model for similar streams. Immutable.
 *
 * @param id of the encoding
 * @param name of the encoding
 * @param parameter for the encoding: a reference, a divisor, a distance
 * @param width a second parameter: a number of bits
 * @param values number of values of the stream
 * @param bytes of the stream, its header and inner streams included; estimated, if it is not
 *     written yet
 * @param children the inner streams; none, if the stream is not written yet
 */
public record Scheme(
    int id, String name, long parameter, int width, int values, int bytes, List<Scheme> children) {
  /** A stream is not similar if its bytes per value exceed this factor, plus some bytes. */
  private static final double MUCH = 1.4;

  private static final int SOME_BYTES = 512;

  public Scheme {
    children = List.copyOf(children);
  }

  /** Creates a scheme for an encoding without parameters. */
  public Scheme(int id, String name, int values, int bytes, List<Scheme> children) {
    this(id, name, 0, 0, values, bytes, children);
  }

  /** Returns the scheme of one inner stream; null if it is not known. */
  public @Nullable Scheme child(int place) {
    return place < children.size() ? children.get(place) : null;
  }

  /** Whether this is much longer than expected from a similar stream, or from an estimate. */
  public boolean isMuchLongerThan(Scheme expected) {
    double ofEach = (double) expected.bytes / Math.max(1, expected.values);
    return bytes > MUCH * ofEach * values + SOME_BYTES;
  }

  /** Returns a text such as {@code RLE(BITS, FOR)}. */
  @Override
  public String toString() {
    return children.isEmpty()
        ? name
        : name
            + children.stream().map(Scheme::toString).collect(Collectors.joining(", ", "(", ")"));
  }
}
