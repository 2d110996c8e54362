package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Planes of bytes in Huffman codes: values survive, in about as many bits as they have entropy. */
@Timeout(60)
class HuffmanTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden", "columnar");

  /** Two blocks and a part of one. */
  private static final int COUNT = 70_000;

  private static final int ID = 31;

  /** Where the form of the only plane of a stream without differences is. */
  private static final int PACKED_AT = 18;

  private static final int SEED = 3;

  private enum Numbers {
    EQUAL(0.1),
    ALMOST_ALL_EQUAL(0.3),
    LOPSIDED(0.35),
    FLAGS(0.85),
    TENTH(0.65),
    NORMAL(6.5),
    SMALL_STEPS(3.3),
    STEPS(11.5),
    JUMPS(9),
    FAR(5),
    TO_ALL_SIDES(17),
    EXTREMES(2.3),
    RANDOM(16.1);

    private final double maxBits;

    Numbers(double maxBits) {
      this.maxBits = maxBits;
    }

    long[] make(int count) {
      SplittableRandom random = new SplittableRandom(SEED);
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        long before = i == 0 ? 0 : values[i - 1];
        values[i] =
            switch (this) {
              case EQUAL -> -42;
              case ALMOST_ALL_EQUAL -> i % 1_000 == 7 ? i : 3;
              case LOPSIDED -> random.nextInt(20) == 0 ? 5 : -5;
              case FLAGS -> random.nextInt(10) > 0 ? 0 : 1 << random.nextInt(4);
              case TENTH -> random.nextInt(10) > 0 ? 7 : 8 + random.nextInt(2);
              case NORMAL -> (long) (20 * random.nextGaussian());
              case SMALL_STEPS -> before + random.nextInt(8) - 3;
              case STEPS -> before + (long) (200 * random.nextGaussian());
              case JUMPS -> before + jump(i, random);
              case FAR -> (1L << 60) + random.nextInt(30);
              case TO_ALL_SIDES -> random.nextLong() >> (24 + random.nextInt(40));
              case EXTREMES -> random.nextBoolean() ? Short.MIN_VALUE : Short.MAX_VALUE;
              case RANDOM -> random.nextLong();
            };
      }
      return values;
    }

    /** Among small ones the most and the least difference that a short has. */
    private static long jump(int i, SplittableRandom random) {
      return i % 9_000 == 8_999
          ? Short.MIN_VALUE
          : i % 9_000 == 8_500
              ? Short.MAX_VALUE
              : i % 9_000 == 8_700 ? 1 << 10 : random.nextInt(8) - 3;
    }
  }

  private final StreamCodec codec =
      new StreamCodec(ColumnarOptions.of(ColumnarMode.DENSE), EncodedStreams.zstd());

  @ParameterizedTest
  @EnumSource
  void takesAboutTheEntropy(Numbers numbers) throws ShipmentException {
    Object page = page(ColumnType.SHORT, numbers.make(COUNT));

    ByteBuffer bytes = write(page);

    assertThat(bytes.remaining() * 8.0 / COUNT).isLessThan(numbers.maxBits);
    assertThat(read(bytes, ColumnType.SHORT, COUNT)).isEqualTo(page);
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT"})
  void narrowerValuesSurvive(ColumnType type) throws ShipmentException {
    for (Numbers numbers : Numbers.values()) {
      for (int count : new int[] {1, 3, 255, 1_025, 32_769}) {
        Object page = page(type, numbers.make(count));
        ByteBuffer bytes = write(page);

        assertThat(read(bytes, type, count))
            .as("%,d %s of %s", count, type, numbers)
            .isEqualTo(page);
        assertThat(bytes.hasRemaining()).isFalse();
      }
    }
  }

  /** Differences, which what is asked for by default has none of. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT"})
  void frozenStreamsAreStillRead(ColumnType type) throws IOException, ShipmentException {
    int count = 33_000;
    long[] values = new long[count];
    for (int i = 1; i < count; i++) {
      // By formula, not by a random generator: it must never change.
      values[i] = values[i - 1] + i * 7L % 23 * (i * 11L % 17) % 9 - 3;
    }
    byte[] bytes = assertStillRead("steps", type, values);

    assertThat(bytes[8]).as("order").isEqualTo((byte) 1);
  }

  /** Of few values, which are packed before they get a code. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "SHORT"})
  void frozenPackedStreamsAreStillRead(ColumnType type) throws IOException, ShipmentException {
    long[] values = new long[33_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 7_919L % 97 > 6 ? -3 : i % 3 * 40;
    }

    byte[] bytes = assertStillRead("packed", type, values);

    assertThat(bytes[PACKED_AT]).as("form").isEqualTo((byte) 3);
  }

  private byte[] assertStillRead(String kind, ColumnType type, long[] values)
      throws IOException, ShipmentException {
    Object page = page(type, values);
    String name = "huffman-%s-%s.stream".formatted(kind, type).toLowerCase(Locale.ROOT);
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(file)) {
      ByteBuffer written = write(page);
      byte[] now = new byte[written.remaining()];
      written.get(now);
      Files.write(file, now);
    }
    assertThat(file).as("write it with -Ddrayage.golden.write=true").exists();
    byte[] bytes = Files.readAllBytes(file);

    ByteBuffer source = EncodedStreams.buffer(values.length).put(bytes).flip();

    assertThat(read(source, type, values.length)).isEqualTo(page);
    assertThat(bytes[0]).isEqualTo((byte) ID);
    return bytes;
  }

  /** The fields of a stream of bytes in their order, each at its place behind the header. */
  private enum Field {
    ORDER(8, 9, "an order"),
    PLANES(9, 9, "the planes"),
    FORM(26, 9, "is no form of a plane"),
    SPAN(28, -1, "codes"),
    LENGTHS(29, 1, "make no code"),
    STREAM_BYTES(33, -1, "a stream of codes"),
    LAST_STREAM_BYTES(39, -1, "a stream of codes");

    private final int at;
    private final int change;
    private final String message;

    Field(int at, int change, String message) {
      this.at = at;
      this.change = change;
      this.message = message;
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongNumbersAreRefused(Field field) {
    byte[] steps = new byte[COUNT / 4];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 1; i < steps.length; i++) {
      steps[i] = (byte) (steps[i - 1] + random.nextInt(8) - 3);
    }
    ByteBuffer bytes = write(steps);

    bytes.put(field.at, (byte) (bytes.get(field.at) + field.change));

    assertThatThrownBy(() -> read(bytes, ColumnType.BYTE, steps.length))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE))
        .hasMessageContaining(field.message);
  }

  @ParameterizedTest
  @ValueSource(bytes = {-1, 0, 1, 17})
  void otherNumbersOfPackedValuesAreRefused(byte number) {
    long[] values = Numbers.FLAGS.make(COUNT);
    ByteBuffer bytes = write(page(ColumnType.BYTE, values));
    assertThat(bytes.get(PACKED_AT)).isEqualTo((byte) 3);

    bytes.put(PACKED_AT + 1, number);

    assertThatThrownBy(() -> read(bytes, ColumnType.BYTE, COUNT))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("the values that are packed of %d is outside 2 to 16", number);
  }

  @Test
  void widerValuesAreRefused() {
    ByteBuffer bytes = write(new byte[] {1, 2, 3});
    ColumnValues ints = ColumnShape.columnOf(new int[3]);

    assertThatThrownBy(() -> codec.read(bytes, 3, rows(ints)))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.DECODE))
        .hasMessageContaining("coded planes of 3 values of 4 bytes");
    assertThat(EncodedStreams.write(codec, "HUFFMAN", rows(ints), EncodedStreams.buffer(3)))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 33_000})
  void wrongBytesAreHarmless(int count) {
    Random random = new Random(SEED);
    for (Numbers numbers : Numbers.values()) {
      ByteBuffer bytes = write(page(ColumnType.SHORT, numbers.make(count)));
      byte[] whole = new byte[bytes.remaining()];
      bytes.get(whole);
      for (int attempt = 0; attempt < 60; attempt++) {
        byte[] broken = Arrays.copyOf(whole, attempt % 3 > 0 ? whole.length : 9 + attempt);
        broken[8 + random.nextInt(Math.min(broken.length - 8, attempt % 2 == 0 ? 60 : 60_000))] =
            (byte) random.nextInt();
        ByteBuffer source = EncodedStreams.buffer(count).put(broken).flip();
        try {
          read(source, ColumnType.SHORT, count);
        } catch (ShipmentException e) {
          assertThat(e.fault()).isEqualTo(Fault.DECODE);
        }
      }
    }
  }

  private ByteBuffer write(Object page) {
    ColumnValues column = ColumnShape.columnOf(page);
    int count = (int) column.rowCount();
    ByteBuffer target = EncodedStreams.buffer(count);
    assertThat(EncodedStreams.write(codec, "HUFFMAN", rows(column), target)).isNotNull();
    return target.flip();
  }

  private Object read(ByteBuffer source, ColumnType type, int count) throws ShipmentException {
    Object page = page(type, new long[count]);
    codec.read(source, count, rows(ColumnShape.columnOf(page)));
    return page;
  }

  private static ColumnRows rows(ColumnValues column) {
    return new ColumnRows(column, 0, (int) column.rowCount(), null, new BulkValues());
  }

  private static Object page(ColumnType type, long[] values) {
    byte[] bytes = new byte[values.length];
    short[] shorts = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
      shorts[i] = (short) values[i];
    }
    return type == ColumnType.BYTE ? bytes : shorts;
  }
}
