package io.drayage.cli.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.cluster.SqlStatements;
import io.drayage.internal.Counted;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.replica.SnapshotReplay;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.tables.ExportException;
import io.drayage.tables.FileFormat;
import io.drayage.tables.SqlSession;
import io.drayage.tables.SqlSource;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot}. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    description =
        "Lists, shows, verifies, copies, restores and repairs the snapshots in an object store, exports one, or runs SQL over it.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SnapshotCopyCommand.class,
      SnapshotRestoreCommand.class,
      SnapshotRepairCommand.class
    },
    footer = {
      "",
      "Examples, with the store of 'drayage transactor --data data':",
      "  drayage snapshot list --store fs:data/store"
    })
public final class SnapshotCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing: name one of list, show, verify, copy, restore, repair, export, sql");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Lists the full snapshots and the log of commits in an object store.",
        "Exit code 1 if a manifest is damaged; the other snapshots are listed."
      },
      footer = {
        "",
        "Examples, with the store of 'drayage transactor --data data':",
        "  drayage snapshot list --store fs:data/store"
      })
  int list(@Mixin StoreOption storeOption) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<String> damaged = new ArrayList<>();
    try (ObjectStore store = storeOption.open()) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      catalog.requireSnapshots();
      List<SnapshotManifest> fulls = new ArrayList<>();
      for (long timestamp : catalog.fullTimestamps()) {
        add(fulls, catalog, SnapshotKeys.Place.full(timestamp), damaged);
      }
      List<SnapshotManifest> log = new ArrayList<>();
      for (long timestamp : catalog.logObjects()) {
        add(log, catalog, SnapshotKeys.Place.entry(timestamp), damaged);
      }
      List<SnapshotManifest> manifests = new ArrayList<>(fulls);
      manifests.addAll(log);
      SnapshotText.table(manifests).toText().forEach(out::println);
      damaged.forEach(error -> out.println("WRONG  " + error));
      String databases =
          manifests.stream()
              .map(manifest -> manifest.database().toString())
              .distinct()
              .collect(Collectors.joining(", "));
      out.printf(
          "%s: database %s, %s, %s of the log%n",
          store.name(),
          databases,
          Counted.of(fulls.size(), "full snapshot"),
          Counted.of(log.size(), "entry"));
    }
    return damaged.isEmpty() ? 0 : 1;
  }

  private static void add(
      List<SnapshotManifest> manifests,
      SnapshotCatalog catalog,
      SnapshotKeys.Place object,
      List<String> damaged)
      throws IOException {
    try {
      catalog.read(object).forEach(entry -> manifests.add(entry.manifest()));
    } catch (ObjectCorruptException e) {
      damaged.add(e.getMessage());
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Shows one snapshot of an object store.",
      footer = {
        "",
        "Examples, with the store of 'drayage transactor --data data':",
        "  drayage snapshot show 2 --store fs:data/store"
      })
  int show(
      @Mixin StoreOption storeOption,
      @Parameters(
              paramLabel = "SNAPSHOT",
              arity = "0..1",
              description = "Its timestamp (default: the newest).")
          @Nullable Long timestamp,
      @Option(
              names = "--full",
              description = "The full snapshot of that timestamp, not the commit.")
          boolean full)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (ObjectStore store = storeOption.open()) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      catalog.requireSnapshots();
      NavigableSet<Long> log = catalog.logObjects();
      boolean wantsFull = full || (timestamp == null && log.isEmpty());
      NavigableSet<Long> known = wantsFull ? new TreeSet<>(catalog.fullTimestamps()) : log;
      if (known.isEmpty()) {
        throw storeOption.usageError("%s: there is no such snapshot".formatted(store.name()));
      }
      if (timestamp == null) {
        List<SnapshotEntry> last = catalog.read(new SnapshotKeys.Place(!wantsFull, known.last()));
        SnapshotText.print(out, last.get(last.size() - 1));
      } else {
        SnapshotText.print(out, wantsFull ? catalog.full(timestamp) : catalog.entry(timestamp));
      }
    }
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Reads every snapshot of an object store, compares it with its checksums, and decodes it.",
        "Exit code 1 if a snapshot is wrong or missing, or there is none."
      },
      footer = {
        "",
        "Examples, with the store of 'drayage transactor --data data':",
        "  drayage snapshot verify --store fs:data/store",
        "  drayage snapshot verify --replay --store fs:data/store"
      })
  int verify(
      @Mixin StoreOption storeOption,
      @Option(
              names = "--replay",
              description =
                  "Also apply the log in memory. Compare its changes with the applied ones, and its"
                      + " result with later full snapshots.")
          boolean replay,
      @Option(
              names = "--from",
              paramLabel = "N",
              description = "With --replay: the full snapshot to begin with (default: the oldest).")
          @Nullable Long from)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (from != null && !replay) {
      throw storeOption.usageError(format("--from %d has no effect without --replay", from));
    }
    AtomicInteger count = new AtomicInteger();
    AtomicLong bytes = new AtomicLong();
    int wrong;
    long beganNs = System.nanoTime();
    try (ObjectStore store = storeOption.open()) {
      wrong =
          new SnapshotVerifier(new SnapshotCatalog(store))
              .verify(
                  finding -> {
                    count.incrementAndGet();
                    bytes.addAndGet(dataBytes(finding));
                    print(out, finding.name(), finding.error());
                  });
      double seconds = (System.nanoTime() - beganNs) / 1e9;
      out.printf(
          Locale.ROOT,
          "%s of data decoded in %.1f s, %,.0f MB/s%n",
          Counted.of(bytes.get(), "byte"),
          seconds,
          bytes.get() / 1e6 / seconds);
      if (replay) {
        wrong += replay(store, from == null ? OptionalLong.empty() : OptionalLong.of(from), out);
      }
    }
    out.println(
        wrong == 0
            ? "ok: " + Counted.of(count.get(), "snapshot")
            : format("FAILED: %,d of %s", wrong, Counted.of(count.get(), "snapshot")));
    return wrong == 0 ? 0 : 1;
  }

  private static long dataBytes(SnapshotVerifier.CheckedManifest finding) {
    SnapshotEntry entry = finding.entry();
    return entry == null ? 0 : entry.manifest().dataBytes();
  }

  /** Returns the number of wrong entries. */
  private static int replay(ObjectStore store, OptionalLong from, PrintWriter out)
      throws IOException {
    SnapshotReplay replay =
        new SnapshotReplay(
            store, Runtime.getRuntime().availableProcessors(), AllowedCodecs.INSTALLED);
    SnapshotReplay.Result result =
        replay.run(from, finding -> print(out, "replayed " + finding.key(), finding.error()));
    out.printf(
        Locale.ROOT,
        "full snapshot %d and the log up to snapshot %d applied, %s compared, %,d wrong%n",
        result.from(),
        result.reached(),
        Counted.of(result.fulls(), "full snapshot"),
        result.wrong());
    return result.wrong();
  }

  private static void print(PrintWriter out, String what, @Nullable String error) {
    out.printf("%s  %s%n", error == null ? "ok   " : "WRONG", what);
    if (error != null) {
      out.println("       " + error);
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Writes the rows of a snapshot into a file for each table, as NAME.parquet, .arrow or .csv.",
        "Imported columns have their original types.",
        "Exit code 1 if a table cannot be written; the other tables are written."
      },
      footer = {
        "",
        "Examples, with the store of 'drayage transactor --data data':",
        "  drayage snapshot export --store fs:data/store --out tables",
        "  drayage snapshot export sales_plan --store fs:data/store --out tables"
      })
  int export(
      @Mixin SnapshotReading reading,
      @Parameters(paramLabel = "TABLE", description = "The tables to write (default: all).")
          @Nullable List<String> tables,
      @Option(
              names = "--format",
              paramLabel = "FORMAT",
              defaultValue = "parquet",
              description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
          FileFormat format,
      @Option(
              names = "--out",
              paramLabel = "DIR",
              required = true,
              description = "The folder, which is created if it does not exist.")
          Path folder)
      throws IOException {
    reading.checks().requireFolder("--out", folder);
    PrintWriter out = spec.commandLine().getOut();
    TableEngine engine = TableEngine.installed();
    AtomicInteger code = new AtomicInteger();
    reading.read(
        columns -> {
          List<String> named = tables == null ? List.of() : tables;
          for (String table : named) {
            if (!columns.tables().containsKey(table) || table.equals(TypesTable.NAME)) {
              throw new TableException(
                  "there is no table '%s' in snapshot %s, only %s"
                      .formatted(table, columns.timestamp(), exported(columns)));
            }
          }
          ChangeCargo rows =
              columns.read(
                  (table, column) ->
                      named.isEmpty() || named.contains(table) || table.equals(TypesTable.NAME));
          Files.createDirectories(folder);
          List<Path> files;
          try {
            files = engine.export(rows, format, folder);
          } catch (ExportException e) {
            files = e.written();
            e.failures()
                .forEach(
                    failure ->
                        spec.commandLine().getErr().println("drayage: " + failure.getMessage()));
            code.set(1);
          }
          for (Path file : files) {
            out.printf("%s: %s%n", file, Counted.of(Files.size(file), "byte"));
          }
          if (named.isEmpty()) {
            out.printf(
                Locale.ROOT,
                "snapshot %d: %s, digest of the rows %s%n",
                columns.timestamp(),
                Counted.of(rows.tables().size(), "table"),
                CargoDigest.toHex(CargoDigest.of(rows)));
          }
        });
    return code.get();
  }

  private static String exported(SnapshotColumns columns) {
    return columns.tables().keySet().stream()
        .filter(table -> !table.equals(TypesTable.NAME))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Runs SQL of DuckDB over the tables of a snapshot.",
        "The columns that a statement names are read, and kept in memory for later statements."
      },
      footer = {
        "",
        "Examples, with the store of 'drayage transactor --data data':",
        "  drayage snapshot sql --store fs:data/store \"SELECT count(*) FROM sales_plan\"",
        "  drayage snapshot sql --store fs:data/store <statements.sql"
      })
  int sql(@Mixin SnapshotReading reading, @Mixin SqlStatements statements) throws IOException {
    TableEngine engine = TableEngine.installed();
    AtomicInteger code = new AtomicInteger();
    reading.read(
        columns -> {
          try (SqlSession session =
              engine.session(new StoredSource(columns), statements.allowFiles())) {
            code.set(statements.run(engine, session::run));
          }
        });
    return code.get();
  }

  /** A snapshot in a store. */
  private record StoredSource(SnapshotColumns columns) implements SqlSource {
    @Override
    public Map<String, List<ColumnSchema>> tables() {
      return columns.tables();
    }

    @Override
    public ChangeCargo read(BiPredicate<String, String> wanted) throws IOException {
      return columns.read(wanted);
    }
  }
}
