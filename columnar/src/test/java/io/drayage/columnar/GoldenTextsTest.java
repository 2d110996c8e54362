package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.Serializers;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that frozen segments of texts stay readable forever. This command writes only the missing
 * ones:
 *
 * <pre>mvn test -pl columnar -am -Dtest=GoldenTextsTest -Ddrayage.golden.write=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Timeout(180)
class GoldenTextsTest {
  private static final int ROWS = 1_000;

  /** The frozen segments: the file, its encoding, and the text of each row. */
  private enum Frozen {
    PLAIN(16),
    DICTIONARY(17),
    TERMINATED(18),
    PATTERN(19);

    final int id;

    Frozen(int id) {
      this.id = id;
    }

    @Nullable String text(int row) {
      return switch (this) {
        case PLAIN, TERMINATED -> delivery(row);
        case DICTIONARY -> row % 31 == 5 ? null : delivery(row % 7 * 5);
        case PATTERN -> format("%016x-2da5", new SplittableRandom(row).nextLong());
      };
    }

    /** Texts are plain if a byte costs hardly anything. */
    SegmentSerializer serializer() {
      return Serializers.ofName(this == PLAIN ? "columnar-fast" : "columnar")
          .newSegmentSerializer();
    }

    /** Returns the start of the stream of texts, after the stream of validity bits. */
    int textsAt(byte[] bytes) {
      int validityBytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
      return this == DICTIONARY ? StreamHeader.BYTES + validityBytes : 0;
    }

    private static String delivery(int row) {
      return format("delivery %d of %s", row * 7, row % 3 == 0 ? "bolts" : "\u20ac nuts");
    }
  }

  @ParameterizedTest
  @EnumSource
  void frozenTextsAreStillRead(Frozen frozen) throws Exception {
    @Nullable String[] texts = new String[ROWS];
    for (int i = 0; i < ROWS; i++) {
      texts[i] = frozen.text(i);
    }
    ColumnValues column = ColumnValues.ofTexts(new String[][] {texts});
    Segment segment = SegmentChecks.segment(column, 0, ROWS);
    SegmentSerializer columnar = frozen.serializer();
    byte[] bytes =
        EncodedStreams.golden(
            "texts-%s.segment".formatted(frozen), SegmentChecks.bytes(columnar, segment, column));
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, ROWS, column.validity() != null);

    columnar.deserialize(segment, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), read);

    assertThat(bytes[frozen.textsAt(bytes)]).isEqualTo((byte) frozen.id);
    for (int row = 0; row < ROWS; row++) {
      assertThat(read.get(row)).isEqualTo(texts[row]);
    }
    columnar.close();
  }
}
