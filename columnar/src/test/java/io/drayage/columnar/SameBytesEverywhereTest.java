package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.SegmentChecks;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.testing.ChildJvm;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that equal values have equal bytes, with any compilation of the code, and on any JVM: the
 * checksum below was taken once and is valid on every JDK that runs this test. It changes when the
 * chooser does.
 */
@Timeout(300)
class SameBytesEverywhereTest {
  private static final int COUNT = 20_000;
  private static final int ROWS = 1_280;
  private static final int CHECKSUM = 0x4f3d54e5;

  @TempDir Path folder;

  @Test
  void onThisJdkAsOnOthers() {
    assertThat(checksum()).as("%08x", checksum()).isEqualTo(CHECKSUM);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:UseAVX=0", "-XX:UseAVX=2", "-XX:-UseSuperWord"})
  void underEveryOption(String option) throws Exception {
    List<String> options = List.of("-XX:+IgnoreUnrecognizedVMOptions", "-Xmx512m", option);

    String output = ChildJvm.run(folder, 100, options, SameBytesEverywhereTest.class);

    assertThat(output).contains(format("bytes %08x", CHECKSUM));
  }

  public static void main(String[] args) {
    System.out.printf("bytes %08x%n", checksum());
  }

  private static int checksum() {
    CRC32C checksum = new CRC32C();
    for (ColumnarMode mode : ColumnarMode.values()) {
      StreamCodec codec = new StreamCodec(ColumnarOptions.of(mode), EncodedStreams.zstd());
      for (ColumnType type : EncodedStreams.KINDS) {
        for (Shape shape : Shape.values()) {
          ByteBuffer bytes = EncodedStreams.buffer(COUNT);
          long[] bits = EncodedStreams.bits(type, shape, COUNT, 11);
          codec.write(EncodedStreams.rows(type, bits), null, bytes);
          checksum.update(bytes.flip());
        }
      }
    }
    addSegments(checksum);
    return (int) checksum.getValue();
  }

  /** Adds segments of every type, with and without nulls, for three links and with a tail. */
  private static void addSegments(CRC32C checksum) {
    for (long rate : new long[] {1L << 26, 1L << 28, 1L << 40}) {
      for (ColumnType type : ColumnType.values()) {
        for (boolean nullable : List.of(false, true)) {
          SegmentSerializer serializer =
              new ColumnarSerializer().forRate(rate).newSegmentSerializer();
          if (nullable) {
            serializer.expectCompression();
          }
          ColumnValues values = RandomCargo.column(17, type, COUNT, nullable);
          Segment whole = SegmentChecks.segment(values, 0, COUNT);
          for (int row = 0; row < COUNT; row += ROWS) {
            int rows = Math.min(ROWS, COUNT - row);
            Segment segment = new Segment(row / ROWS, whole.part(), row, rows);
            checksum.update(SegmentChecks.bytes(serializer, segment, values));
          }
          serializer.close();
        }
      }
    }
    for (ColumnType type : List.of(ColumnType.SHORT, ColumnType.INT, ColumnType.DOUBLE)) {
      addKnown(type, checksum);
    }
  }

  /** Adds segments of a column that is large enough for its first rows to be remembered. */
  private static void addKnown(ColumnType type, CRC32C checksum) {
    int rows = 8 * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    SegmentSerializer serializer = new ColumnarSerializer().newSegmentSerializer();
    ColumnValues values = RandomCargo.column(17, type, rows, false);
    Segment whole = SegmentChecks.segment(values, 0, rows);
    for (int part = 0; part < 4; part++) {
      Segment segment = new Segment(part, whole.part(), (long) part * rows / 4, rows / 4);
      checksum.update(SegmentChecks.bytes(serializer, segment, values));
    }
    serializer.close();
  }
}
