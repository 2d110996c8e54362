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
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "a.bin, 0000000000000000, 'a,int32,3', 'a.bin has 8 bytes; by the manifest it has 12'",
    "a.txt, 780ac3a40ae4, 'a,string,3', 'a.txt, line 3 is not in UTF-8'",
    "a.bin, '', 'a,int128,3', '''a,int128,3'' is not NAME,TYPE,ROWS'",
  })
  void refusesByName(String file, String hex, String manifest, String why) throws IOException {
    Files.write(folder.resolve(file), HexFormat.of().parseHex(hex));
    manifest(manifest + "\n");

    assertThatThrownBy(() -> CargoSources.parse(folder.toString(), 0, 0).load())
        .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private void manifest(String lines) throws IOException {
    Files.writeString(folder.resolve("manifest.csv"), "name,type,rows,source\n" + lines);
  }
}
