package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.transport.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of a transactor for TLS, and the workers that it admits. */
final class TransactorTlsFiles extends TlsFiles {
  @Option(names = "--insecure", description = "Listen beyond the loopback interface without TLS.")
  boolean insecure;

  @Option(
      names = "--tls-worker",
      paramLabel = "NAME",
      description =
          "A worker that may ship: a DNS name in its certificate, for which --tls-ca vouches;"
              + " may be repeated (default: any worker).")
  private List<String> tlsWorkers = new ArrayList<>();

  /** The options of a transactor; null without TLS. */
  @Nullable TlsOptions ofTransactor(String transport, OptionChecks checks) {
    Set<String> workers = Set.copyOf(tlsWorkers);
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
}
