package io.drayage.cli.cluster;

import io.drayage.bench.system.Transports;
import io.drayage.cli.options.OptionChecks;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.netty.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A node's files for TLS 1.3. */
abstract class TlsFiles {
  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Its certificate, followed by the chain to its authority; PEM.")
  @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of --tls-cert; PEM, PKCS#8, not encrypted.")
  @Nullable Path key;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "The authorities that have signed the certificates of the other end; PEM.")
  @Nullable Path authorities;

  boolean areGiven() {
    return certificate != null || key != null || authorities != null;
  }

  /** Returns the identity of this node; null without a certificate. */
  TlsOptions.@Nullable Identity identity() {
    return certificate == null || key == null ? null : new TlsOptions.Identity(certificate, key);
  }

  void check(String transport, OptionChecks checks) {
    checks.require(
        Transports.hasTls(transport),
        "transport '%s' has no TLS here: use netty".formatted(transport));
    checks.require(
        (certificate == null) == (key == null), "--tls-cert and --tls-key belong together");
    checks.requireReadable("--tls-cert", certificate);
    checks.requireReadable("--tls-key", key);
    checks.requireReadable("--tls-ca", authorities);
  }

  /** Requires that nobody else can read the key, and that it belongs to the certificate. */
  void checkIdentity(OptionChecks checks) throws IOException {
    checks.requireSecret("--tls-key", key);
    TlsOptions.Identity own = identity();
    try {
      if (own != null) {
        TlsIdentity.check(own);
      }
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--tls-cert and --tls-key: " + e.getMessage());
    }
  }

  /** The files of a transactor, with the workers that it admits. */
  static final class OfTransactor extends TlsFiles {
    @Option(names = "--insecure", description = "Listen beyond the loopback interface without TLS.")
    boolean insecure;

    @Option(
        names = "--tls-worker",
        paramLabel = "NAME",
        description =
            "A worker that may ship: a DNS name in its certificate, which an authority of --tls-ca"
                + " has signed; may be repeated (default: any worker).")
    private List<String> workers = new ArrayList<>();

    @Nullable TlsOptions options(String transport, OptionChecks checks) throws IOException {
      if (!areGiven() && workers.isEmpty()) {
        return null;
      }
      check(transport, checks);
      if (certificate == null || key == null) {
        throw checks.usageError("a transactor with TLS needs --tls-cert and --tls-key");
      }
      if (workers.isEmpty() != (authorities == null)) {
        throw checks.usageError(
            "name the workers that may ship (--tls-worker) together with their authorities (--tls-ca)");
      }
      checkIdentity(checks);
      TlsOptions server = TlsOptions.ofServer(certificate, key);
      return authorities == null
          ? server
          : server.requiringWorkers(authorities, Set.copyOf(workers));
    }
  }

  /**
   * Requires a host name that workers can find in a certificate. Java's check of certificates
   * refuses some names that can be resolved, such as some that Docker gives its containers.
   */
  static void requireCertifiable(String option, String host, OptionChecks checks) {
    boolean isAddress = host.contains(":");
    try {
      Object unused = isAddress ? null : new SNIHostName(host);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(
          "%s %s cannot be the name in a certificate: use one of letters, digits, '-' and '.', not beginning or ending with either"
              .formatted(option, host));
    }
  }

  /** The files of a worker, with the name of its transactors. */
  static final class OfWorker extends TlsFiles {
    @Option(
        names = "--tls-name",
        paramLabel = "NAME",
        description = "The name in the transactors' certificates (default: the host of each).")
    private @Nullable String name;

    @Nullable TlsOptions options(String transport, OptionChecks checks) throws IOException {
      if (!areGiven() && name == null) {
        return null;
      }
      check(transport, checks);
      checkIdentity(checks);
      TlsOptions client = TlsOptions.ofClient(authorities);
      if (name != null) {
        requireCertifiable("--tls-name", name, checks);
        client = client.withPeerName(name);
      }
      return certificate == null || key == null ? client : client.withIdentity(certificate, key);
    }
  }
}
