package io.drayage.cli.cluster;

import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of a node for TLS 1.3. */
class TlsFiles {
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
      description = "The authorities that vouch for the other end; PEM.")
  @Nullable Path authorities;

  /** Whether there are any. */
  boolean areGiven() {
    return certificate != null || key != null || authorities != null;
  }

  void check(String transport, OptionChecks checks) {
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
        "%s %s is not a readable file".formatted(option, file));
  }
}
