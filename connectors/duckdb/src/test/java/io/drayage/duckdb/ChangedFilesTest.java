package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.CargoFile;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.FileFormat;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a file which changes while it is read is refused, whatever was read by then. */
@Timeout(180)
final class ChangedFilesTest {
  private static final String SAME_SIZE = "it has other times, and as many bytes";

  /** A time long before any change. */
  private static final FileTime BEFORE = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

  private final DuckDbEngine engine = new DuckDbEngine();
  @TempDir private Path folder;

  private interface Change {
    void to(Path file) throws IOException;
  }

  private static void rewrite(Path file) throws IOException {
    Files.write(file, Files.readAllBytes(file)); // In place, as an editor or cp does.
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    String csv = "a,b\n1,x\n2,y\n";
    switch (name) {
      case "t.csv" -> Files.writeString(file, csv);
      case "t.csv.gz" -> Files.write(file, ZippedTextTest.zipped(csv));
      case "t.jsonl" -> Files.writeString(file, "{\"a\":1}\n{\"a\":2}\n");
      case "t.json" -> Files.writeString(file, "[{\"a\":1},{\"a\":2}]");
      case "t.parquet" -> MadeFiles.make("SELECT 1 AS a", file, "FORMAT parquet");
      default -> {
        ChangeCargo cargo =
            ChangeCargo.builder(new UUID(0, 0), 0)
                .table("t", t -> t.insert("a", ColumnValues.of(new int[][] {{1, 2}})))
                .build();
        assertThat(engine.export(cargo, FileFormat.ARROW, folder)).containsExactly(file);
      }
    }
    return file;
  }

  /** Changes a file after the import has begun, and asserts that it is refused. */
  private void assertRefused(Path file, ImportPlan plan, Change change, String difference)
      throws IOException {
    Files.setLastModifiedTime(file, BEFORE);
    Consumer<String> progress =
        line -> {
          try {
            if (line.startsWith("reads ")) {
              change.to(file);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThatThrownBy(() -> engine.open(plan, progress).close())
        .isInstanceOf(TableException.class)
        .hasMessage(
            "%s changed while it was read: %s: import it when no program writes it"
                .formatted(file, difference));
  }

  private void assertRefused(Path file, Change change, String difference) throws IOException {
    assertRefused(file, Imported.plan(Map.of("t", file)), change, difference);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.csv", "t.csv.gz", "t.jsonl", "t.json", "t.parquet", "t.arrow"})
  void isRefusedWhateverItsKind(String name) throws Exception {
    Path file = file(name);
    try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
      assertThat(tables.rows()).isPositive();
    }
    assertRefused(file, ChangedFilesTest::rewrite, SAME_SIZE);
  }

  @Test
  void isRefusedWhateverChanges() throws Exception {
    assertRefused(
        file("t.csv"),
        file -> Files.writeString(file, "3,z\n", StandardOpenOption.APPEND),
        "it had 12 bytes, and then 16 bytes");
    // Without the change, the message would be about the first line.
    assertRefused(
        file("t.csv"), file -> Files.writeString(file, ""), "it had 12 bytes, and then 0 bytes");
    assertRefused(
        file("t.csv"),
        file -> {
          Path other = Files.writeString(folder.resolve("other"), "a,b\n3,x\n2,y\n");
          Files.setLastModifiedTime(other, BEFORE);
          Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
        },
        "another file has its name");
    assertRefused(file("t.csv"), Files::delete, "it was removed");
  }

  /** The time of a change of the file's attributes tells what a set time of modification hides. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void isRefusedIfItsTimeIsSetBack() throws Exception {
    assertRefused(
        file("t.csv"),
        file -> {
          Object before = Files.getAttribute(file, "unix:ctime");
          do { // The clock of a file system ticks some hundred times a second.
            Files.writeString(file, "a,b\n1,x\n3,y\n");
            Files.setLastModifiedTime(file, BEFORE);
          } while (Files.getAttribute(file, "unix:ctime").equals(before));
        },
        SAME_SIZE);
  }

  @Test
  void isRefusedAmongTheOldRowsToo() throws Exception {
    Path file = file("t.csv");
    Path old = Files.writeString(folder.resolve("old.csv"), "a,b\n1,w\n");
    ImportPlan plan =
        Imported.update(Map.of("t", file), Map.of("t", old), List.of("a"), DeclaredTypes.NONE);
    assertRefused(old, plan, ChangedFilesTest::rewrite, SAME_SIZE);
  }

  /** The columns of a large Parquet file are read while the cargo is written. */
  @Test
  @Tag("ci")
  void isRefusedWhileTheCargoIsWritten() throws Exception {
    Path file = folder.resolve("t.parquet");
    MadeFiles.make("SELECT range AS a, range AS b FROM range(2200000)", file, "FORMAT parquet");
    Files.setLastModifiedTime(file, BEFORE);
    Path cargo = folder.resolve("t.cargo");
    try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
      CargoFile.write(tables.cargo(), cargo);
      assertThat(cargo).exists();
      Files.delete(cargo);
      rewrite(file);
      assertThatThrownBy(() -> CargoFile.write(tables.cargo(), cargo))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(file + " changed while it was read: " + SAME_SIZE);
      assertThat(cargo).doesNotExist();
    }
  }

  /** An import has read the whole of a text file before the cargo is written. */
  @Test
  void mayChangeAfterwards() throws Exception {
    Path file = file("t.csv");
    try (ImportedTables tables = engine.open(Imported.plan(Map.of("t", file)), line -> {})) {
      Files.write(file, "gone".getBytes(StandardCharsets.UTF_8));
      CargoFile.write(tables.cargo(), folder.resolve("t.cargo"));
    }
  }
}
