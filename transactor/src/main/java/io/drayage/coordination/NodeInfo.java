package io.drayage.coordination;

import java.util.regex.Pattern;

/**
 * A node of the cluster.
 *
 * @param name unique in the cluster: 1 to 100 letters, digits, {@code _}, {@code .} and {@code -}
 * @param address {@code HOST:PORT}; {@link #NO_ADDRESS} if it accepts no connections
 */
public record NodeInfo(String name, String address) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
  private static final Pattern ADDRESS = Pattern.compile("[^\\s]{1,300}");

  /** What stands for the address of a node that accepts no connections. */
  public static final String NO_ADDRESS = "-";

  /**
   * @throws IllegalArgumentException if the name or the address is not valid
   */
  public NodeInfo {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the name of a node".formatted(name));
    }
    if (!ADDRESS.matcher(address).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the address of a node".formatted(address));
    }
  }

  /** Whether it is a transactor, else a worker. */
  public boolean acceptsConnections() {
    return !address.equals(NO_ADDRESS);
  }
}
