package io.drayage.cargo;

import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cargoes of every type for tests; the same seed makes the same cargo. Every NaN is the canonical
 * one: Java serialization of a whole cargo keeps no other.
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
