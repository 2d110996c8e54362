package io.drayage.transport.netty.tls;

import io.drayage.transport.netty.internal.NativeFallback;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** The implementation of the cryptography. */
public enum TlsEngine {
  /** BoringSSL if it can be loaded, else the JDK. */
  BEST,
  NATIVE,
  JDK;

  SslProvider provider() {
    return switch (this) {
      case BEST -> best();
      case NATIVE -> SslProvider.OPENSSL;
      case JDK -> SslProvider.JDK;
    };
  }

  private static SslProvider best() {
    Throwable cause = OpenSsl.unavailabilityCause();
    if (cause == null) {
      return SslProvider.OPENSSL;
    }
    NativeFallback.tell("BoringSSL", "TLS uses the JDK, which is slower", cause);
    return SslProvider.JDK;
  }
}
