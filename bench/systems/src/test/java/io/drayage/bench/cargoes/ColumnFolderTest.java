package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ColumnFolderTest {
  private static final List<String> NUMBERS =
      List.of("int8", "int16", "int32", "int64", "float", "double");

  @TempDir private Path folder;

  @Test
  void loadsAColumnOfEachType() throws IOException {
    for (String type : NUMBERS) {
      Files.write(folder.resolve(type + ".bin"), twoNumbers(type));
    }
    Files.writeString(folder.resolve("words.txt"), "ä\n\n");
    manifest(
        NUMBERS.stream()
                .map(type -> type + "," + type + ",2,somewhere\n")
                .collect(Collectors.joining())
            + "words,string,2\n");

    CargoSource source = CargoSources.parse(folder.toString(), 0, 0);
    ChangeCargo cargo = source.load();

    assertThat(source.baseTables()).hasSize(7);
    assertThat(cargo.tables())
        .map(table -> List.of(table.table(), get(table.insertedColumns().get(0).values(), 1)))
        .containsExactly(
            List.of("int8", (byte) -2),
            List.of("int16", (short) -2),
            List.of("int32", -2),
            List.of("int64", -2L),
            List.of("float", -2f),
            List.of("double", -2.0),
            List.of("words", ""));
  }

  private static Object get(ColumnValues values, long row) {
    Object value = values.get(row);
    return value == null ? "null" : value;
  }

  private static byte[] twoNumbers(String type) {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : new int[] {1, -2}) {
      switch (type) {
        case "int8" -> bytes.put((byte) number);
        case "int16" -> bytes.putShort((short) number);
        case "int32" -> bytes.putInt(number);
        case "int64" -> bytes.putLong(number);
        case "float" -> bytes.putFloat(number);
        default -> bytes.putDouble(number);
      }
    }
    byte[] used = new byte[bytes.flip().remaining()];
    bytes.get(used);
    return used;
  }

  @Test
  void refusesWhatTheManifestDoesNotSay() throws IOException {
    Files.write(folder.resolve("a.bin"), new byte[8]);
    manifest("a,int32,3\n");
    CargoSource source = CargoSources.parse(folder.toString(), 0, 0);

    assertThatThrownBy(source::load)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a.bin has 8 bytes; by the manifest it has 12");
  }

  @Test
  void refusesALineThatIsNoUtf8() throws IOException {
    Files.write(
        folder.resolve("a.txt"),
        new byte[] {'x', '\n', (byte) 0xC3, (byte) 0xA4, '\n', (byte) 0xE4});
    manifest("a,string,3\n");
    CargoSource source = CargoSources.parse(folder.toString(), 0, 0);

    assertThatThrownBy(source::load)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("a.txt, line 3 is not in UTF-8");
  }

  @Test
  void refusesAManifestThatIsNone() throws IOException {
    manifest("a,int128,3\n");

    assertThatThrownBy(() -> CargoSources.parse(folder.toString(), 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a,int128,3' is not NAME,TYPE,ROWS");
  }

  private void manifest(String lines) throws IOException {
    Files.writeString(folder.resolve("manifest.csv"), "name,type,rows,source\n" + lines);
  }
}
