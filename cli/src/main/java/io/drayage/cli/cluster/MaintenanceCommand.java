package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage transactor maintenance}: lets the cluster refuse cargoes for a while. */
@Command(
    name = "maintenance",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Begins or ends the maintenance of a cluster, or shows whether it is in one.",
      "",
      "In maintenance, the primary refuses new cargoes with the reason, also after another node"
          + " becomes primary. Shipments in progress are committed. Readers and followers"
          + " continue.",
      ""
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage transactor maintenance on --reason \"the store moves\" --zookeeper 127.0.0.1:2181",
      "  drayage transactor maintenance off --zookeeper 127.0.0.1:2181"
    })
final class MaintenanceCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "on|off",
      arity = "0..1",
      description = "The new state (default: show the current one).")
  private @Nullable Switch wanted;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "The reason that workers see; required with on.")
  private @Nullable String reason;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec private CommandSpec spec;

  private enum Switch {
    ON,
    OFF
  }

  @Override
  public Integer call() throws IOException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        (wanted == Switch.ON) == (reason != null), "on needs --reason TEXT, off has none");
    Maintenance now;
    try (Coordination coordination = cluster.connectToCluster(checks)) {
      if (wanted == null) {
        now = coordination.maintenance();
      } else {
        String why = reason == null ? "maintenance has ended" : reason;
        Maintenance unused = checks.valid(() -> Maintenance.NEVER.next(true, why));
        now = coordination.maintain(wanted == Switch.ON, why);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(describe(now));
    return 0;
  }

  /** Describes the maintenance in a line. */
  static String describe(Maintenance maintenance) {
    return maintenance.change() == 0 ? "in service" : maintenance.toString();
  }
}
