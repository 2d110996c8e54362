package io.drayage.bench.codecs;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.codec.BulkValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The reference for segments. It copies every column except texts unchanged to direct buffers,
 * which are reused cyclically like the pooled buffers of {@link SegmentSerialization}; or out of
 * direct memory into new arrays. No cargo can be written or read with less work.
 */
final class CopyWork extends Work {
  private static final int BUFFER_BYTES = 1 << 20;

  /** Values that fit into a buffer. */
  private record Piece(ColumnValues values, long firstRow, int rows) {
    int bytes() {
      return rows * values.type().widthBytes();
    }

    static List<Piece> of(ChangeCargo cargo) {
      List<Piece> pieces = new ArrayList<>();
      for (PartContent content : CargoAssembler.contentsOf(cargo)) {
        if (content instanceof ColumnValues values && values.type().isFixedWidth()) {
          ColumnValues plain = withoutNulls(values);
          int most = BUFFER_BYTES / values.type().widthBytes();
          for (long row = 0; row < values.rowCount(); row += most) {
            pieces.add(new Piece(plain, row, (int) Math.min(most, values.rowCount() - row)));
          }
        }
      }
      return pieces;
    }

    private static ColumnValues withoutNulls(ColumnValues values) {
      Object[] pages = (Object[]) Array.newInstance(values.type().pageClass(), values.pageCount());
      Arrays.setAll(pages, values::page);
      return ColumnValues.of(pages, values.rowCount(), null);
    }
  }

  private final Direction direction;
  private final List<Piece> pieces;
  private final BulkValues bulk = new BulkValues();
  private final List<ByteBuffer> buffers = new ArrayList<>();

  CopyWork(Direction direction, ChangeCargo cargo) {
    super(Piece.of(cargo).stream().mapToLong(Piece::bytes).sum());
    this.direction = direction;
    this.pieces = Piece.of(cargo);
    if (direction == Direction.SERIALIZATION) {
      for (int i = 0; i < SegmentSerialization.IN_FLIGHT_BYTES / BUFFER_BYTES; i++) {
        buffers.add(allocate(BUFFER_BYTES));
      }
    } else {
      pieces.forEach(piece -> buffers.add(write(piece, allocate(piece.bytes()))));
    }
    encoded(rawBytes(), 0);
  }

  /** Allocates direct memory in the byte order of arrays. */
  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private ByteBuffer write(Piece piece, ByteBuffer target) {
    bulk.write(piece.values, piece.firstRow, piece.rows, target.clear());
    return target.flip();
  }

  private ColumnValues read(Piece piece, ByteBuffer source) {
    ColumnValues copy = ColumnValues.allocate(piece.values.type(), piece.rows, false);
    bulk.read(source.rewind(), copy, 0, piece.rows);
    return copy;
  }

  @Override
  public Object run() {
    List<Object> made = new ArrayList<>(pieces.size());
    for (int i = 0; i < pieces.size(); i++) {
      ByteBuffer buffer = buffers.get(i % buffers.size());
      Piece piece = pieces.get(i);
      made.add(direction == Direction.SERIALIZATION ? write(piece, buffer) : read(piece, buffer));
    }
    return made;
  }

  @Override
  public void verify(long digest) throws ShipmentException {
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      ByteBuffer buffer = buffers.get(i % buffers.size());
      if (direction == Direction.SERIALIZATION) {
        write(piece, buffer);
      }
      if (CargoDigest.ofColumn(read(piece, buffer))
          != CargoDigest.ofRows(piece.values, piece.firstRow, piece.rows, 0)) {
        throw new ShipmentException(Fault.DIGEST, format("piece %,d was not copied correctly", i));
      }
    }
  }
}
