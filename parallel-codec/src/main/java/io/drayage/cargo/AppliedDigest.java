package io.drayage.cargo;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * A 64-bit digest of the changes that a node applies in a commit. Every node computes it. The
 * digest guards against mistakes, not against an adversary: it is no cryptographic hash.
 *
 * <p>Like {@link CargoDigest}, this digest depends neither on paging nor on the values in null
 * places. The computation needs a fraction of the time: the values of 65,536 rows are one CRC32C,
 * which the CPU computes. So this digest cannot be summed up row by row, and is another number.
 */
public final class AppliedDigest {
  /** Rows of a block. Each block has one CRC, whatever the size of the pages. */
  private static final int BLOCK_ROWS = 65_536;

  private AppliedDigest() {}

  /** The digest of {@code cargo}. Uses the common pool. */
  public static long of(ChangeCargo cargo) {
    return CargoDigest.of(cargo, AppliedDigest::ofColumn);
  }

  /**
   * The digest of {@code applied}, which must equal the digest of {@code received}. Columns of both
   * that share their pages are read once. Uses the common pool.
   *
   * @throws IllegalStateException if the digests differ; the message has both
   */
  public static long ofSame(ChangeCargo applied, ChangeCargo received) {
    List<Known> known = new ArrayList<>();
    long found =
        CargoDigest.of(
            applied,
            column -> {
              Known read = new Known(column, ofColumn(column));
              known.add(read);
              return read.digest;
            });
    var inOrder = known.iterator();
    long expected =
        CargoDigest.of(
            received,
            column -> {
              Known same = inOrder.hasNext() ? inOrder.next() : null;
              return same != null && sharesPages(same.column, column)
                  ? same.digest
                  : ofColumn(column);
            });
    if (found != expected) {
      throw new IllegalStateException(
          "transaction %s has digest %s in memory, but was received with digest %s"
              .formatted(
                  received.transactionId(), CargoDigest.toHex(found), CargoDigest.toHex(expected)));
    }
    return found;
  }

  /**
   * The digest of a transaction of several cargoes, in their order. If a transaction has one cargo,
   * the cargo's digest is the transaction's.
   *
   * @param before the digest of the cargoes before; 0 if there are none
   * @param next the digest of the next cargo
   */
  public static long followedBy(long before, long next) {
    return Long.rotateLeft(before, 1) + next;
  }

  private record Known(ColumnValues column, long digest) {}

  private static boolean sharesPages(ColumnValues one, ColumnValues other) {
    boolean same =
        one.type() == other.type()
            && one.rowCount() == other.rowCount()
            && one.rowsPerPage() == other.rowsPerPage()
            && !one.isOnDemand()
            && !other.isOnDemand()
            && (Objects.equals(one.validity(), other.validity())
                || (isFilled(one) && isFilled(other)));
    for (int page = 0; same && page < one.pageCount(); page++) {
      same = one.page(page) == other.page(page);
    }
    return same;
  }

  private static boolean isFilled(ColumnValues values) {
    RowBits validity = values.validity();
    return validity == null || validity.cardinality() == validity.size();
  }

  private static long ofColumn(ColumnValues values) {
    int blocks = (int) ((values.rowCount() + BLOCK_ROWS - 1) / BLOCK_ROWS);
    IntStream all = IntStream.range(0, blocks);
    return (blocks > 1 ? all.parallel() : all)
        .mapToLong(
            block -> {
              long from = (long) block * BLOCK_ROWS;
              int rows = (int) Math.min(BLOCK_ROWS, values.rowCount() - from);
              long values32 = new Block(values).checksum(from, rows);
              return CargoDigest.term(values32, block) + nulls(values, from, rows);
            })
        .sum();
  }

  /** The digest of the nulls of a block: 0 if there are none, with or without validity bits. */
  private static long nulls(ColumnValues values, long from, int rows) {
    RowBits validity = values.validity();
    long sum = 0;
    for (int row = 0; validity != null && row < rows; row += Long.SIZE) {
      long nulls = ~validity.word((from + row) >>> 6) & firstBits(rows - row);
      sum += nulls == 0 ? 0 : CargoDigest.term(nulls, ~(from + row));
    }
    return sum;
  }

  private static long firstBits(int count) {
    return count < Long.SIZE ? (1L << count) - 1 : -1;
  }

  /** Computes the CRC of a block's values, through a buffer that stays in the first-level cache. */
  private static final class Block {
    private static final int PIECE_BYTES = 4_096;

    private final ColumnValues values;
    private final CRC32C crc = new CRC32C();

    /** The CRC of the bytes of texts. {@code crc} has their lengths. */
    private final CRC32C texts = new CRC32C();

    private final byte[] piece = new byte[PIECE_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);

    Block(ColumnValues values) {
      this.values = values;
    }

    long checksum(long from, int rows) {
      int width = Math.max(1, values.type().widthBytes());
      long end = from + rows;
      for (long row = from; row < end; ) {
        int offset = values.offsetOf(row);
        int count = (int) Math.min(end - row, values.rowsPerPage() - offset);
        Object page = values.page(values.pageOf(row));
        if (page instanceof TextPage texts) {
          addTexts(texts, row, offset, count);
        } else if (page instanceof byte[] bytes && values.validity() == null) {
          crc.update(bytes, offset, count);
        } else {
          for (int done = 0; done < count; done += PIECE_BYTES / width) {
            int some = Math.min(count - done, PIECE_BYTES / width);
            copy(page, offset + done, some);
            clearNulls(row + done, some, width);
            crc.update(piece, 0, some * width);
          }
        }
        row += count;
      }
      return crc.getValue() | texts.getValue() << Integer.SIZE;
    }

    private void copy(Object page, int offset, int count) {
      if (page instanceof long[] longs) {
        buffer.asLongBuffer().put(0, longs, offset, count);
      } else if (page instanceof double[] doubles) {
        buffer.asDoubleBuffer().put(0, doubles, offset, count);
      } else if (page instanceof int[] ints) {
        buffer.asIntBuffer().put(0, ints, offset, count);
      } else if (page instanceof float[] floats) {
        buffer.asFloatBuffer().put(0, floats, offset, count);
      } else if (page instanceof short[] shorts) {
        buffer.asShortBuffer().put(0, shorts, offset, count);
      } else if (page instanceof byte[] bytes) {
        System.arraycopy(bytes, offset, piece, 0, count);
      } else {
        boolean[] flags = (boolean[]) page;
        for (int i = 0; i < count; i++) {
          piece[i] = (byte) (flags[offset + i] ? 1 : 0);
        }
      }
    }

    /** Clears the values under nulls, which are not part of the digest. */
    private void clearNulls(long row, int count, int width) {
      RowBits validity = values.validity();
      int done = 0;
      while (validity != null && done < count) {
        long at = row + done;
        int some = Math.min(count - done, Long.SIZE - (int) (at & 63));
        long nulls = ~validity.word(at >>> 6) >>> at & firstBits(some);
        for (; nulls != 0; nulls &= nulls - 1) {
          int place = (done + Long.numberOfTrailingZeros(nulls)) * width;
          Arrays.fill(piece, place, place + width, (byte) 0);
        }
        done += some;
      }
    }

    /** Adds the length and the bytes of each text; a null counts as the empty text. */
    private void addTexts(TextPage page, long firstRow, int offset, int count) {
      long row = firstRow;
      int used = 0;
      for (TextRun run : page.runs(offset, count)) {
        int from = run.start(0);
        for (int i = 0; i < run.rows(); i++) {
          boolean isNull = values.isNull(row++);
          if (used == PIECE_BYTES) {
            crc.update(piece, 0, used);
            used = 0;
          }
          buffer.putInt(used, isNull ? 0 : run.length(i));
          used += Integer.BYTES;
          if (isNull) {
            texts.update(run.bytes(), from, run.start(i) - from);
            from = run.start(i + 1);
          }
        }
        texts.update(run.bytes(), from, run.start(run.rows()) - from);
      }
      crc.update(piece, 0, used);
    }
  }
}
