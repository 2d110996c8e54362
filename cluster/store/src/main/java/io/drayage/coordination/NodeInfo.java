package io.drayage.coordination;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A node of the cluster.
 *
 * @param name unique in the cluster: 1 to 100 letters, digits, {@code _}, {@code .} and {@code -}
 * @param address {@code HOST:PORT}, at most 300 printable characters of ASCII; {@link #NO_ADDRESS}
 *     for a node that accepts no connections
 * @param codecs the codecs that it can read, and that it accepts if it accepts connections: words
 *     of at most 100 letters, digits, {@code _}, {@code .} and {@code -}
 */
public record NodeInfo(String name, String address, Set<String> codecs) {
  private static final int MAX_NAME_CHARS = 100;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
  private static final Pattern ADDRESS = Pattern.compile("[!-~]{1,300}");

  /** The address of a node that accepts no connections. */
  public static final String NO_ADDRESS = "-";

  /**
   * @throws IllegalArgumentException if the name or the address is not valid
   */
  public NodeInfo {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          format(
              "'%s' cannot be the name of a node: it must have 1 to %d letters from a to z, digits, _, . and -, and not begin with . or - (it has %,d characters)",
              Names.printable(name.substring(0, Math.min(name.length(), MAX_NAME_CHARS))),
              MAX_NAME_CHARS,
              name.length()));
    }
    if (!ADDRESS.matcher(address).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot be the address of a node".formatted(Names.printable(address)));
    }
    codecs = Set.copyOf(codecs);
    for (String codec : codecs) {
      if (!NAME.matcher(codec).matches()) {
        throw new IllegalArgumentException(
            "'%s' cannot be a codec of a node".formatted(Names.printable(codec)));
      }
    }
  }

  /** A node without codecs, where only name and address matter. */
  public NodeInfo(String name, String address) {
    this(name, address, Set.of());
  }

  /** Whether both have the same name and address; codecs are not compared. */
  public boolean isSameNode(NodeInfo other) {
    return name.equals(other.name) && address.equals(other.address);
  }

  /** Whether the node is a transactor; otherwise it is a worker. */
  public boolean acceptsConnections() {
    return !address.equals(NO_ADDRESS);
  }
}
