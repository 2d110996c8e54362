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
      "Repairs a store with damaged or missing objects; by default it only shows the plan.",
      "",
      "Damaged objects are restored from a copy, if one is named. Otherwise the command keeps the"
          + " full snapshot whose log reaches furthest, cuts off the log after the damage, and"
          + " lists the lost commits. Nothing is destroyed: removed objects are moved to"
          + " quarantine/ in the store. End every node of the cluster first.",
      "It executes exactly the shown plan, or nothing: it reads everything again before the first"
          + " step.",
      "Exit code 1 if a problem was found and not repaired.",
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
          "Execute the plan with this name, if everything in the store is still as the plan was"
              + " made for; without a name, a new plan (default: only show the plan).")
  private @Nullable String yes;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (ObjectStore store = storeOption.open();
        ObjectStore copy =
            from == null
                ? null
                : ClusterOptions.openExisting("--from", from, new OptionChecks(spec))) {
      return repair(new SnapshotRepair(store, copy), store, out);
    }
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
