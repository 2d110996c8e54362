package io.drayage.coordination.zookeeper;

import io.drayage.transport.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds out why ZooKeeper's servers do not answer, which its client does not report. */
final class ServerCheck {
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final int DEFAULT_PORT = 2181;

  private ServerCheck() {}

  /**
   * Describes the state of each of the servers, in one line. Needs up to a second for each.
   *
   * @param servers in the format of the client: {@code HOST:PORT,.../ROOT}
   */
  static String of(String servers) {
    return Stream.of(servers.replaceAll("/.*", "").split(",", -1))
        .map(server -> of(address(server.strip())))
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private static InetSocketAddress address(String server) {
    int colon = server.lastIndexOf(':');
    boolean hasPort = colon >= 0 && server.indexOf(']') < colon;
    try {
      return new InetSocketAddress(
          hasPort ? server.substring(0, colon) : server,
          hasPort ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT);
    } catch (IllegalArgumentException e) {
      return InetSocketAddress.createUnresolved(server, 0);
    }
  }

  private static String of(InetSocketAddress server) {
    if (server.isUnresolved()) {
      return "the host '%s' is unknown".formatted(server.getHostString());
    }
    String name = HostPort.text(server);
    try (Socket socket = new Socket()) {
      socket.connect(server, CONNECT_TIMEOUT_MS);
      return "the server at %s is not ZooKeeper, or has no quorum".formatted(name);
    } catch (ConnectException e) {
      return "nothing listens at %s: %s".formatted(name, e.getMessage());
    } catch (IOException e) {
      return "%s cannot be reached: %s".formatted(name, e.getMessage());
    }
  }
}
