package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cuts and flips the bytes that a pair of codecs wrote, and reads them. The result must be an
 * {@link IOException} or a cargo, and only the original cargo may have its digest. The checksums of
 * segment frames are made right again, because the codecs themselves must detect the damage.
 *
 * <p>Run by {@link HostileBytesTest} in a JVM with a small heap: an array of a size that the bytes
 * merely claim ends the JVM.
 */
class HostileBytes {
  /** The limit of a reader; the heap is not much larger. */
  static final long MAX_CARGO_BYTES = 8 << 20;

  final CodecPair pair;
  final ChangeCargo cargo = HostileCargo.of();
  private final long digest = CargoDigest.of(cargo);
  private final ByteBuffer frame =
      ByteBuffer.allocateDirect(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
  private final List<?> values = HostileCargo.values(cargo);

  HostileBytes(CodecPair pair) {
    this.pair = pair;
  }

  /** Tries every pair. The last line of the output names the current pair. */
  public static void main(String[] args) throws Exception {
    for (CodecPair pair : CodecPair.all()) {
      boolean each = CodecPair.eachCodec().contains(pair);
      System.out.println(pair);
      new HostileBytes(pair).trySegments(each ? 1 : Integer.parseInt(args[0]));
    }
    System.out.println("done");
  }

  /**
   * @param step 1 for every cut and every bit, n for every n-th one
   */
  private void trySegments(int step) throws Exception {
    SegmentsTrip trip = new SegmentsTrip(pair);
    Manifest manifest = trip.plan(cargo);
    List<ByteBuffer> frames = trip.encode(manifest, cargo);
    try (SegmentDecoder decoder = trip.newDecoder()) {
      for (int f = 0; f < frames.size(); f++) {
        byte[] payload = payload(frames.get(f));
        for (int length = 0; length < payload.length; length += step) {
          byte[] cut = Arrays.copyOf(payload, length);
          checkSegment(format("cut to %d", length), decoder, manifest, frames, f, cut);
        }
        for (int bit = new Random(f).nextInt(step); bit < payload.length * 8; bit += step) {
          byte[] flipped = payload.clone();
          flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
          checkSegment(format("with bit %d flipped", bit), decoder, manifest, frames, f, flipped);
        }
      }
    }
  }

  /** Decodes all segments, one of them with another payload. */
  private void checkSegment(
      String what,
      SegmentDecoder decoder,
      Manifest manifest,
      List<ByteBuffer> frames,
      int broken,
      byte[] payload) {
    check(
        format("segment %d of %d bytes %s", broken, payload.length, what),
        () -> {
          CargoAssembler assembler = new CargoAssembler(manifest);
          decoder.decode(direct(payload), assembler);
          for (int f = 0; f < frames.size(); f++) {
            if (f != broken) {
              decoder.decode(direct(payload(frames.get(f))), assembler);
            }
          }
          return assembler.cargo();
        });
  }

  private static byte[] payload(ByteBuffer frame) {
    byte[] payload = new byte[frame.limit() - FrameHeader.BYTES];
    frame.get(FrameHeader.BYTES, payload);
    return payload;
  }

  private ByteBuffer direct(byte[] bytes) {
    return frame.clear().put(bytes).flip();
  }

  final void check(String what, Reading reading) {
    ChangeCargo read;
    try {
      read = reading.read();
    } catch (IOException e) {
      requireNamed(what, e);
      return;
    } catch (Throwable e) {
      throw new AssertionError("%s: %s: not an IOException: %s".formatted(pair, what, e), e);
    }
    if (CargoDigest.of(read) == digest && !HostileCargo.values(read).equals(values)) {
      throw new AssertionError(
          "%s: %s: another cargo has the digest of the one that was sent".formatted(pair, what));
    }
  }

  private void requireNamed(String what, IOException e) {
    if (e instanceof ShipmentException && String.valueOf(e.getMessage()).isBlank()) {
      throw new AssertionError("%s: %s: refused without a reason".formatted(pair, what), e);
    }
  }

  /** Reads a cargo from broken bytes. */
  interface Reading {
    ChangeCargo read() throws IOException;
  }

  /** A cargo so small that each of its bits can be flipped, compared without a digest. */
  private static final class HostileCargo {

    /** A column of each type, some with nulls, an update and deleted rows; three rows each. */
    static ChangeCargo of() {
      return TestContent.ofTable(
              "small",
              table -> {
                for (ColumnType type : ColumnType.values()) {
                  table.insert("i" + type.id(), column(type));
                }
                long[][] rows = {{4, 5, 900}};
                table.update("u", ColumnValues.of(rows), column(ColumnType.INT));
                RowBits deleted = new RowBits(70);
                deleted.set(1);
                deleted.set(69);
                table.delete(deleted);
              })
          .cargo();
    }

    private static ColumnValues column(ColumnType type) {
      ColumnBuilder column = new ColumnBuilder(type);
      int values = type.id() % 2 == 0 ? 2 : 3;
      for (int row = 1; row <= values; row++) {
        switch (type) {
          case BOOLEAN -> column.addBoolean(row == 2);
          case BYTE -> column.addByte((byte) row);
          case SHORT -> column.addShort((short) (row << 8));
          case INT -> column.addInt(-row);
          case LONG -> column.addLong(row * 1_000_000_007L);
          case FLOAT -> column.addFloat(row / 2f);
          case DOUBLE -> column.addDouble(row / 3d);
          case STRING -> column.addString(row == 2 ? "zwölf 汉" : "abcabcabcabc");
        }
      }
      return values == 2 ? column.addNull().build() : column.build();
    }

    /** All data that a digest covers, value by value: equal lists are equal cargoes. */
    static List<@Nullable Object> values(ChangeCargo cargo) {
      List<@Nullable Object> all = new ArrayList<>();
      all.add(new UUID(cargo.transactionId().getMostSignificantBits(), cargo.baseSnapshot()));
      all.add(cargo.transactionId());
      for (TableChanges table : cargo.tables()) {
        all.add(table.table());
        for (InsertedColumn inserted : table.insertedColumns()) {
          all.add(inserted.column());
          addValues(inserted.values(), all);
        }
        for (ColumnUpdates update : table.updates()) {
          all.add(update.column());
          addValues(update.rowIds(), all);
          addValues(update.values(), all);
        }
        all.add(Objects.requireNonNullElse(table.deletedRows(), "no deletes"));
      }
      return all;
    }

    private static void addValues(ColumnValues values, List<@Nullable Object> all) {
      all.add(values.type());
      for (long row = 0; row < values.rowCount(); row++) {
        Object value = values.get(row);
        all.add(
            value instanceof Double number ? (Object) Double.doubleToRawLongBits(number) : value);
      }
    }
  }
}
