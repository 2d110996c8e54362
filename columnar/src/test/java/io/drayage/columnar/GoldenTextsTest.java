package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.Serializers;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frozen segments of compressed texts are read for ever. A file that is missing is written, one
 * that is there left alone, by
 *
 * <pre>mvn test -pl columnar -am -Dtest=GoldenTextsTest -Ddrayage.golden.write=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Timeout(180)
class GoldenTextsTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden", "columnar");
  private static final int ROWS = 300;

  /** What is frozen: the file, its encoding, and the text of each row. */
  private enum Frozen {
    /** No longer written for such texts. */
    ZSTD(19),
    TERMINATED(28),
    TERMINATED_DICTIONARY(29),
    PATTERN(30);

    final int id;

    Frozen(int id) {
      this.id = id;
    }

    @Nullable String text(int row) {
      return switch (this) {
        case ZSTD, TERMINATED -> delivery(row);
        case TERMINATED_DICTIONARY -> row % 31 == 5 ? null : delivery(row % 7 * 5);
        case PATTERN -> format("%08x-2da5-11e8-b", new SplittableRandom(row).nextInt());
      };
    }

    private static String delivery(int row) {
      return format("delivery %d of %s", row * 7, row % 3 == 0 ? "bolts" : "\u20ac nuts");
    }

    Path file() {
      return FOLDER.resolve(
          "texts-%s.segment".formatted(name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }
  }

  @ParameterizedTest
  @EnumSource
  void frozenCompressedTextsAreStillRead(Frozen frozen) throws Exception {
    @Nullable String[] texts = new String[ROWS];
    for (int i = 0; i < ROWS; i++) {
      texts[i] = frozen.text(i);
    }
    ColumnValues column = ColumnValues.of(new String[][] {texts});
    Segment segment = SegmentChecks.segment(column, 0, ROWS);
    SegmentSerializer columnar = Serializers.ofName("columnar").newSegmentSerializer();
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(frozen.file())) {
      ByteBuffer written = SegmentChecks.bytes(columnar, segment, column);
      byte[] bytes = new byte[written.remaining()];
      written.get(bytes);
      Files.write(frozen.file(), bytes);
    }
    assertThat(frozen.file()).as("write it as the comment of this class says").exists();
    byte[] bytes = Files.readAllBytes(frozen.file());
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, ROWS, false);

    columnar.deserialize(segment, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), read);

    assertThat(bytes[0]).isEqualTo((byte) frozen.id);
    for (int row = 0; row < ROWS; row++) {
      assertThat(read.get(row)).isEqualTo(texts[row]);
    }
    columnar.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 19, 28, 29, 30})
  void compressedTextsAreTextsWithLengths(int id) throws Exception {
    byte[] bytes = Files.readAllBytes(Frozen.ZSTD.file());
    bytes[StreamHeader.BYTES] = (byte) id;
    ColumnValues column = ColumnValues.allocate(ColumnType.STRING, ROWS, false);
    Segment segment = SegmentChecks.segment(column, 0, ROWS);
    SegmentSerializer columnar = Serializers.ofName("columnar").newSegmentSerializer();
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> columnar.deserialize(segment, source, column))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(String.valueOf(id));
    columnar.close();
  }
}
