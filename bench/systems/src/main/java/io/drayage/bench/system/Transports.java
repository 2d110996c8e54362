package io.drayage.bench.system;

import io.drayage.baseline.grpc.GrpcTransport;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NativeIo;
import io.drayage.transport.netty.NettyTransport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The existing transports, by their names in a system's notation. */
public final class Transports {
  private static final String NETTY = "netty";

  private static final Map<String, Supplier<Transport>> BY_NAME = byName();

  private Transports() {}

  private static Map<String, Supplier<Transport>> byName() {
    Map<String, Supplier<Transport>> transports = new LinkedHashMap<>();
    transports.put("grpc", GrpcTransport::new);
    transports.put("grpc-tuned", GrpcTransport::tuned);
    transports.put(NETTY, NettyTransport::best);
    transports.put("netty-epoll", () -> NettyTransport.of(NativeIo.EPOLL));
    transports.put("netty-nio", () -> NettyTransport.of(NativeIo.NIO));
    transports.put("netty-io_uring", () -> NettyTransport.of(NativeIo.IO_URING));
    return transports;
  }

  /** Returns all names, the usual ones first. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** Whether the transport with this name can secure its connections. */
  public static boolean hasTls(String name) {
    return name.equals(NETTY) || name.startsWith(NETTY + "-");
  }

  /** Whether the transport with this name carries transactions of several workers. */
  public static boolean carriesTransactions(String name) {
    return hasTls(name); // Our own transport has both.
  }

  /**
   * Returns the transport with this name. Its first use loads native libraries, not this class.
   *
   * @throws IllegalArgumentException if there is none; the message has the names
   */
  public static Transport ofName(String name) {
    Supplier<Transport> transport = BY_NAME.get(name);
    if (transport == null) {
      throw new IllegalArgumentException("transport '%s' is none of %s".formatted(name, names()));
    }
    return transport.get();
  }

  /** The most connections of a shipment over a transport. */
  static int maxConnections(String name) {
    return name.equals("grpc") ? 1 : TransportOptions.MAX_CONNECTIONS;
  }

  /** Returns the reason why this machine cannot use it, in a line; null if it can. */
  static @Nullable String whyUnusable(String name) {
    Throwable cause =
        switch (name) {
          case "netty-epoll" -> NativeIo.EPOLL.unavailabilityCause();
          case "netty-io_uring" -> NativeIo.IO_URING.unavailabilityCause();
          default -> null;
        };
    if (cause == null) {
      return null;
    }
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String first = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    return "%s does not work on this machine: %s".formatted(name, first);
  }
}
