package io.drayage.cli.admin;

import io.drayage.cli.options.AddressConverter;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.objectstore.ObjectStore;
import io.drayage.transport.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and where a node has an endpoint. */
public final class AdminOption {
  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      converter = AddressConverter.class,
      description =
          "Answer /livez, /readyz, /metrics, /threads and /shipments there: by HTTPS with --tls-cert,"
              + " else by HTTP; port 0: any (default: nowhere).")
  private @Nullable InetSocketAddress address;

  /**
   * Requires that only this machine reaches it, or that it has TLS.
   *
   * @param instead what else the user may do, to end the message with
   */
  public void requireSafe(boolean safe, String instead, OptionChecks checks) {
    if (address == null) {
      return;
    }
    InetAddress host = address.getAddress();
    if (host == null) {
      throw checks.usageError("--admin %s: this host is unknown".formatted(address));
    }
    checks.require(
        safe || host.isLoopbackAddress(),
        "--admin %s:%d is beyond the loopback interface: secure it with --tls-cert and --tls-key%s"
            .formatted(address.getHostString(), address.getPort(), instead));
  }

  /**
   * Starts the endpoint.
   *
   * @param tls the node's; null without
   * @return null if there is to be none
   */
  public @Nullable NodeAdmin start(
      @Nullable TlsOptions tls, String name, ObjectStore objects, Coordination coordination)
      throws IOException {
    return address == null
        ? null
        : new NodeAdmin(address, tls == null ? null : tls.identity(), name, objects, coordination);
  }
}
