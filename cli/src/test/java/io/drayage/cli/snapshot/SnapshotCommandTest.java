package io.drayage.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cli.CommandFixture;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SnapshotCommandTest extends CommandFixture {
  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");
  private static final UUID DATABASE = new UUID(5, 6);

  private Path store;

  /** A full snapshot 0 and three takeovers. */
  @BeforeEach
  void fill() throws Exception {
    store = folder.resolve("store");
    fill(store, DATABASE);
  }

  private static void fill(Path folder, UUID database) throws Exception {
    ChangeCargo rows =
        ChangeCargo.builder(new UUID(1, 2), 0)
            .table("sales", sales -> sales.insert("price", ColumnValues.of(new int[][] {{1, 2}})))
            .build();
    try (ObjectStore store = FolderStore.open(folder)) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("lz4"))
          .write(rows, new LogPosition(database, 0, 0), null, 1, KnownTransactions.NONE);
      LogPosition last = new LogPosition(database, 0, 0);
      for (int timestamp = 1; timestamp <= 3; timestamp++) {
        last =
            catalog
                .append(SnapshotManifest.entry(new SnapshotKind.Takeover(new UUID(3, 3)), last, timestamp, CREATED))
                .position();
      }
    }
  }

  private int snapshot(String... args) {
    List<String> all = new ArrayList<>(List.of("snapshot"));
    all.addAll(List.of(args));
    all.addAll(List.of("--store", "fs:" + store));
    return run(all.toArray(String[]::new));
  }

  @Test
  void listsWhatIsThere() {
    assertThat(snapshot("list")).isZero();
    assertThat(out.toString().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("0 ") && line.contains("raw+lz4, segments"))
        .anyMatch(line -> line.startsWith("3 ") && line.contains("takeover"))
        .anyMatch(
            line ->
                line.endsWith(
                    "database %s, 1 full snapshot, 3 entries of the log".formatted(DATABASE)));
  }

  @Test
  void pointsToTheHelpOfTheCommandThatWasUsedWrongly() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    for (String[] wrong :
        List.of(
            new String[] {"export", "--out=" + file, "--store=fs:" + store},
            new String[] {"show", "--store=nothing:x"},
            new String[] {"verify", "--from=1", "--store=fs:" + store})) {
      List<String> all = new ArrayList<>(List.of("snapshot"));
      all.addAll(List.of(wrong));
      assertThat(run(all.toArray(String[]::new))).isEqualTo(2);
      assertThat(err.toString().lines().reduce((before, last) -> last).orElse(""))
          .endsWith(" (see 'drayage snapshot %s --help')".formatted(wrong[0]));
    }
  }

  @Test
  void listsPastADamagedManifest() throws Exception {
    Files.writeString(store.resolve("snapshots/00000000000000000002.commit"), "nothing");

    assertThat(snapshot("list")).isOne();
    assertThat(out.toString().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("3 ") && line.contains("takeover"))
        .anyMatch(line -> line.startsWith("WRONG") && line.contains("00000000000000000002.commit"));
  }

  @Test
  void showsTheNewestOrTheOneAskedFor() {
    assertThat(snapshot("show")).isZero();
    assertThat(out.toString()).contains("snapshot     3").contains("made on      snapshot 2 with");
    assertThat(snapshot("show", "0", "--full")).isZero();
    assertThat(out.toString()).contains("state of     snapshot 0").contains("history      data/");
    assertThat(snapshot("show", "9")).isOne();
    assertThat(err.toString()).contains("snapshots/00000000000000000009.commit: no such object");
  }

  @Test
  void verifiesAndNamesWhatIsWrong() throws Exception {
    assertThat(snapshot("verify")).isZero();
    assertThat(out.toString()).endsWith("ok: 4 snapshots%n".formatted());

    Path manifest = store.resolve("snapshots/00000000000000000002.commit");
    Files.writeString(manifest, Files.readString(manifest).replace("epoch 2", "epoch 3"));
    assertThat(snapshot("verify")).isOne();
    assertThat(out.toString())
        .contains("WRONG  snapshots/00000000000000000002.commit")
        .contains("corrupt: its checksum is")
        .endsWith("FAILED: 1 of 4 snapshots%n".formatted());
  }

  @Test
  void replaysTheLog() throws Exception {
    assertThat(snapshot("verify", "--replay")).isOne();
    assertThat(err.toString()).contains("00000000000000000000.full is no database");

    store = folder.resolve("database");
    MemoryStore empty = new MemoryStore();
    empty.createTable(TableSchema.of("t", ColumnSchema.of("a", ColumnType.INT)), 3);
    try (ObjectStore objects = FolderStore.open(store)) {
      SnapshotCatalog catalog = new SnapshotCatalog(objects);
      LogPosition first = new LogPosition(DATABASE, 0, 0);
      new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("lz4"))
          .write(FullContents.toCargo(empty.snapshot()), first, null, 2, KnownTransactions.NONE);
      LogPosition takeover =
          catalog.append(SnapshotManifest.entry(new SnapshotKind.Takeover(new UUID(3, 3)), first, 2, CREATED)).position();
      assertThat(snapshot("verify", "--replay")).as("%s", err).isZero();
      assertThat(out.toString())
          .contains("full snapshot 0 and the log up to snapshot 1 applied, 0 full snapshots")
          .endsWith("ok: 2 snapshots%n".formatted());
      catalog.append(SnapshotManifest.entry(new SnapshotKind.Takeover(new UUID(3, 3)), takeover, 1, CREATED));
    }
    assertThat(snapshot("verify", "--replay", "--from", "0")).isOne();
    assertThat(out.toString())
        .contains("WRONG  snapshots/00000000000000000002.commit")
        .contains("it has epoch 1, and the one before it the higher epoch 2");
    assertThat(err.toString())
        .contains("snapshot 2 has epoch 1, and the one before it the higher epoch 2");
  }

  @Test
  void restoresACopyToAnEmptyStore() {
    Path copy = store.resolveSibling("copy");
    Path restored = store.resolveSibling("restored");
    assertThat(snapshot("copy", "--to", "fs:" + copy)).isZero();
    String[] restore = {"snapshot", "restore", "--from", "fs:" + copy, "--store", "fs:" + restored};
    assertThat(run(restore)).as("%s", err).isZero();
    assertThat(out.toString())
        .contains("restored is at snapshot 3: 6 objects copied")
        .contains("next: end every node of the former cluster", "--store fs:" + restored);
    assertThat(run(restore)).isEqualTo(2);
    assertThat(err.toString()).contains("holds a database: name an empty one, or repair it");

    assertThat(run("snapshot", "verify", "--store", "fs:" + restored)).isZero();
    out.getBuffer().setLength(0);
    assertThat(run("snapshot", "show", "0", "--full", "--store", "fs:" + restored)).isZero();
    assertThat(out.toString())
        .contains("origin       snapshot 3 of database " + DATABASE)
        .doesNotContain("database     " + DATABASE);
    out.getBuffer().setLength(0);
    assertThat(run("snapshot", "show", "--store", "fs:" + copy)).isZero();
    assertThat(out.toString()).contains("database     " + DATABASE);
  }

  @Test
  void failsWhereNothingIs() throws Exception {
    Path empty = Files.createDirectories(store.resolveSibling("empty"));
    Path target = store.resolveSibling("target");
    for (String[] command :
        new String[][] {
          {"list"}, {"show"}, {"verify"}, {"repair"}, {"copy", "--to", "fs:" + target},
        }) {
      err.getBuffer().setLength(0);
      List<String> all = new ArrayList<>(List.of("snapshot"));
      all.addAll(List.of(command));
      all.addAll(List.of("--store", "fs:" + empty));
      assertThat(run(all.toArray(String[]::new))).as(command[0]).isOne();
      assertThat(err.toString()).as(command[0]).contains("drayage: fs:" + empty + " holds no ");
    }
    assertThat(run("snapshot", "restore", "--from", "fs:" + empty, "--store", "fs:" + target))
        .isOne();
    assertThat(err.toString()).contains("fs:" + empty + " holds no database");
  }

  @Test
  void failsWhereTheSnapshotThatIsWantedIsNot() {
    String source = "fs:" + store;
    Path above = store.resolveSibling("above");
    String target = "fs:" + above.resolve("target");
    assertThat(snapshot("copy", "--to", target, "--at", "9999")).isOne();
    assertThat(err.toString()).contains(source + " does not hold snapshot 9999, only 0 to 3");
    assertThat(above).doesNotExist();
    err.getBuffer().setLength(0);
    assertThat(run("snapshot", "restore", "--from", source, "--store", target, "--at", "4"))
        .isOne();
    assertThat(err.toString())
        .contains(source + " does not hold snapshot 4, only 0 to 3")
        .contains("nothing was restored to " + target);
    assertThat(above).doesNotExist();
    assertThat(run("snapshot", "restore", "--from", source, "--store", target, "--at", "3"))
        .isZero();
  }

  @Test
  void failsToVerifyALogWithoutAFullSnapshot() throws Exception {
    Files.delete(store.resolve("snapshots/00000000000000000000.full"));
    assertThat(snapshot("verify")).isOne();
    assertThat(out.toString()).contains("there is no full snapshot from which the log leads");
  }

  @Test
  void refusesTheDatabaseOfAnotherStore() throws Exception {
    UUID another = new UUID(7, 8);
    Path other = store.resolveSibling("other");
    fill(other, another);
    String[] ids = {"fs:" + other, "fs:" + store, another.toString(), DATABASE.toString()};

    assertThat(snapshot("copy", "--to", "fs:" + other)).isOne();
    assertThat(err.toString()).contains(ids);
    err.getBuffer().setLength(0);
    assertThat(snapshot("repair", "--from", "fs:" + other)).isOne();
    assertThat(err.toString()).contains(ids);

    Path entry = Path.of("snapshots", "00000000000000000003.commit");
    Files.delete(store.resolve(entry));
    Files.copy(other.resolve(entry), store.resolve(entry));
    assertThat(snapshot("verify")).isOne();
    assertThat(out.toString()).contains("it is of database " + another, DATABASE.toString());
  }

  @Test
  @Tag("ci")
  void showsARepairAndThenDoesIt() throws Exception {
    Path copy = store.resolveSibling("whole");
    assertThat(snapshot("copy", "--to", "fs:" + copy)).isZero();
    assertThat(snapshot("repair")).isZero();
    assertThat(out.toString()).contains("the log up to snapshot 3: nothing is wrong");

    Path manifest = store.resolve("snapshots/00000000000000000002.commit");
    Files.delete(manifest);
    assertThat(snapshot("repair")).isOne();
    assertThat(out.toString())
        .contains("quarantine snapshots/00000000000000000003.commit")
        .contains("lost       snapshot 2: missing", "lost       snapshot 3: takeover of epoch 3")
        .contains("the log up to snapshot 1 would be left, 2 snapshots lost: end every node");
    assertThat(snapshot("repair", "--from", "fs:" + copy)).isOne();
    assertThat(out.toString())
        .contains("take       snapshots/00000000000000000002.commit")
        .contains("the log up to snapshot 3 would be left, 0 snapshots lost");
    assertThat(manifest).doesNotExist();

    List<String> plans =
        Pattern.compile("repeat it with --yes=(\\p{XDigit}{8})\\R")
            .matcher(out.toString())
            .results()
            .map(shown -> shown.group(1))
            .toList();
    assertThat(plans).hasSize(2);
    assertThat(snapshot("repair", "--from", "fs:" + copy, "--yes=0badf00d")).isOne();
    assertThat(err.toString())
        .contains("nothing was done: plan 0badf00d is not what is found now")
        .contains("plan " + plans.get(1));
    assertThat(snapshot("repair", "--yes=" + plans.get(1))).isOne();
    assertThat(manifest).doesNotExist();
    assertThat(snapshot("repair", "--from", "fs:" + copy, "--yes=" + plans.get(1)))
        .as("%s", err)
        .isZero();
    assertThat(out.toString()).contains("snapshot 3 are left, 0 snapshots lost, 0 wrong");
    assertThat(manifest).exists();
    Files.delete(manifest);
    assertThat(snapshot("repair", "--yes")).isZero();
    assertThat(out.toString())
        .contains(
            "snapshot 1 are left, 2 snapshots lost, 0 wrong; what was moved is in quarantine/")
        .endsWith("start the transactors with another /ROOT%n".formatted());
    assertThat(snapshot("verify")).isZero();
  }

  @Test
  void repairsNothingWhereNothingIs() throws IOException {
    Path copy = store.resolveSibling("copied");
    assertThat(snapshot("copy", "--to", "fs:" + copy)).isZero();
    Path empty = Files.createDirectory(store.resolveSibling("empty"));
    for (String[] more : new String[][] {{}, {"--yes"}, {"--yes", "--from=fs:" + copy}}) {
      String[] line = {"snapshot", "repair", "--store=fs:" + empty};
      assertThat(run(Stream.of(line, more).flatMap(Stream::of).toArray(String[]::new))).isOne();
      assertThat(err.toString()).contains("empty holds no database").contains("the right place?");
      assertThat(empty).isEmptyDirectory();
    }
  }

  @Test
  void saysWhatIsWrongWithAStore() throws IOException {
    assertThat(run("snapshot", "list", "--store", "fs:" + store.resolve("absent"))).isOne();
    assertThat(err.toString()).contains("absent: no such file or folder");
    assertThat(run("snapshot", "list", "--store=fs:" + store.resolve("\033[31m"))).isOne();
    assertThat(run("snapshot", "\033[31m")).isEqualTo(2);
    assertThat(err.toString()).doesNotContain("\033").contains("\\u001B[31m");
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(run("snapshot", "list", "--store=fs:" + file)).isOne();
    assertThat(err.toString()).contains(file + ": not a folder");
  }
}
