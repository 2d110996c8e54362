package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Old data must be readable for ever: the folder {@code src/test/resources/golden/} has the frozen
 * bytes of one cargo by every serializer, and by every compressor. This writes missing files, and
 * no others:
 *
 * <pre>mvn test -pl parallel-codec -Dtest=GoldenCodecTest -Ddrayage.golden.write=true</pre>
 *
 * <p>To write a file again before it is committed, delete it.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenCodecTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final String DIGEST = "b6175f394d90a8aa";
  private static final int ROWS = 200;

  Stream<CodecPair> files() {
    return CodecPair.eachCodec().stream().filter(GoldenCodecTest::isOurs);
  }

  String suffix() {
    return "segments";
  }

  byte[] write(CodecPair pair, ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    frames(pair).write(cargo, bytes);
    return bytes.toByteArray();
  }

  ChangeCargo read(CodecPair pair, InputStream bytes) throws IOException {
    return frames(pair).read(bytes, Trip.MAX_CARGO_BYTES);
  }

  static boolean isOurs(CodecPair pair) {
    return Math.max(pair.serializer().id(), pair.compressor().id()) <= Codec.MAX_RESERVED_ID;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void frozenBytesAreStillRead(CodecPair pair) throws IOException {
    Path file = FOLDER.resolve("%s.%s".formatted(pair, suffix()));
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(file)) {
      Files.createDirectories(FOLDER);
      Files.write(file, write(pair, cargo()));
    }
    assertThat(file).as("write it as the comment of this class says").exists();
    byte[] frozen = Files.readAllBytes(file);

    ChangeCargo cargo = read(pair, new ByteArrayInputStream(frozen));

    assertThat(CargoDigest.toHex(CargoDigest.of(cargo))).isEqualTo(DIGEST);
    if (pair.compressor().id() != Compressor.STORED_ID) {
      CodecPair stored = CodecPair.of(pair.serializer().name(), "none");
      assertThat(frozen)
          .as("%s: if nothing became smaller, all was stored, and no format is frozen", file)
          .hasSizeLessThan(write(stored, cargo()).length);
    }
  }

  private static CargoFrames frames(CodecPair pair) {
    return new CargoFrames(
        pair.serializer().newSegmentSerializer(), pair.serializer().id(), pair.compressor());
  }

  /** A cargo made by a formula, not at random, because it must never change. Compresses well. */
  private static ChangeCargo cargo() {
    return ChangeCargo.builder(new UUID(0x0123_4567_89AB_CDEFL, 42), 1_700_000_000_000L)
        .table(
            "golden",
            table -> {
              for (ColumnType type : ColumnType.values()) {
                table.insert("plain_" + type.id(), column(type, false));
                table.insert("nullable_" + type.id(), column(type, true));
              }
              table.update(
                  "plain_5", column(ColumnType.LONG, false), column(ColumnType.LONG, true));
              RowBits deleted = new RowBits(10 * ROWS);
              for (int row = 0; row < 10 * ROWS; row += 7) {
                deleted.set(row);
              }
              table.delete(deleted);
            })
        .build();
  }

  private static ColumnValues column(ColumnType type, boolean nullable) {
    ColumnBuilder column = new ColumnBuilder(type);
    for (int row = 0; row < ROWS; row++) {
      if (nullable && row % 9 == 4) {
        column.addNull();
      } else {
        add(column, type, row);
      }
    }
    return column.build();
  }

  private static void add(ColumnBuilder column, ColumnType type, int row) {
    switch (type) {
      case BOOLEAN -> column.addBoolean(row % 3 == 0);
      case BYTE -> column.addByte((byte) (row / 4));
      case SHORT -> column.addShort((short) (row * -300));
      case INT -> column.addInt(row * 1_000_003);
      case LONG -> column.addLong(row * 10_000_000_019L);
      case FLOAT -> column.addFloat(row / 8f);
      case DOUBLE -> column.addDouble(row == 0 ? -0.0 : 1d / row);
      case STRING -> column.addString(row % 5 == 0 ? "汉😀" + row : "row " + row / 2);
    }
  }
}
