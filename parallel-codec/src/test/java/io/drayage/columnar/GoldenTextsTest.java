package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.Serializers;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A frozen segment of compressed texts is read for ever. A file that is missing is written, one
 * that is there left alone, by
 *
 * <pre>mvn test -pl parallel-codec -Dtest=GoldenTextsTest -Ddrayage.golden.write=true</pre>
 */
@Timeout(180)
class GoldenTextsTest {
  private static final Path FILE =
      Path.of("src", "test", "resources", "golden", "columnar", "texts-zstd.segment");
  private static final int ROWS = 300;

  @Test
  void frozenCompressedTextsAreStillRead() throws Exception {
    String[] texts = new String[ROWS];
    for (int i = 0; i < ROWS; i++) {
      texts[i] = "delivery %d of %s".formatted(i * 7, i % 3 == 0 ? "bolts" : "\u20ac nuts");
    }
    ColumnValues column = ColumnValues.of(new String[][] {texts});
    Segment segment = SegmentChecks.segment(column, 0, ROWS);
    SegmentSerializer columnar = Serializers.ofName("columnar").newSegmentSerializer();
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(FILE)) {
      ByteBuffer written = SegmentChecks.bytes(columnar, segment, column);
      byte[] bytes = new byte[written.remaining()];
      written.get(bytes);
      Files.write(FILE, bytes);
    }
    assertThat(FILE).as("write it as the comment of this class says").exists();
    byte[] bytes = Files.readAllBytes(FILE);
    ColumnValues read = ColumnValues.allocate(ColumnType.STRING, ROWS, false);

    columnar.deserialize(segment, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), read);

    assertThat(bytes[0]).isEqualTo((byte) 19);
    for (int row = 0; row < ROWS; row++) {
      assertThat(read.get(row)).isEqualTo(texts[row]);
    }
    columnar.close();
  }
}
