package io.drayage.bench.system;

import io.drayage.files.FileRights;
import io.drayage.internal.Begun;
import io.drayage.internal.TemporaryFolder;
import io.drayage.transport.TlsOptions;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * An authority for one run of the rig, and the certificates of its worker and its transactor, as
 * PEM files in a folder that only this user can read. Closing deletes them.
 */
public final class ThrowAwayCertificates implements AutoCloseable {
  private static final Duration VALID = Duration.ofDays(7);
  private static final String AUTHORITY = "authority";
  private static final String TRANSACTOR = "transactor.drayage.internal";
  private static final String WORKER = "worker.drayage.internal";

  private final TemporaryFolder files = TemporaryFolder.make("drayage-tls-");

  private ThrowAwayCertificates() throws IOException {}

  public static ThrowAwayCertificates make() throws IOException {
    ThrowAwayCertificates made = new ThrowAwayCertificates();
    try (Begun begun = new Begun(made::close)) {
      X509Bundle authority = of(AUTHORITY).setIsCertificateAuthority(true).buildSelfSigned();
      Files.writeString(chain(made.folder(), AUTHORITY), authority.getCertificatePEM());
      for (String name : List.of(TRANSACTOR, WORKER)) {
        X509Bundle issued = of(name).addSanDnsName(name).buildIssuedBy(authority);
        Files.writeString(chain(made.folder(), name), issued.getCertificatePathPEM());
        FileRights.PRIVATE.applyTo(
            Files.writeString(key(made.folder(), name), issued.getPrivateKeyPEM()));
      }
      return begun.keep(made);
    } catch (Exception e) {
      throw new IOException("cannot make certificates: " + e, e);
    }
  }

  private static CertificateBuilder of(String name) {
    Instant now = Instant.now();
    return new CertificateBuilder()
        .ecp256()
        .subject("CN=" + name)
        .notBefore(now.minus(VALID))
        .notAfter(now.plus(VALID));
  }

  private static Path chain(Path folder, String name) {
    return folder.resolve(name + ".pem");
  }

  private static Path key(Path folder, String name) {
    return folder.resolve(name + ".key");
  }

  public Path folder() {
    return files.path();
  }

  /** Returns the options of the transactor, which accepts shipments of that worker only. */
  static TlsOptions transactor(String folder) {
    Path in = Path.of(folder);
    return TlsOptions.ofServer(chain(in, TRANSACTOR), key(in, TRANSACTOR))
        .requiringWorkers(chain(in, AUTHORITY), Set.of(WORKER));
  }

  /** Returns the options of the worker, which ships to that transactor only. */
  static TlsOptions worker(String folder) {
    Path in = Path.of(folder);
    return TlsOptions.ofClient(chain(in, AUTHORITY))
        .withPeerName(TRANSACTOR)
        .withIdentity(chain(in, WORKER), key(in, WORKER));
  }

  @Override
  public void close() {
    files.close();
  }
}
