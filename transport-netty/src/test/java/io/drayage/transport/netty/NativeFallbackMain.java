package io.drayage.transport.netty;

import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Makes transports and clients with TLS, and prints what they use. */
public final class NativeFallbackMain {
  private NativeFallbackMain() {}

  public static void main(String[] args) {
    TransportOptions secured = TransportOptions.builder().tls(TlsOptions.ofClient(null)).build();
    for (int use = 0; use < 2; use++) {
      NettyTransport transport = NettyTransport.best();
      System.out.println("uses " + transport.io() + ": " + transport);
      transport.client(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), secured).close();
    }
  }
}
