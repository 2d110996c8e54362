package io.drayage.cli.cluster;

import java.net.InetSocketAddress;

/** An address as a user names it: {@code HOST:PORT}. */
record NodeAddress(String host, int port) {
  static final int MAX_PORT = 65_535;

  /**
   * @throws IllegalArgumentException if it is none, with one line that tells what would be right
   */
  static NodeAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port >= 0 && port <= MAX_PORT) {
          return new NodeAddress(text.substring(0, colon), port);
        }
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "'%s' is no address: write HOST:PORT, such as 127.0.0.1:7070".formatted(text));
  }

  InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }
}
