package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.statistics.Medians;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.SizeOption;
import io.drayage.database.InitialTable;
import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.internal.Counted;
import io.drayage.store.StoreSnapshot;
import io.drayage.tables.TableException;
import io.drayage.worker.CommitReport;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage worker commit}. */
@Command(
    name = "commit",
    mixinStandardHelpOptions = true,
    description = {
      "Commits a cargo to the cluster, and waits until its snapshot is published and loaded.",
      ""
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage worker commit --zookeeper 127.0.0.1:2181 --store fs:data/store --count 3",
      "  drayage worker commit --zookeeper 127.0.0.1:2181 --store fs:data/store \\",
      "      --workers 4 --fragments 16"
    })
final class WorkerCommitCommand implements Callable<Integer> {
  @Mixin private WorkerOptionsGroup worker;

  @Option(
      names = "--cargo",
      paramLabel = "CARGO",
      defaultValue = "thesis",
      description =
          "thesis, tpch[:sf=N] or a cargo file; the database must have its tables, unless the file"
              + " adds them (cargo import --create). A file that was"
              + " made on a snapshot is committed on that one, any other on the newest"
              + " (default: ${DEFAULT-VALUE}).")
  private String cargo = "thesis";

  @Mixin private SizeOption size = new SizeOption();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of commits, each a separate transaction (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--ack",
      paramLabel = "LEVEL",
      defaultValue = "stored",
      description =
          "The state in which the transactor answers: applied, stored or published (default:"
              + " ${DEFAULT-VALUE}).")
  private Acknowledgement acknowledgement = Acknowledgement.STORED;

  @Option(
      names = "--on-conflict",
      paramLabel = "HANDLING",
      defaultValue = "reject",
      description =
          "If other transactions have changed the same values since: reject or overwrite"
              + " (default: ${DEFAULT-VALUE}).")
  private OnConflict onConflict = OnConflict.REJECT;

  @Option(
      names = "--load",
      paramLabel = "MODE",
      defaultValue = "own",
      description =
          "The source of the new snapshot: own, the cargo in memory, or store (default:"
              + " ${DEFAULT-VALUE}).")
  private LoadMode load = LoadMode.OWN;

  @ArgGroup(validate = false, heading = "%nOne transaction of several processes:%n")
  private TogetherOptions together = new TogetherOptions();

  @Mixin private JsonOption to = new JsonOption();

  @Mixin private WarmUpOption warmUp;

  @Spec private CommandSpec spec;

  private static final int MAX_NAMED_TABLES = 10;

  /** The content of {@code --json}. */
  private record Committed(int schema, List<CommitReport> commits) {}

  /** The content of {@code --json} for transactions of several processes. */
  private record CommittedTogether(int schema, List<TogetherCommit.Report> transactions) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(count >= 1, "--count must be at least 1, not " + count);
    to.validate(checks);
    together.validate(checks);
    CargoSource source = checks.valid(() -> CargoSources.parse(cargo, size.bytes(), 1));
    checks.require(
        count == 1 || source.baseSnapshot() == 0 || onConflict == OnConflict.OVERWRITE,
        format(
            "--count must be 1, not %d, for %s, which was made on snapshot %d: each further commit would conflict with the changes of the first; or add --on-conflict overwrite",
            count, cargo, source.baseSnapshot()));
    WorkerOptions options =
        worker.named().withLoad(load).withCommit(new CommitOptions(acknowledgement, onConflict));
    TogetherCommit divided = new TogetherCommit(source, together, options);
    Integer share = together.share;
    if (share != null) {
      TransactionHandle handle = FragmentProcesses.receiveHandle(System.in);
      return worker.send(
          cluster -> {
            divided.sendShare(share, handle, cluster, spec.commandLine().getOut());
            return 0;
          });
    }
    if (together.areGiven()) {
      return worker.run(
          options, null, (opened, cluster) -> commitTogether(divided, source, opened, cluster));
    }
    return worker.run(options, warmUp, opened -> commit(opened, source, options.commit()));
  }

  private int commit(Worker committing, CargoSource source, CommitOptions how)
      throws IOException, InterruptedException {
    requireRows(source, committing.snapshot());
    ChangeCargo changes = source.load();
    requireTables(
        source, changes.tables().stream().map(TableChanges::table), committing.snapshot());
    TypesTable types = addsTypesAlone(changes) ? TypesTable.of(changes) : TypesTable.NONE;
    boolean hasTypes = !TypesTable.NONE.saysAll(types);
    commitAll(
        () -> {
          long base = source.baseSnapshot();
          base = base == 0 ? committing.snapshot().timestamp() : base;
          // A cargo of an import has the types of its columns; a database keeps them once.
          boolean isSaid = hasTypes && said(committing.snapshot()).saysAll(types);
          ChangeCargo shipped = isSaid ? changes.without(TypesTable.NAME) : changes;
          return committing.commit(shipped.as(UUID.randomUUID(), base), how);
        },
        this::print,
        CommitReport::totalNs,
        reports -> new Committed(1, reports));
    return 0;
  }

  private interface OneCommit<R> {
    R run() throws IOException, InterruptedException;
  }

  /**
   * Commits as often as {@code --count} says, and prints a line for each commit. If a commit fails,
   * or a signal ends the process, the earlier commits are reported too.
   */
  private <R> void commitAll(
      OneCommit<R> commit,
      Consumer<R> print,
      ToDoubleFunction<R> totalNs,
      Function<List<R>, Object> json)
      throws IOException, InterruptedException {
    List<R> reports = new ArrayList<>();
    try (AtEnd end = new AtEnd(() -> report(reports, totalNs, json))) {
      for (int i = 0; i < count; i++) {
        R report = commit.run();
        end.unlessDone(
            () -> {
              reports.add(report);
              print.accept(report);
            });
      }
    }
  }

  private <R> void report(
      List<R> reports, ToDoubleFunction<R> totalNs, Function<List<R>, Object> json)
      throws IOException {
    double[] seconds = reports.stream().mapToDouble(totalNs).map(ns -> ns / 1e9).toArray();
    if (seconds.length > 1) {
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "%s: median %.3f s, slowest %.3f s%n",
              Counted.of(seconds.length, "commit"),
              Medians.of(seconds),
              Arrays.stream(seconds).max().getAsDouble());
    }
    if (to.json != null) {
      JsonFile.write(to.json, json.apply(reports));
    }
  }

  private int commitTogether(
      TogetherCommit divided, CargoSource source, Worker reader, WorkerOptionsGroup.Cluster cluster)
      throws IOException, InterruptedException {
    requireRows(source, reader.snapshot());
    requireTables(
        source,
        source.baseTables().stream().map(table -> table.schema().name()),
        reader.snapshot());
    CommandLine root = spec.root().commandLine();
    PrintWriter err = spec.commandLine().getErr();
    commitAll(
        () ->
            divided.commit(
                reader,
                cluster,
                divided.command(spec.root().userObject().getClass(), root.getParseResult()),
                err::println),
        report -> report.print(spec.commandLine().getOut()),
        TogetherCommit.Report::totalNs,
        reports -> new CommittedTogether(1, reports));
    return 0;
  }

  /**
   * Whether the cargo only adds types. The transactor decides on other changes of the table of
   * types, so they are not left out.
   */
  private static boolean addsTypesAlone(ChangeCargo changes) {
    return changes.tables().stream()
        .filter(table -> table.table().equals(TypesTable.NAME))
        .allMatch(
            table ->
                TypesTable.isTypes(table)
                    && table.updates().isEmpty()
                    && table.deletedRows() == null);
  }

  private static TypesTable said(StoreSnapshot snapshot) {
    return TypesTable.of(snapshot.liveRows((table, column) -> table.equals(TypesTable.NAME)));
  }

  /** Refuses a generated cargo if the database was not made for its size. */
  private void requireRows(CargoSource source, StoreSnapshot snapshot) throws TableException {
    if (!source.files().isEmpty()) {
      return;
    }
    Map<String, Long> has = new HashMap<>();
    snapshot.tables().forEach(table -> has.put(table.schema().name(), table.rowCount()));
    for (InitialTable made : source.baseTables()) {
      long rows = has.getOrDefault(made.schema().name(), made.rows());
      if (rows < made.rows()) {
        throw new TableException(
            "--cargo %s --size %s changes %s of table '%s', which has %s: give the --cargo and --size that the transactor was started with"
                .formatted(
                    cargo,
                    size.value(),
                    Counted.of(made.rows(), "row"),
                    made.schema().name(),
                    Counted.of(rows, "row")));
      }
    }
  }

  /** Checks the tables before the cargo is shipped. */
  private static void requireTables(
      CargoSource source, Stream<String> changed, StoreSnapshot snapshot) throws TableException {
    List<String> added = source.newTables().stream().map(TableSchema::name).toList();
    List<String> known =
        snapshot.tables().stream().map(table -> table.schema().name()).sorted().toList();
    for (String table : changed.toList()) {
      if (!known.contains(table) && !added.contains(table)) {
        throw new TableException(
            format(
                "table '%s' does not exist in snapshot %d, which has %s%s: a cargo adds it if it was made by cargo import --create",
                table,
                snapshot.timestamp(),
                known.subList(0, Math.min(MAX_NAMED_TABLES, known.size())),
                known.size() > MAX_NAMED_TABLES ? " and more" : ""));
      }
    }
  }

  private void print(CommitReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "snapshot %d: %s in %.3f s: request %.3f, serialize %.3f, drain %.3f, decode %.3f, commit %.3f, publish %.3f, load %.3f%s%n",
        report.timestamp(),
        Counted.of(report.send().wireBytes(), "byte"),
        report.totalNs() / 1e9,
        report.send().requestNs() / 1e9,
        report.send().serializeNs() / 1e9,
        report.send().drainNs() / 1e9,
        report.send().decodeNs() / 1e9,
        report.send().applyNs() / 1e9,
        report.publishNs() / 1e9,
        report.loadNs() / 1e9,
        report.attempts() > 1 ? ", sent " + Counted.of(report.attempts(), "time") : "");
  }
}
