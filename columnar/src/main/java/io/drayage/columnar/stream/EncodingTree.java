package io.drayage.columnar.stream;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How a stream was written: its encoding and those of the streams within. Immutable.
 *
 * @param name of the encoding
 * @param values how many values it has
 * @param bytes what it takes, its header and its children included
 * @param children the streams within
 */
public record EncodingTree(String name, int values, int bytes, List<EncodingTree> children) {
  public EncodingTree {
    children = List.copyOf(children);
  }

  /** {@code RLE(BITS, FOR)}. */
  @Override
  public String toString() {
    return children.isEmpty()
        ? name
        : name
            + children.stream()
                .map(EncodingTree::toString)
                .collect(Collectors.joining(", ", "(", ")"));
  }
}
