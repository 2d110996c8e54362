package io.drayage.cli.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cli.cluster.ClusterOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Counted;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.recovery.SnapshotRepair;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot repair}. */
@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Repairs a store of which objects are damaged or missing; shows first what it would do.",
      "",
      "What is damaged is taken from a copy, if one is named. Else the full snapshot is kept from"
          + " which the log leads furthest; the log after that is cut off, and what is lost is"
          + " named. Nothing is destroyed: what goes is moved to quarantine/ in the store. End every"
          + " node of the cluster first.",
      "It does what it shows or nothing: before the first step all is read again.",
      "Exit code 1 if something is wrong and was not repaired.",
      ""
    },
    footer = {
      "",
      "Examples, with a damaged store and a copy of it:",
      "  drayage snapshot repair --store fs:data/store --from fs:backup",
      "  drayage snapshot repair --store fs:data/store --from fs:backup --yes=1a2b3c4d"
    })
final class SnapshotRepairCommand implements Callable<Integer> {
  @Mixin private StoreOption storeOption;

  @Option(
      names = "--from",
      paramLabel = "STORE",
      description = "A copy of the database, made by snapshot copy (default: none).")
  private @Nullable String from;

  @Option(
      names = "--yes",
      paramLabel = "PLAN",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Do it, if everything is read as it was when the plan of this name was shown; without a"
              + " name, what is found now (default: show what would be done).")
  private @Nullable String yes;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    int status;
    try (ObjectStore store = storeOption.open();
        ObjectStore copy =
            from == null
                ? null
                : ClusterOptions.openExisting("--from", from, new OptionChecks(spec))) {
      status = repair(new SnapshotRepair(store, copy), store, out);
    }
    return status;
  }

  private int repair(SnapshotRepair repair, ObjectStore store, PrintWriter out) throws IOException {
    SnapshotRepair.Plan plan = repair.plan();
    for (SnapshotRepair.Step step : plan.steps()) {
      out.printf(
          "%-10s %s%n           %s%n",
          step.action().name().toLowerCase(Locale.ROOT), step.key(), step.why());
    }
    plan.losses().forEach(loss -> out.println("lost       " + loss));
    String left =
        format(
            "%s: full snapshot %d and the log up to snapshot %d",
            store.name(), plan.full(), plan.reached());
    if (plan.steps().isEmpty()) {
      out.printf("%s: nothing is wrong%n", left);
      return 0;
    }
    if (yes == null || yes.equals("false")) {
      out.printf(
          "%s would be left, %s lost: end every node, then repeat it with --yes=%s%n",
          left, Counted.of(plan.losses().size(), "snapshot"), plan.id());
      return 1;
    }
    if (!yes.equals("true") && !yes.equals(plan.id())) {
      throw new SnapshotException(
          "nothing was done: plan %s is not what is found now, which is plan %s"
              .formatted(yes, plan.id()));
    }
    repair.apply(plan);
    int wrong = new SnapshotVerifier(new SnapshotCatalog(store)).verify(finding -> {});
    out.printf(
        Locale.ROOT,
        "%s are left, %s lost, %,d wrong; what was moved is in %s%n",
        left,
        Counted.of(plan.losses().size(), "snapshot"),
        wrong,
        repair.quarantine());
    if (!plan.losses().isEmpty()) {
      out.println(
          "ZooKeeper may have published what is lost: start the transactors with another /ROOT");
    }
    return wrong == 0 ? 0 : 1;
  }
}
