package io.drayage.transport.netty.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** The implementation of the cryptography. */
public enum TlsEngine {
  /** BoringSSL where it can be loaded, else the JDK. */
  BEST,
  NATIVE,
  JDK;

  SslProvider provider() {
    return switch (this) {
      case BEST -> OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
      case NATIVE -> SslProvider.OPENSSL;
      case JDK -> SslProvider.JDK;
    };
  }
}
