package io.drayage.bench.system;

import io.drayage.transport.Transport;
import io.drayage.transport.grpc.GrpcTransport;
import io.drayage.transport.netty.NativeIo;
import io.drayage.transport.netty.NettyTransport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The transports there are, by the name that they have in a system's notation. */
final class Transports {
  private static final Map<String, Supplier<Transport>> BY_NAME = byName();

  private Transports() {}

  private static Map<String, Supplier<Transport>> byName() {
    Map<String, Supplier<Transport>> transports = new LinkedHashMap<>();
    transports.put("grpc", GrpcTransport::new);
    transports.put("grpc-tuned", GrpcTransport::tuned);
    transports.put("netty", NettyTransport::best);
    transports.put("netty-epoll", () -> NettyTransport.of(NativeIo.EPOLL));
    transports.put("netty-nio", () -> NettyTransport.of(NativeIo.NIO));
    transports.put("netty-io_uring", () -> NettyTransport.of(NativeIo.IO_URING));
    return transports;
  }

  /** All names, the usual ones first. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * The transport with this name. Native libraries are loaded by its first use, not by this class.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Transport ofName(String name) {
    Supplier<Transport> transport = BY_NAME.get(name);
    if (transport == null) {
      throw new IllegalArgumentException("transport '%s' is none of %s".formatted(name, names()));
    }
    return transport.get();
  }
}
