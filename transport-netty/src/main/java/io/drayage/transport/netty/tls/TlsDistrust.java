package io.drayage.transport.netty.tls;

import io.drayage.cargo.Names;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes in one line why the certificate of a peer was refused. */
final class TlsDistrust {
  /** A worker does not send its certificate if none of the server's authorities has issued it. */
  private static final Pattern NO_CERTIFICATE =
      Pattern.compile("PEER_DID_NOT_RETURN_A_CERTIFICATE|Empty client certificate chain");

  private TlsDistrust() {}

  /** Returns the reason and the certificate; null if {@code failure} has another reason. */
  static @Nullable String of(Throwable failure) {
    String reason = reason(failure);
    TlsTrust.Untrusted which = find(TlsTrust.Untrusted.class, failure);
    if (reason == null) {
      return null;
    }
    // Anybody may have made the certificate with this text.
    return Names.printable(which == null ? reason : "%s: %s".formatted(reason, which.getMessage()));
  }

  private static @Nullable String reason(Throwable failure) {
    CertificateExpiredException expired = find(CertificateExpiredException.class, failure);
    if (expired != null) {
      return "its certificate has expired (%s)".formatted(expired.getMessage());
    }
    CertificateNotYetValidException early = find(CertificateNotYetValidException.class, failure);
    if (early != null) {
      return "its certificate is not valid yet (%s)".formatted(early.getMessage());
    }
    if (find(CertPathBuilderException.class, failure) != null) {
      return "none of the trusted authorities vouches for its certificate";
    }
    CertPathValidatorException path = find(CertPathValidatorException.class, failure);
    if (path != null) {
      return path.getMessage();
    }
    if (NO_CERTIFICATE.matcher(String.valueOf(failure.getMessage())).find()) {
      return "it has shown no certificate of a trusted authority";
    }
    CertificateException other = find(CertificateException.class, failure);
    if (other instanceof TlsTrust.Untrusted named && named.getCause() != null) {
      return named.getCause().getMessage();
    }
    return other == null ? null : other.getMessage();
  }

  static <T extends Throwable> @Nullable T find(Class<T> type, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }
}
