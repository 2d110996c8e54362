package io.drayage.cli.cluster;

import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotFinding;
import io.drayage.snapshot.SnapshotVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads every snapshot of an object store, and compares it with its checksums.",
      "Exit code 1 if one of them is wrong or missing."
    },
    footer = {"", "Example:", "  drayage snapshot verify --store fs:data/store"})
final class SnapshotVerifyCommand implements Callable<Integer> {
  @Mixin private StoreOption storeOption = new StoreOption();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    AtomicInteger count = new AtomicInteger();
    int wrong;
    try (ObjectStore store = storeOption.open()) {
      wrong =
          new SnapshotVerifier(new SnapshotCatalog(store))
              .verify(
                  finding -> {
                    count.incrementAndGet();
                    print(out, finding);
                  });
    }
    if (wrong == 0) {
      out.printf("ok: %,d snapshots%n", count.get());
    } else {
      out.printf("FAILED: %,d of %,d snapshots%n", wrong, count.get());
    }
    out.flush();
    return wrong == 0 ? 0 : 1;
  }

  private static void print(PrintWriter out, SnapshotFinding finding) {
    out.printf("%s  %s%n", finding.isOk() ? "ok   " : "WRONG", finding.key());
    if (!finding.isOk()) {
      out.println("       " + finding.error());
    }
    out.flush();
  }
}
