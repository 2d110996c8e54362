package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of a worker for TLS, and the name of its transactors. */
final class WorkerTlsFiles extends TlsFiles {
  @Option(
      names = "--tls-name",
      paramLabel = "NAME",
      description = "The name in the transactors' certificates (default: the host of each).")
  private @Nullable String name;

  /** The options of a worker; null without TLS. */
  @Nullable TlsOptions ofWorker(String transport, OptionChecks checks) {
    if (!areGiven() && name == null) {
      return null;
    }
    check(transport, checks);
    TlsOptions client = TlsOptions.ofClient(authorities);
    if (name != null) {
      client = client.withPeerName(name);
    }
    return certificate == null || key == null ? client : client.withIdentity(certificate, key);
  }
}
