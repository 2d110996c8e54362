package io.drayage.codec;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.CargoBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class CargoFileTest {
  private static final long LIMIT = 1 << 20;
  private static final ChangeCargo SMALL =
      ChangeCargo.builder(new UUID(1, 2), 3)
          .table(
              "t",
              t ->
                  t.insert("n", ColumnValues.of(new int[][] {{1, 2}}, RowBits.allSet(2)))
                      .insert("s", ColumnValues.ofTexts(new String[][] {{"ä", null}}))
                      .delete(RowBits.allSet(3)))
          .build();

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("a.cargo");
  }

  @Test
  void cargoSurvives() throws IOException {
    ChangeCargo cargo = RandomCargo.of(1, 2_000);

    assertThat(CargoFile.write(cargo, file)).isEqualTo(Files.size(file));
    assertThat(CargoDigest.of(CargoFile.read(file, 1L << 30))).isEqualTo(CargoDigest.of(cargo));
    assertThat(CargoFile.inspect(file).rawBytes()).isEqualTo(CargoSize.rawBytes(cargo));
    assertFolderHolds("a.cargo");
  }

  /** Their raw bytes are known only after they were written. */
  @Test
  void countsTextsOnDemandAsThoseInMemory() throws IOException {
    TextPage[] pages = new TextPage[5];
    Arrays.fill(pages, new TextPage(65_536));
    RowBits validity = RowBits.allSet(5 * 65_536);
    validity.clear(70_000);
    ColumnValues made = ColumnValues.of(pages, validity);
    PageSource source =
        new PageSource() {
          @Override
          public Object page(int page) {
            return made.page(page);
          }

          @Override
          public int typicalTextBytes() {
            return 1;
          }
        };
    ColumnValues onDemand =
        ColumnValues.onDemand(ColumnType.STRING, made.rowCount(), 65_536, source, validity);

    CargoFile.write(CargoBytes.cargoOf(onDemand), file);

    assertThat(CargoDigest.of(CargoFile.read(file, 2 * LIMIT)))
        .isEqualTo(CargoDigest.of(CargoBytes.cargoOf(made)));
    assertThat(CargoFile.inspect(file).rawBytes()).isEqualTo(CargoSize.rawBytes(made));
  }

  @Test
  void refusesEveryTruncation() throws IOException {
    byte[] bytes = smallBytes();
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertRefused(format("%d of %d bytes", length, bytes.length));
      assertThatThrownBy(() -> CargoFile.inspect(file)).isInstanceOf(ShipmentException.class);
    }
  }

  @Test
  void refusesBytesBehindTheCargo() throws IOException {
    byte[] bytes = smallBytes();
    Files.write(file, Arrays.copyOf(bytes, bytes.length + 3));

    assertFault(Fault.BAD_FRAME, () -> CargoFile.read(file, LIMIT))
        .hasMessageContaining("a.cargo: at offset %d: 3 bytes follow", bytes.length);
    assertFault(Fault.BAD_FRAME, () -> CargoFile.inspect(file));
  }

  @Test
  void refusesFileThatIsNoCargo() throws IOException {
    Files.writeString(file, "Dear transactor, please find my cargo enclosed.");

    assertFault(Fault.BAD_FRAME, () -> CargoFile.read(file, LIMIT))
        .hasMessage("%s is no cargo file: it begins with 'Dear', a cargo begins with 'DRYG'", file);
    Files.write(file, new byte[] {'P', 'K', 3, 4, 5});
    assertFault(Fault.BAD_FRAME, () -> CargoFile.inspect(file))
        .hasMessage(
            "%s is no cargo file: it begins with 'PK\\u0003\\u0004', a cargo begins with 'DRYG'",
            file);
    Files.write(file, new byte[0]);
    assertFault(Fault.BAD_FRAME, () -> CargoFile.inspect(file))
        .hasMessage("%s is no cargo file: it is empty, a cargo begins with 'DRYG'", file);
    assertThatThrownBy(() -> CargoFile.read(folder.resolve("none"), LIMIT))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void leavesNothingBehindWhenWritingFails() throws IOException {
    ChangeCargo unwritable =
        CargoBytes.cargoOf(ColumnValues.ofTexts(new String[][] {{"x".repeat(3 << 20)}}));
    CargoFile.write(SMALL, file);

    assertThatThrownBy(() -> CargoFile.write(unwritable, file))
        .isInstanceOf(IllegalArgumentException.class);

    assertFolderHolds("a.cargo");
    assertThat(CargoDigest.of(CargoFile.read(file, LIMIT))).isEqualTo(CargoDigest.of(SMALL));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void namesTheFileIfTheDiskIsFull() throws IOException {
    FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
    assertThatThrownBy(() -> CargoFile.write(SMALL, file, full))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(file + ": No space left on device");
    assertThat(full.isOpen()).isFalse();
  }

  private void assertRefused(String what) {
    assertThatThrownBy(() -> CargoFile.read(file, LIMIT))
        .as(what)
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("a.cargo")
        .hasMessageMatching("(?s).*(: at offset | is no cargo file: ).*");
  }

  private byte[] smallBytes() throws IOException {
    CargoFile.write(SMALL, file);
    return Files.readAllBytes(file);
  }

  private void assertFolderHolds(String... names) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).extracting(path -> path.getFileName().toString()).containsExactly(names);
    }
  }
}
