package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of every kind and shape survive, and are never longer than raw ones and a header. */
@Timeout(120)
class StreamsTest {
  private static final int[] COUNTS = {
    1, 2, 3, 63, 64, 65, 255, 256, 1_023, 1_024, 1_025, 4_097, 65_535, 65_536
  };
  private static final List<ColumnarOptions> OPTIONS =
      Stream.of(ColumnarMode.values()).map(ColumnarOptions::of).toList();

  static Stream<Shape> shapes() {
    return Stream.of(Shape.values());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void surviveAsLongs(Shape shape) throws ShipmentException {
    for (ColumnarOptions options : OPTIONS) {
      StreamWriter writer = new StreamWriter(0, options, new Words());
      StreamReader reader = new StreamReader(0, new Words());
      for (int count : COUNTS) {
        for (int width = 0; width <= 64; width += count > 5_000 ? 13 : 1) {
          long[] values = shape.longs(count, width);
          ByteBuffer bytes = buffer(8 * count + StreamHeader.BYTES);
          EncodingTree tree = writer.write(Values.of(Kind.LONG, values, count), bytes);
          long[] read = new long[count];
          Arrays.fill(read, 0xDEAD);
          bytes.flip();
          assertThat(bytes.remaining()).isEqualTo(tree.bytes());
          EncodingTree readTree = reader.read(bytes, count, Room.of(Kind.LONG, read));
          assertThat(read)
              .as("%s, %,d values of %d bits: %s", shape, count, width, tree)
              .isEqualTo(values);
          assertThat(readTree).isEqualTo(tree);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void surviveAsInts(Shape shape) throws ShipmentException {
    for (ColumnarOptions options : OPTIONS) {
      StreamWriter writer = new StreamWriter(0, options, new Words());
      StreamReader reader = new StreamReader(0, new Words());
      for (int count : COUNTS) {
        for (int width = 0; width <= 32; width += count > 5_000 ? 9 : 1) {
          int[] values = shape.ints(count, width);
          ByteBuffer bytes = buffer(4 * count + StreamHeader.BYTES);
          EncodingTree tree = writer.write(Values.of(Kind.INT, values, count), bytes);
          int[] read = new int[count];
          bytes.flip();
          EncodingTree readTree = reader.read(bytes, count, Room.of(Kind.INT, read));
          assertThat(read)
              .as("%s, %,d values of %d bits: %s", shape, count, width, tree)
              .isEqualTo(values);
          assertThat(readTree).isEqualTo(tree);
        }
      }
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
