package io.drayage.bench.cluster;

import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import io.drayage.transport.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files with which a node secures its connections, TLS 1.3. */
final class TlsFiles {
  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Its certificate, followed by those that lead to its authority; PEM.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of --tls-cert; PEM, PKCS#8, not encrypted.")
  private @Nullable Path key;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "The authorities that vouch for the other end; PEM.")
  private @Nullable Path authorities;

  /** Whether there are any. */
  boolean areGiven() {
    return certificate != null || key != null || authorities != null;
  }

  /**
   * Those of a transactor; null if there are none.
   *
   * @param workers the names of the workers that may ship; empty: whoever reaches it may
   */
  @Nullable TlsOptions ofTransactor(Set<String> workers, String transport, OptionChecks checks) {
    if (!areGiven() && workers.isEmpty()) {
      return null;
    }
    check(transport, checks);
    if (certificate == null || key == null) {
      throw checks.usageError("a transactor with TLS needs --tls-cert and --tls-key");
    }
    TlsOptions server = TlsOptions.ofServer(certificate, key);
    if (workers.isEmpty() && authorities == null) {
      return server;
    }
    if (workers.isEmpty() || authorities == null) {
      throw checks.usageError(
          "name the workers that may ship (--tls-worker) together with who vouches for them (--tls-ca)");
    }
    return server.requiringWorkers(authorities, workers);
  }

  /**
   * Those of a worker; null if there are none.
   *
   * @param peerName the name in the transactors' certificates; null: the host of each
   */
  @Nullable TlsOptions ofWorker(@Nullable String peerName, String transport, OptionChecks checks) {
    if (!areGiven() && peerName == null) {
      return null;
    }
    check(transport, checks);
    TlsOptions client = TlsOptions.ofClient(authorities);
    if (peerName != null) {
      client = client.withPeerName(peerName);
    }
    return certificate == null || key == null ? client : client.withIdentity(certificate, key);
  }

  private void check(String transport, OptionChecks checks) {
    checks.require(
        Systems.hasTls(transport),
        "transport '%s' has no TLS here: use netty".formatted(transport));
    checks.require(
        (certificate == null) == (key == null), "--tls-cert and --tls-key belong together");
    requireReadable("--tls-cert", certificate, checks);
    requireReadable("--tls-key", key, checks);
    requireReadable("--tls-ca", authorities, checks);
  }

  private static void requireReadable(String option, @Nullable Path file, OptionChecks checks) {
    checks.require(
        file == null || (Files.isRegularFile(file) && Files.isReadable(file)),
        "%s %s is no file that can be read".formatted(option, file));
  }
}
