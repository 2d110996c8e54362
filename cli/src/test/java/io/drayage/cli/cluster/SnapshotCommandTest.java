package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cli.Drayage;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.TableSchema;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotCommandTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");

  @TempDir private Path parent;
  private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A full snapshot 0 and three takeovers. */
  @BeforeEach
  void fill() throws Exception {
    folder = parent.resolve("store");
    ChangeCargo rows =
        ChangeCargo.builder(new UUID(1, 2), 0)
            .table("sales", sales -> sales.insert("price", ColumnValues.of(new int[][] {{1, 2}})))
            .build();
    try (ObjectStore store = FolderStore.open(folder)) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("lz4"))
          .write(rows, 0, 0, 1, Map.of());
      int parent = 0;
      for (int timestamp = 1; timestamp <= 3; timestamp++) {
        SnapshotEntry entry =
            catalog.append(SnapshotManifest.takeover(timestamp, timestamp, parent, CREATED));
        parent = entry.checksum();
      }
    }
  }

  private int run(String... args) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  private int snapshot(String... args) {
    List<String> all = new ArrayList<>(List.of("snapshot"));
    all.addAll(List.of(args));
    all.addAll(List.of("--store", "fs:" + folder));
    return run(all.toArray(String[]::new));
  }

  @Test
  void listsWhatIsThere() {
    assertThat(snapshot("list")).isZero();
    assertThat(out.toString().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("0 ") && line.contains("raw+lz4, segments"))
        .anyMatch(line -> line.startsWith("3 ") && line.contains("takeover"))
        .anyMatch(line -> line.endsWith("1 full snapshots, 3 entries of the log"));
  }

  @Test
  void listsPastADamagedManifest() throws Exception {
    Files.writeString(folder.resolve("snapshots/00000000000000000002.commit"), "nothing");

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

    Path manifest = folder.resolve("snapshots/00000000000000000002.commit");
    Files.writeString(manifest, Files.readString(manifest).replace("epoch 2", "epoch 3"));
    assertThat(snapshot("verify")).isOne();
    assertThat(out.toString())
        .contains("WRONG  snapshots/00000000000000000002.commit")
        .contains("corrupt: its checksum is")
        .endsWith("FAILED: 1 of 4 snapshots%n".formatted());
  }

  @Test
  void replaysTheLog() throws Exception {
    assertThat(snapshot("verify", "--from", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--from 0 has no effect without --replay");
    assertThat(snapshot("verify", "--replay")).isOne();
    assertThat(err.toString()).contains("00000000000000000000.full is no database");

    folder = parent.resolve("database");
    MemoryStore empty = new MemoryStore();
    empty.createTable(TableSchema.of("t", ColumnSchema.of("a", ColumnType.INT)), 3);
    try (ObjectStore store = FolderStore.open(folder)) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      SnapshotEntry unused =
          new FullSnapshotWriter(catalog, Serializers.ofName("raw"), Compressors.ofName("lz4"))
              .write(FullContents.toCargo(empty.snapshot()), 0, 0, 2, Map.of());
      SnapshotEntry takeover = catalog.append(SnapshotManifest.takeover(1, 2, 0, CREATED));
      assertThat(snapshot("verify", "--replay")).as("%s", err).isZero();
      assertThat(out.toString())
          .contains("full snapshot 0 and the log up to snapshot 1 applied, 0 full snapshots")
          .endsWith("ok: 2 snapshots%n".formatted());
      catalog.append(SnapshotManifest.takeover(2, 1, takeover.checksum(), CREATED));
    }
    assertThat(snapshot("verify", "--replay", "--from", "0")).isOne();
    assertThat(out.toString())
        .contains("WRONG  replayed snapshots/00000000000000000002.commit")
        .contains("its epoch is 1, and that of the entry before 2");
  }

  @Test
  void restoresACopyToAnEmptyStore() {
    Path copy = folder.resolveSibling("copy");
    Path restored = folder.resolveSibling("restored");
    assertThat(snapshot("copy", "--to", "fs:" + copy)).isZero();
    String[] restore = {"snapshot", "restore", "--from", "fs:" + copy, "--store", "fs:" + restored};
    assertThat(run(restore)).as("%s", err).isZero();
    assertThat(out.toString())
        .contains("restored is at snapshot 3: 6 objects copied")
        .contains("next: end every node of the former cluster", "--store fs:" + restored);
    assertThat(run(restore)).isEqualTo(2);
    assertThat(err.toString()).contains("holds a database: name an empty one, or repair it");
  }

  @Test
  void showsARepairAndThenDoesIt() throws Exception {
    Path copy = folder.resolveSibling("whole");
    assertThat(snapshot("copy", "--to", "fs:" + copy)).isZero();
    assertThat(snapshot("repair")).isZero();
    assertThat(out.toString()).contains("the log up to snapshot 3: nothing is wrong");

    Path manifest = folder.resolve("snapshots/00000000000000000002.commit");
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

    assertThat(snapshot("repair", "--from", "fs:" + copy, "--yes")).as("%s", err).isZero();
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
  void saysWhatIsWrongWithAStore() {
    assertThat(run("snapshot", "list", "--store", "fs:" + folder.resolve("absent"))).isOne();
    assertThat(err.toString()).contains("absent: no such file or folder");
    assertThat(run("snapshot", "list", "--store", "ftp:x")).isEqualTo(2);
    assertThat(err.toString()).contains("expected fs:FOLDER or s3:BUCKET");
    assertThat(run("snapshot")).isEqualTo(2);
    assertThat(err.toString()).contains("name one of list, show, verify");
  }
}
