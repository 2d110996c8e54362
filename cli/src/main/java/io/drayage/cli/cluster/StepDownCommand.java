package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.Registration;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage transactor step-down}: another transactor becomes primary. */
@Command(
    name = "step-down",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes the primary hand over to another transactor.",
      "",
      "It accepts no more cargoes, stores and publishes what is applied, and goes on as a standby."
          + " Workers ship what was under way again: no commit fails.",
      ""
    },
    footer = {
      "",
      "Example: drayage transactor step-down --zookeeper 127.0.0.1:2181 --to transactor-7071"
    })
final class StepDownCommand implements Callable<Integer> {
  private static final long PATIENCE_S = 60;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--to",
      paramLabel = "NAME",
      description = "The transactor that is to be primary (default: whichever is next).")
  private @Nullable String to;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    BlockingQueue<PrimaryInfo> elected = new LinkedBlockingQueue<>();
    try (Coordination coordination = cluster.connect(checks)) {
      Registration unused = coordination.watchPrimary(elected::add);
      List<String> nodes =
          coordination.liveNodes().stream()
              .filter(NodeInfo::acceptsConnections)
              .map(NodeInfo::name)
              .toList();
      checks.require(
          to == null || nodes.contains(to),
          "--to %s: no such transactor is there, only %s".formatted(to, nodes));
      PrimaryInfo primary = next(elected, 0);
      checks.require(
          primary.node().name().equals(to) || nodes.size() > 1,
          "no other transactor is there: only %s".formatted(nodes));
      // Who hands over is the last in turn: everybody's turn comes.
      for (int turn = 0; turn < nodes.size() && !isWanted(primary, turn); turn++) {
        coordination.requestHandOver(primary.epoch());
        PrimaryInfo after = next(elected, primary.epoch());
        tell(
            String.format(
                Locale.ROOT,
                "%s hands over: %s is elected, epoch %d%n",
                primary.node().name(),
                after.node().name(),
                after.epoch()));
        primary = after;
      }
      boolean done = to == null || primary.node().name().equals(to);
      tell(
          done
              ? "%s is primary%n".formatted(primary.node().name())
              : "%s is primary, and %s does not stand for election%n"
                  .formatted(primary.node().name(), to));
      return done ? 0 : 1;
    }
  }

  private boolean isWanted(PrimaryInfo primary, int turn) {
    return to == null ? turn > 0 : primary.node().name().equals(to);
  }

  private void tell(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(line);
    out.flush();
  }

  /** The next primary of a later epoch. */
  private static PrimaryInfo next(BlockingQueue<PrimaryInfo> elected, long epoch)
      throws IOException, InterruptedException {
    while (true) {
      PrimaryInfo found = elected.poll(PATIENCE_S, TimeUnit.SECONDS);
      if (found == null) {
        throw new IOException(
            epoch == 0
                ? "no transactor was ever elected"
                : String.format(
                    Locale.ROOT, "nobody took over from epoch %d within %d s", epoch, PATIENCE_S));
      }
      if (found.epoch() > epoch) {
        return found;
      }
    }
  }
}
