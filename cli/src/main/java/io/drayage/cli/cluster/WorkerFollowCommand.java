package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.store.StoreSnapshot;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage worker follow}. */
@Command(
    name = "follow",
    mixinStandardHelpOptions = true,
    description = {
      "Loads every snapshot that is published, and prints a line for each; or with --changes each"
          + " row that was changed.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  drayage worker follow --zookeeper 127.0.0.1:2181 --store fs:/var/lib/drayage/t1/store \\",
      "      --changes jsonl --out changes.jsonl"
    })
final class WorkerFollowCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(200);

  @Mixin private WorkerOptionsGroup group;

  @Option(
      names = "--until",
      paramLabel = "TIMESTAMP",
      description = "End when this snapshot is loaded (default: never).")
  private @Nullable Long until;

  @Option(
      names = "--changes",
      paramLabel = "FORMAT",
      description =
          "Write each changed row: jsonl, a line a row, between lines that begin and end a commit.")
  private @Nullable Format changes;

  @Option(
      names = "--from",
      paramLabel = "SNAPSHOT",
      description =
          "With --changes: begin after this snapshot (default: after the last commit in --out, else"
              + " after the newest).")
  private @Nullable Long from;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "With --changes: write the rows of this table alone.")
  private @Nullable String table;

  @Option(
      names = "--before",
      description = "With --changes: also write the values before the change.")
  private boolean before;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "With --changes: append there, synced commit by commit; started again, it goes on where"
              + " the file ends (default: standard output).")
  private @Nullable Path out;

  @Spec private CommandSpec spec;

  private enum Format {
    JSONL
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (changes != null) {
      return followChanges();
    }
    new OptionChecks(spec)
        .require(
            from == null && table == null && !before && out == null,
            "--from, --table, --before and --out are for --changes");
    return followSnapshots();
  }

  private int followSnapshots() throws IOException, InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicLong printed = new AtomicLong(-1);
    return group.run(
        new WorkerOptions(group.name),
        worker -> {
          worker.addListener(snapshot -> show(snapshot, printed, reached));
          show(worker.snapshot(), printed, reached);
          reached.await();
          return 0;
        });
  }

  private void show(StoreSnapshot snapshot, AtomicLong printed, CountDownLatch reached) {
    long last = printed.getAndAccumulate(snapshot.timestamp(), Math::max);
    if (last < snapshot.timestamp()) {
      String rows =
          snapshot.tables().stream()
              .map(table -> "%s %,d rows".formatted(table.schema().name(), table.liveRowCount()))
              .collect(Collectors.joining(", "));
      PrintWriter lines = spec.commandLine().getOut();
      lines.printf("snapshot %d: %s%n", snapshot.timestamp(), rows);
      lines.flush();
    }
    if (until != null && snapshot.timestamp() >= until) {
      reached.countDown();
    }
  }

  private int followChanges() throws IOException, InterruptedException {
    if (out == null) {
      PrintWriter lines = spec.commandLine().getOut();
      return follow(true, from, lines, () -> requireWritten(lines));
    }
    try (ChangeFile file = ChangeFile.open(out)) {
      boolean isEmpty = file.position() < 0;
      new OptionChecks(spec)
          .require(
              isEmpty || from == null || from == file.position(),
              "--from %d: %s ends with snapshot %d".formatted(from, out, file.position()));
      return follow(
          isEmpty, isEmpty ? from : Long.valueOf(file.position()), file.writer(), file::sync);
    }
  }

  /** Makes what was written safe. */
  @FunctionalInterface
  private interface Confirm {
    void confirm() throws IOException;
  }

  /** A reader that has gone, such as head, is no reason to go on. */
  private static void requireWritten(PrintWriter lines) throws IOException {
    if (lines.checkError()) {
      throw new IOException("nobody reads the changes any more");
    }
  }

  private int follow(boolean isStart, @Nullable Long after, Writer to, Confirm confirm)
      throws IOException, InterruptedException {
    return group.feed(
        after,
        feed -> {
          if (table != null) {
            new OptionChecks(spec).valid(() -> feed.snapshot().table(table));
          }
          if (isStart) {
            ChangeLines.start(feed.position(), to);
            confirm.confirm();
          }
          ChangeLines lines = new ChangeLines(table, before);
          while (until == null || feed.position() < until) {
            CommittedChange change = feed.next(POLL);
            if (change != null) {
              lines.write(change, to);
              confirm.confirm();
            }
          }
          return 0;
        });
  }
}
