package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.changes.ChangeTarget;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.output.ReaderWatch;
import io.drayage.cli.output.StandardOutput;
import io.drayage.internal.Counted;
import io.drayage.store.StoreSnapshot;
import io.drayage.tables.TableEngine;
import io.drayage.worker.CommittedChange;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage worker follow}. */
@Command(
    name = "follow",
    mixinStandardHelpOptions = true,
    description = {
      "Loads every published snapshot, and prints a line for each; or with --changes each changed"
          + " row.",
      ""
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage worker follow --zookeeper 127.0.0.1:2181 --store fs:data/store \\",
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
          "Write each changed row: jsonl, a line for each row, between lines that begin and end a"
              + " commit; or arrow, an Arrow IPC stream of the rows of --table.")
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
      description = "With --changes: write only the rows of this table.")
  private @Nullable String table;

  @Option(
      names = "--before",
      description = "With --changes: also write the values before the change.")
  private boolean before;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "With --changes: append to this file, synced commit by commit; after a restart, continue"
              + " at the end of the file (default: standard output).")
  private @Nullable Path out;

  @Spec private CommandSpec spec;

  private enum Format {
    JSONL,
    ARROW
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (changes != null) {
      return followChanges(changes);
    }
    new OptionChecks(spec)
        .require(
            from == null && table == null && !before && out == null,
            "--from, --table, --before and --out are for --changes");
    return followSnapshots();
  }

  private int followSnapshots() throws IOException, InterruptedException {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    AtomicLong printed = new AtomicLong(-1);
    return group.run(
        group.named(),
        worker -> {
          try (ReaderWatch reader = new ReaderWatch()) {
            worker.addListener(snapshot -> show(snapshot, printed, reached));
            show(worker.snapshot(), printed, reached);
            CompletableFuture.anyOf(reached, reader.gone()).join();
            reader.check();
            return 0;
          } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException output) {
              throw output.getCause();
            }
            throw e;
          }
        });
  }

  /** Shows a snapshot on the worker's thread, whose loading must survive a failed output. */
  private void show(StoreSnapshot snapshot, AtomicLong printed, CompletableFuture<Void> reached) {
    try {
      print(snapshot, printed);
    } catch (UncheckedIOException e) {
      reached.completeExceptionally(e);
    }
    if (until != null && snapshot.timestamp() >= until) {
      reached.complete(null);
    }
  }

  private void print(StoreSnapshot snapshot, AtomicLong printed) {
    long last = printed.getAndAccumulate(snapshot.timestamp(), Math::max);
    if (last < snapshot.timestamp()) {
      String rows =
          snapshot.tables().stream()
              .map(table -> table.schema().name() + " " + Counted.of(table.liveRowCount(), "row"))
              .collect(Collectors.joining(", "));
      PrintWriter lines = spec.commandLine().getOut();
      lines.printf(Locale.ROOT, "snapshot %d: %s%n", snapshot.timestamp(), rows);
    }
  }

  private int followChanges(Format format) throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    try (ChangeTarget target = target(format);
        ReaderWatch reader = out == null ? new ReaderWatch() : null) {
      long position = target.position();
      checks.require(
          position < 0 || from == null || from == position,
          format("--from %d: %s ends with snapshot %d", from, out, position));
      return group.feed(
          position < 0 ? from : Long.valueOf(position),
          feed -> {
            if (table != null) {
              checks.valid(() -> feed.snapshot().table(table));
            }
            target.begin(feed.database(), feed.snapshot());
            while (until == null || feed.position() < until) {
              CommittedChange change = feed.next(POLL);
              if (reader != null) {
                reader.check();
              }
              if (change != null) {
                target.write(change);
              }
            }
            target.end();
            return 0;
          });
    }
  }

  private ChangeTarget target(Format format) throws IOException {
    if (format == Format.JSONL) {
      return ChangeTarget.lines(table, before, out, spec.commandLine().getOut());
    }
    String only = table;
    if (only == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--changes arrow: a stream has the columns of one table, name it with --table");
    }
    return TableEngine.installed().changes(only, before, out, StandardOutput.stream());
  }
}
