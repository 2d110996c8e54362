package io.drayage.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as people and URLs write them: {@code host:7070}, {@code [::1]:7070}. */
public final class HostPort {
  /** Number of groups of an IPv6 address. */
  private static final int NUMBERS = 8;

  private HostPort() {}

  /** Returns the text of an address, with its host name if the address was created from one. */
  public static String text(SocketAddress address) {
    return address instanceof InetSocketAddress host
        ? text(host.getHostString(), host.getPort())
        : String.valueOf(address);
  }

  /** Returns the text of a host and a port. An IPv6 address stands in brackets and is shortened. */
  public static String text(String host, int port) {
    return host(host) + ":" + port;
  }

  /**
   * Returns the address of a text, whose host is looked up.
   *
   * @throws IllegalArgumentException if the text is not {@code HOST:PORT}
   */
  public static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("'%s' is not HOST:PORT".formatted(text));
    }
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private static String host(String host) {
    return host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + shortened(host) + "]";
  }

  private static String shortened(String numbers) {
    for (int more = NUMBERS - 1; more >= 1; more--) { // The longest run of zeros becomes "::".
      Matcher run = Pattern.compile("(?:^|:)0(?::0){" + more + "}(?:$|:)").matcher(numbers);
      if (run.find()) {
        return numbers.substring(0, run.start()) + "::" + numbers.substring(run.end());
      }
    }
    return numbers;
  }
}
