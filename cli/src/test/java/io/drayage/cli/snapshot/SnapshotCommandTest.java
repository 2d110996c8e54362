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
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SnapshotCommandTest extends CommandFixture {
  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");
  private static final UUID DATABASE = new UUID(5, 6);

  private Path store;

  /** Makes a full snapshot 0 and three takeovers. */
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
                .append(
                    SnapshotManifest.entry(
                        new SnapshotKind.Takeover(new UUID(3, 3)), last, timestamp, CREATED))
                .position();
      }
    }
  }

  /** Returns the output of a command on the store. */
  private String snapshot(int code, String line) {
    return said(code, "snapshot %s --store fs:%s".formatted(line, store));
  }

  @Test
  void listsWhatIsThere() {
    assertThat(snapshot(0, "list").lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("0 ") && line.contains("raw+lz4, segments"))
        .anyMatch(line -> line.startsWith("3 ") && line.contains("takeover"))
        .anyMatch(
            line ->
                line.endsWith(
                    "database %s, 1 full snapshot, 3 entries of the log".formatted(DATABASE)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export --out=~/file --store=fs:~/store",
        "show --store=nothing:x",
        "verify --from=1 --store=fs:~/store"
      })
  void pointsToTheHelpOfTheCommandThatWasUsedWrongly(String line) throws Exception {
    Files.createFile(folder.resolve("file"));
    assertThat(said(2, "snapshot " + line).stripTrailing())
        .endsWith(" (see 'drayage snapshot %s --help')".formatted(line.split(" ", 2)[0]));
  }

  @Test
  void listsPastADamagedManifest() throws Exception {
    Files.writeString(store.resolve("snapshots/00000000000000000002.commit"), "nothing");

    assertThat(snapshot(1, "list")).isNotEmpty();
    assertThat(lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("3 ") && line.contains("takeover"))
        .anyMatch(line -> line.startsWith("WRONG") && line.contains("00000000000000000002.commit"));
  }

  @Test
  void showsTheNewestOrTheOneAskedFor() {
    assertThat(snapshot(0, "show")).contains("snapshot     3", "made on      snapshot 2 with");
    assertThat(snapshot(0, "show 0 --full"))
        .contains("state of     snapshot 0", "history      data/");
    assertThat(snapshot(1, "show 9"))
        .contains("snapshots/00000000000000000009.commit: no such object");
  }

  @Test
  void verifiesAndNamesWhatIsWrong() throws Exception {
    assertThat(snapshot(0, "verify")).endsWith("ok: 4 snapshots%n".formatted());

    Path manifest = store.resolve("snapshots/00000000000000000002.commit");
    Files.writeString(manifest, Files.readString(manifest).replace("epoch 2", "epoch 3"));
    assertThat(snapshot(1, "verify"))
        .contains("WRONG  snapshots/00000000000000000002.commit", "corrupt: its checksum is");
    assertThat(out.toString()).endsWith("FAILED: 1 of 4 snapshots%n".formatted());
  }

  @Test
  void replaysTheLog() throws Exception {
    assertThat(snapshot(1, "verify --replay")).contains("00000000000000000000.full is no database");

    store = folder.resolve("database");
    MemoryStore empty = new MemoryStore();
    empty.createTable(TableSchema.of("t", ColumnSchema.of("a", ColumnType.INT)), 3);
    try (ObjectStore objects = FolderStore.open(store)) {
      SnapshotCatalog catalog = new SnapshotCatalog(objects);
      LogPosition first = new LogPosition(DATABASE, 0, 0);
      new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("lz4"))
          .write(FullContents.toCargo(empty.snapshot()), first, null, 2, KnownTransactions.NONE);
      LogPosition takeover =
          catalog
              .append(
                  SnapshotManifest.entry(
                      new SnapshotKind.Takeover(new UUID(3, 3)), first, 2, CREATED))
              .position();
      assertThat(snapshot(0, "verify --replay"))
          .contains("full snapshot 0 and the log up to snapshot 1 applied, 0 full snapshots")
          .endsWith("ok: 2 snapshots%n".formatted());
      catalog.append(
          SnapshotManifest.entry(new SnapshotKind.Takeover(new UUID(3, 3)), takeover, 1, CREATED));
    }
    assertThat(snapshot(1, "verify --replay --from 0"))
        .contains(
            "WRONG  snapshots/00000000000000000002.commit",
            "it has epoch 1, and the one before it the higher epoch 2",
            "snapshot 2 has epoch 1, and the one before it the higher epoch 2");
  }

  @Test
  void restoresACopyToAnEmptyStore() {
    snapshot(0, "copy --to fs:~/copy");
    String restore = "snapshot restore --from fs:~/copy --store fs:~/restored";
    assertThat(said(0, restore))
        .contains("restored is at snapshot 3: 6 objects copied")
        .contains(
            "next: end every node of the former cluster", "--store fs:" + folder + "/restored");
    assertThat(said(2, restore)).contains("holds a database: name an empty one, or repair it");

    said(0, "snapshot verify --store fs:~/restored");
    assertThat(said(0, "snapshot show 0 --full --store fs:~/restored"))
        .contains("origin       snapshot 3 of database " + DATABASE)
        .doesNotContain("database     " + DATABASE);
    assertThat(said(0, "snapshot show --store fs:~/copy")).contains("database     " + DATABASE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list --store fs:~/empty",
        "show --store fs:~/empty",
        "verify --store fs:~/empty",
        "repair --store fs:~/empty",
        "copy --to fs:~/target --store fs:~/empty",
        "restore --from fs:~/empty --store fs:~/target"
      })
  void failsWhereNothingIs(String line) throws Exception {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertThat(said(1, "snapshot " + line))
        .contains("fs:%s holds no %s".formatted(empty, line.startsWith("re") ? "database" : ""));
  }

  @Test
  void failsWhereTheSnapshotThatIsWantedIsNot() {
    assertThat(snapshot(1, "copy --to fs:~/above/target --at 9999"))
        .contains("fs:" + store + " does not hold snapshot 9999, only 0 to 3");
    String restore = "snapshot restore --from fs:~/store --store fs:~/above/target --at ";
    assertThat(said(1, restore + 4))
        .contains("fs:" + store + " does not hold snapshot 4, only 0 to 3")
        .contains("nothing was restored to fs:" + folder.resolve("above/target"));
    assertThat(folder.resolve("above")).doesNotExist();
    said(0, restore + 3);
  }

  @Test
  void failsToVerifyALogWithoutAFullSnapshot() throws Exception {
    Files.delete(store.resolve("snapshots/00000000000000000000.full"));
    assertThat(snapshot(1, "verify"))
        .contains("there is no full snapshot from which the log leads");
  }

  @Test
  void refusesTheDatabaseOfAnotherStore() throws Exception {
    UUID another = new UUID(7, 8);
    Path other = folder.resolve("other");
    fill(other, another);
    String[] ids = {"fs:" + other, "fs:" + store, another.toString(), DATABASE.toString()};
    assertThat(snapshot(1, "copy --to fs:~/other")).contains(ids);
    assertThat(snapshot(1, "repair --from fs:~/other")).contains(ids);

    Path entry = Path.of("snapshots", "00000000000000000003.commit");
    Files.copy(other.resolve(entry), store.resolve(entry), StandardCopyOption.REPLACE_EXISTING);
    assertThat(snapshot(1, "verify")).contains("it is of database " + another, DATABASE.toString());
  }

  @Test
  @Tag("ci")
  void showsARepairAndThenDoesIt() throws Exception {
    snapshot(0, "copy --to fs:~/whole");
    assertThat(snapshot(0, "repair")).contains("the log up to snapshot 3: nothing is wrong");

    Path manifest = store.resolve("snapshots/00000000000000000002.commit");
    Files.delete(manifest);
    assertThat(snapshot(1, "repair"))
        .contains("quarantine snapshots/00000000000000000003.commit")
        .contains("lost       snapshot 2: missing", "lost       snapshot 3: takeover of epoch 3")
        .contains("the log up to snapshot 1 would be left, 2 snapshots lost: end every node")
        .contains("repeat it with --yes=");
    String planned = snapshot(1, "repair --from fs:~/whole");
    assertThat(planned)
        .contains("take       snapshots/00000000000000000002.commit")
        .contains("the log up to snapshot 3 would be left, 0 snapshots lost");
    assertThat(manifest).doesNotExist();

    String plan = planned.replaceAll("(?s).*repeat it with --yes=(\\p{XDigit}{8})\\R.*", "$1");
    assertThat(snapshot(1, "repair --from fs:~/whole --yes=0badf00d"))
        .contains("nothing was done: plan 0badf00d is not what is found now", "plan " + plan);
    snapshot(1, "repair --yes=" + plan);
    assertThat(manifest).doesNotExist();
    assertThat(snapshot(0, "repair --from fs:~/whole --yes=" + plan))
        .contains("snapshot 3 are left, 0 snapshots lost, 0 wrong");
    assertThat(manifest).exists();
    Files.delete(manifest);
    assertThat(snapshot(0, "repair --yes"))
        .contains(
            "snapshot 1 are left, 2 snapshots lost, 0 wrong; what was moved is in quarantine/")
        .contains("start the transactors with another /ROOT");
    snapshot(0, "verify");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " --yes", " --yes --from=fs:~/copied"})
  void repairsNothingWhereNothingIs(String options) throws IOException {
    snapshot(0, "copy --to fs:~/copied");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(said(1, "snapshot repair --store=fs:~/empty" + options))
        .contains("empty holds no database", "the right place?");
    assertThat(empty).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | list --store=fs:~/absent   | absent: no such file or folder",
        "1 | list --store=fs:~/ESC[31m  | \\u001B[31m",
        "2 | ESC[31m                    | \\u001B[31m",
        "1 | list --store=fs:~/file     | file: not a folder",
      })
  void saysWhatIsWrongWithAStore(int code, String line, String reason) throws IOException {
    Files.createFile(folder.resolve("file"));
    assertThat(said(code, "snapshot " + line.replace("ESC", "\033")))
        .contains(reason)
        .doesNotContain("\033");
  }
}
