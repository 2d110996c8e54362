package io.drayage.transport.netty.tls;

import io.drayage.transport.TlsOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;

/** A TLS context of the JDK with the files of a node, for servers that speak another protocol. */
public final class PemContext {
  private PemContext() {}

  /**
   * Makes a context of TLS 1.3 that shows a certificate and asks for none.
   *
   * @throws IOException if the files cannot be read, or are no certificate and its key
   */
  public static SslContext ofServer(TlsOptions.Identity identity) throws IOException {
    try {
      TlsIdentity.check(identity);
      return SslContextBuilder.forServer(
              identity.certificateChain().toFile(), identity.privateKey().toFile())
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3")
          .build();
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s and %s are not a certificate and its key: %s"
              .formatted(identity.certificateChain(), identity.privateKey(), e.getMessage()),
          e);
    }
  }
}
