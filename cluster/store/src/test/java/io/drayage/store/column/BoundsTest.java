package io.drayage.store.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BoundsTest {
  private static final List<ColumnType> TYPES = List.of(ColumnType.values());
  private static final List<String> LETTERS = List.of("a", "z", "é", "€", "\uFFFD", "😀", "");

  private static Bounds bounds(
      ColumnType type, List<@Nullable Object> values, DeletedRows deleted) {
    ColumnBuilder builder = new ColumnBuilder(type);
    values.forEach(builder::add);
    StoredColumn column =
        new StoredColumn(
            ColumnSchema.nullable("c", type), List.of(Extent.adopt(builder.build(), 0)));
    List<Bounds> pages = new LivePages(column, deleted).bounds();
    return pages.isEmpty() ? new Bounds(false, false, 0, 0, "", "", false, false) : pages.get(0);
  }

  private static Object value(ColumnType type, SplittableRandom random) {
    int few = random.nextInt(-3, 4);
    return switch (type) {
      case BOOLEAN -> few < 0;
      case BYTE -> (byte) (few * 42);
      case SHORT -> (short) (few * 10_922);
      case INT -> few * 715_827_882;
      case LONG -> few * 3_074_457_345_618_258_602L;
      case FLOAT -> (float) number(random);
      case DOUBLE -> number(random);
      case STRING -> text(random);
    };
  }

  private static double number(SplittableRandom random) {
    double[] special = {
      Double.NaN,
      Double.longBitsToDouble(-1),
      -0.0,
      0.0,
      Double.NEGATIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.MIN_VALUE,
      -Double.MAX_VALUE
    };
    int i = random.nextInt(2 * special.length);
    return i < special.length ? special[i] : i - 12.5;
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(4) == 0 ? random.nextInt(40) : random.nextInt(3);
    String begin = LETTERS.get(random.nextInt(LETTERS.size()));
    for (int i = 0; i < length; i++) {
      boolean isSame = random.nextInt(8) > 0;
      text.append(isSame ? begin : LETTERS.get(random.nextInt(LETTERS.size())));
    }
    return text.toString();
  }

  /** Returns the order of a value to a number of bounds, as SQL has it. */
  private static int compare(Object value, long bound) {
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      double other = Bounds.ofKey(bound);
      return number == other ? 0 : Double.compare(number, other);
    }
    return value instanceof Boolean flag
        ? Long.compare(flag ? 1 : 0, bound)
        : Long.compare(((Number) value).longValue(), bound);
  }

  private static int compare(String text, String bound) {
    return Arrays.compareUnsigned(
        text.getBytes(StandardCharsets.UTF_8), bound.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void areTheSmallestAndTheLargestLiveValue() {
    for (int seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ColumnType type = TYPES.get(seed % TYPES.size());
      int rows = random.nextInt(1, 200);
      int nulls = random.nextInt(3) == 0 ? random.nextInt(101) : 0;
      List<@Nullable Object> values = new ArrayList<>();
      RowBits gone = new RowBits(rows);
      int percent = random.nextBoolean() ? random.nextInt(101) : 0;
      for (int row = 0; row < rows; row++) {
        values.add(random.nextInt(100) < nulls ? null : value(type, random));
        if (random.nextInt(100) < percent) {
          gone.set(row);
        }
      }
      Bounds bounds = bounds(type, values, DeletedRows.NONE.plus(gone));

      List<@Nullable Object> live = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        if (!gone.get(row)) {
          live.add(values.get(row));
        }
      }
      List<Object> present = live.stream().filter(Objects::nonNull).toList();
      assertThat(bounds.hasValue()).as("seed %s", seed).isEqualTo(!present.isEmpty());
      assertThat(bounds.hasNull()).as("seed %s", seed).isEqualTo(present.size() < live.size());
      if (type == ColumnType.STRING) {
        requireTexts(bounds, present, seed);
      } else if (!present.isEmpty()) {
        assertThat(present.stream().mapToInt(value -> compare(value, bounds.low())).min())
            .as("seed %s, low", seed)
            .hasValue(0);
        assertThat(present.stream().mapToInt(value -> compare(value, bounds.high())).max())
            .as("seed %s, high", seed)
            .hasValue(0);
      }
    }
  }

  private static void requireTexts(Bounds bounds, List<Object> present, int seed) {
    List<String> sorted =
        present.stream().map(String.class::cast).sorted(BoundsTest::compare).toList();
    if (!sorted.isEmpty()) {
      requireText(sorted.get(0), bounds.lowText(), bounds.lowIsCut(), seed);
      requireText(sorted.get(sorted.size() - 1), bounds.highText(), bounds.highIsCut(), seed);
    }
  }

  private static void requireText(String text, String bound, boolean isCut, int seed) {
    assertThat(isCut)
        .as("seed %s", seed)
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length > Bounds.MAX_TEXT_BYTES);
    assertThat(text).as("seed %s", seed).startsWith(bound);
    assertThat(isCut || text.equals(bound)).as("seed %s", seed).isTrue();
    // Characters have at most four bytes.
    assertThat(!isCut || bound.getBytes(StandardCharsets.UTF_8).length > Bounds.MAX_TEXT_BYTES - 4)
        .as("seed %s", seed)
        .isTrue();
  }

  @Test
  void aKeyOrdersNumbersAsSqlDoes() {
    double[] ordered = {
      Double.NEGATIVE_INFINITY, -1.5, -Double.MIN_VALUE, 0, Double.MIN_VALUE, 1, 1e300
    };
    assertThat(DoubleStream.of(ordered).mapToLong(Bounds::key).toArray()).isSorted();
    assertThat(Bounds.key(-0.0)).isEqualTo(Bounds.key(0.0));
    assertThat(Bounds.key(Double.longBitsToDouble(-1))).isEqualTo(Bounds.key(Double.NaN));
    assertThat(Bounds.key(Double.NaN)).isGreaterThan(Bounds.key(Double.POSITIVE_INFINITY));
    for (double number : ordered) {
      assertThat(Bounds.ofKey(Bounds.key(number))).isEqualTo(number);
    }
  }
}
