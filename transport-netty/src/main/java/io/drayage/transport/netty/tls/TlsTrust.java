package io.drayage.transport.netty.tls;

import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Delegates the verification, and names the certificate in the exception. Thread-safe. */
final class TlsTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager verifier;

  /**
   * Describes an untrusted certificate by its subject, its issuer and its dates; with the cause.
   */
  static final class Untrusted extends CertificateException {
    private static final long serialVersionUID = 1L;

    Untrusted(X509Certificate certificate, CertificateException cause) {
      super(
          "the certificate of %s by %s, valid from %s to %s"
              .formatted(
                  certificate.getSubjectX500Principal(),
                  certificate.getIssuerX500Principal(),
                  certificate.getNotBefore().toInstant(),
                  certificate.getNotAfter().toInstant()),
          cause);
    }
  }

  private interface Check {
    void run() throws CertificateException;
  }

  private TlsTrust(X509ExtendedTrustManager verifier) {
    this.verifier = verifier;
  }

  /** Returns a manager that delegates to those of {@code factory}, which has been initialized. */
  static TlsTrust of(TrustManagerFactory factory) {
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager verifier) {
        return new TlsTrust(verifier);
      }
    }
    throw new IllegalStateException(factory.getProvider() + " verifies no certificates");
  }

  private static void named(X509Certificate[] chain, Check check) throws CertificateException {
    try {
      check.run();
    } catch (CertificateException e) {
      throw chain.length == 0 ? e : new Untrusted(wrong(chain, e), e);
    }
  }

  /** Returns the certificate of the chain that caused the failure; if unknown, the peer's own. */
  private static X509Certificate wrong(X509Certificate[] chain, CertificateException reason) {
    for (Throwable t = reason; t != null; t = t.getCause()) {
      if (t instanceof CertPathValidatorException path && path.getIndex() >= 0) {
        Certificate wrong = path.getCertPath().getCertificates().get(path.getIndex());
        return wrong instanceof X509Certificate x509 ? x509 : chain[0];
      }
    }
    return chain[0];
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    named(chain, () -> verifier.checkClientTrusted(chain, type));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    named(chain, () -> verifier.checkClientTrusted(chain, type, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    named(chain, () -> verifier.checkClientTrusted(chain, type, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    named(chain, () -> verifier.checkServerTrusted(chain, type));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    named(chain, () -> verifier.checkServerTrusted(chain, type, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    named(chain, () -> verifier.checkServerTrusted(chain, type, engine));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return verifier.getAcceptedIssuers();
  }
}
