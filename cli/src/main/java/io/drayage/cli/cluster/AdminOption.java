package io.drayage.cli.cluster;

import io.drayage.admin.AdminEndpoint;
import io.drayage.admin.NodeMeters;
import io.drayage.admin.NodeReport;
import io.drayage.cli.options.AddressConverter;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.objectstore.ObjectStore;
import io.drayage.transport.HostPort;
import io.drayage.transport.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The address at which a node can be watched. */
final class AdminOption {
  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      converter = AddressConverter.class,
      description = {
        "Serve a page with the node's state, /status, /livez, /readyz, /metrics, /threads and"
            + " /shipments at this address, by HTTP or with --tls-cert by HTTPS; port 0 is any",
        "  (default: nowhere)."
      })
  private @Nullable InetSocketAddress address;

  /** Refuses an address beyond the loopback interface without TLS. */
  void check(TlsOptions.@Nullable Identity tls, boolean insecure, OptionChecks checks)
      throws IOException {
    if (tls != null) {
      checks.requireSecret("--tls-key", tls.privateKey());
    }
    if (address == null) {
      return;
    }
    InetAddress host = address.getAddress();
    String given = HostPort.text(address);
    checks.require(host != null, "--admin %s: this host is unknown".formatted(given));
    checks.require(
        tls != null || insecure || (host != null && host.isLoopbackAddress()),
        "--admin %s is beyond the loopback interface: secure it with --tls-cert and --tls-key, or use 127.0.0.1"
            .formatted(given));
  }

  /** Starts the endpoint; null without the option. */
  @Nullable AdminEndpoint start(
      TlsOptions.@Nullable Identity tls,
      ObjectStore objects,
      Coordination coordination,
      NodeMeters meters,
      Supplier<NodeReport> node)
      throws IOException {
    if (address == null) {
      return null;
    }
    try {
      return AdminEndpoint.start(address, tls, objects, coordination, meters, node);
    } catch (IOException e) {
      throw new IOException("--admin: " + e.getMessage(), e);
    }
  }

  /** Describes an endpoint in a line; the text is empty without an endpoint. */
  static String describe(@Nullable AdminEndpoint endpoint) {
    return endpoint == null ? "" : "watch it at %s%n".formatted(endpoint.uri());
  }
}
