package io.drayage.cargo;

import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cargoes of every type for tests; the same seed makes the same cargo. Every NaN is the canonical
 * one: Java serialization of a whole cargo changes any other NaN.
 */
public final class RandomCargo {
  private static final String[] ALPHABETS = {"abcxyz", "äöüß", "汉字", "é漢"};

  private final Random random;

  private RandomCargo(long seed) {
    this.random = new Random(seed);
  }

  /**
   * A cargo of two tables: the first with an inserted and an updated column of each type, with and
   * without nulls, and deleted rows; the second with inserts only.
   */
  public static ChangeCargo of(long seed, int rows) {
    RandomCargo cargo = new RandomCargo(seed);
    return ChangeCargo.builder(new UUID(seed, rows), seed)
        .table("wide", table -> cargo.fill(table, rows))
        .table("small", table -> table.insert("only", cargo.column(ColumnType.INT, 1, false)))
        .build();
  }

  /** A column of {@code rows} values in pages of the default size. */
  public static ColumnValues column(long seed, ColumnType type, int rows, boolean nullable) {
    return new RandomCargo(seed).column(type, rows, nullable);
  }

  /** A set of {@code size} bits, half of them set. */
  public static RowBits bits(long seed, long size) {
    return new RandomCargo(seed).bits(size);
  }

  /** Adds one of a few different values. */
  public static void add(ColumnBuilder column, ColumnType type, int value) {
    switch (type) {
      case BOOLEAN -> column.addBoolean(value > 9);
      case BYTE -> column.addByte((byte) value);
      case SHORT -> column.addShort((short) (value << 7));
      case INT -> column.addInt(value << 20);
      case LONG -> column.addLong((long) value << 40);
      case FLOAT -> column.addFloat(value / 3f);
      case DOUBLE -> column.addDouble(value / 3d);
      case STRING -> column.addString("x".repeat(value & 7));
    }
  }

  /** Changes one value of a page. */
  public static void change(Object page, int row) {
    if (page instanceof TextPage texts) {
      texts.replace(new int[] {row}, 1, TextPage.of(texts.get(row) + "\u0000"), 0);
    } else if (page instanceof boolean[] flags) {
      flags[row] = !flags[row];
    } else if (page instanceof double[] doubles) {
      doubles[row] = Double.longBitsToDouble(Double.doubleToRawLongBits(doubles[row]) ^ 1);
    } else if (page instanceof float[] floats) {
      floats[row] = Float.intBitsToFloat(Float.floatToRawIntBits(floats[row]) ^ 1);
    } else if (page instanceof long[] longs) {
      longs[row] ^= Long.MIN_VALUE;
    } else if (page instanceof int[] ints) {
      ints[row]++;
    } else if (page instanceof short[] shorts) {
      shorts[row]++;
    } else {
      ((byte[]) page)[row]++;
    }
  }

  private void fill(ChangeCargo.TableChangesBuilder table, int rows) {
    for (ColumnType type : ColumnType.values()) {
      table.insert("in_" + type, column(type, rows, false));
      table.insert("nullable_in_" + type, column(type, rows, true));
      ColumnBuilder rowIds = new ColumnBuilder(ColumnType.LONG);
      for (long row = 0; row < rows; row++) {
        rowIds.addLong(row * 3);
      }
      table.update("up_" + type, rowIds.build(), column(type, rows, random.nextBoolean()));
    }
    table.delete(bits(rows));
  }

  private RowBits bits(long size) {
    RowBits bits = new RowBits(size);
    for (long word = 0; word < bits.wordCount(); word++) {
      bits.setWord(word, random.nextLong());
    }
    return bits;
  }

  private ColumnValues column(ColumnType type, int rows, boolean nullable) {
    ColumnBuilder builder = new ColumnBuilder(type);
    for (int row = 0; row < rows; row++) {
      if (nullable && random.nextInt(4) == 0) {
        builder.addNull();
      } else {
        add(builder, type);
      }
    }
    return builder.build();
  }

  private void add(ColumnBuilder builder, ColumnType type) {
    switch (type) {
      case BOOLEAN -> builder.addBoolean(random.nextBoolean());
      case BYTE -> builder.addByte((byte) random.nextInt());
      case SHORT -> builder.addShort((short) random.nextInt());
      case INT -> builder.addInt(random.nextInt());
      case LONG -> builder.addLong(random.nextLong());
      case FLOAT -> builder.addFloat(canonical(Float.intBitsToFloat(random.nextInt())));
      case DOUBLE -> builder.addDouble(canonical(Double.longBitsToDouble(random.nextLong())));
      case STRING -> builder.addString(text());
    }
  }

  private static float canonical(float value) {
    return Float.isNaN(value) ? Float.NaN : value;
  }

  private static double canonical(double value) {
    return Double.isNaN(value) ? Double.NaN : value;
  }

  private @Nullable String text() {
    String alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(12); length > 0; length--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
