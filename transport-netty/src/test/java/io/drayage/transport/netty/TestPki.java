package io.drayage.transport.netty;

import io.drayage.transport.TlsOptions;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** An authority for tests, and its certificates, as PEM files in a folder. */
public final class TestPki {
  static final String TRANSACTOR = "transactor.test";
  static final String WORKER = "worker-1.test";

  /** A day, so that no certificate expires during a test. */
  private static final Duration VALID = Duration.ofDays(1);

  private final Path folder;
  private final X509Bundle authority;

  /** Makes an authority. */
  public TestPki(Path folder) throws Exception {
    this.folder = folder;
    this.authority =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=authority of " + folder.getFileName())
            .setIsCertificateAuthority(true)
            .notBefore(Instant.now().minus(VALID.multipliedBy(4)))
            .notAfter(Instant.now().plus(VALID))
            .buildSelfSigned();
  }

  Path authority() throws IOException {
    return write("authority.pem", authority.getCertificatePEM());
  }

  /** Makes a certificate for this DNS name, valid for {@code end} from now, and its key. */
  TlsOptions.Identity identity(String name, Duration end) throws Exception {
    return identity(CertificateBuilder.Algorithm.ecp256, name, end);
  }

  /** Makes a certificate for a key of this algorithm, and the key. */
  TlsOptions.Identity identityOf(CertificateBuilder.Algorithm algorithm, String name)
      throws Exception {
    return identity(algorithm, name, VALID);
  }

  private TlsOptions.Identity identity(
      CertificateBuilder.Algorithm algorithm, String name, Duration end) throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .algorithm(algorithm)
            .subject("CN=drayage test")
            .addSanDnsName(name)
            .notBefore(Instant.now().plus(end).minus(VALID.multipliedBy(2)))
            .notAfter(Instant.now().plus(end))
            .buildIssuedBy(authority);
    return new TlsOptions.Identity(
        write(name + ".pem", certificate.getCertificatePathPEM()),
        write(name + ".key", certificate.getPrivateKeyPEM()));
  }

  /** Makes a certificate for this DNS name, and its key. */
  public TlsOptions.Identity identity(String name) throws Exception {
    return identity(name, VALID);
  }

  private Path write(String file, String pem) throws IOException {
    return Files.writeString(folder.resolve(file), pem);
  }

  /** Returns the options of a transactor that asks for no certificates. */
  TlsOptions server() throws Exception {
    return server(identity(TRANSACTOR));
  }

  static TlsOptions server(TlsOptions.Identity own) {
    return TlsOptions.ofServer(own.certificateChain(), own.privateKey());
  }

  /** Returns the options of a transactor that accepts shipments of {@link #WORKER} only. */
  TlsOptions mutualServer() throws Exception {
    return server().requiringWorkers(authority(), Set.of(WORKER));
  }

  /** Returns the options of a worker that trusts this authority and has no certificate. */
  TlsOptions client() throws Exception {
    return TlsOptions.ofClient(authority()).withPeerName(TRANSACTOR);
  }

  TlsOptions client(TlsOptions.Identity own) throws Exception {
    return client().withIdentity(own.certificateChain(), own.privateKey());
  }

  TlsOptions mutualClient() throws Exception {
    return client(identity(WORKER));
  }
}
