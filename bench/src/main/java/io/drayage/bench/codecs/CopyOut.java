package io.drayage.bench.codecs;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.codec.BulkValues;
import io.drayage.segment.CargoAssembler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for serialization: every column but texts is copied as it is into direct buffers,
 * which are used in turns like the pooled buffers of {@link SegmentSerialization}. No bytes can be
 * made with less work.
 */
final class CopyOut extends Work {
  private static final int BUFFER_BYTES = 1 << 20;

  /** Values of one column that fit into a buffer. */
  record Piece(ColumnValues values, long firstRow, int rows) {
    int bytes() {
      return rows * values.type().widthBytes();
    }

    /** Fills a whole buffer. */
    ByteBuffer writeTo(ByteBuffer target, BulkValues bulk) {
      bulk.write(values, firstRow, rows, target);
      return target.flip();
    }

    static List<Piece> of(ChangeCargo cargo) {
      List<Piece> pieces = new ArrayList<>();
      for (PartContent content : CargoAssembler.contentsOf(cargo)) {
        if (content instanceof ColumnValues values && values.type().isFixedWidth()) {
          int most = BUFFER_BYTES / values.type().widthBytes();
          for (long row = 0; row < values.rowCount(); row += most) {
            pieces.add(new Piece(values, row, (int) Math.min(most, values.rowCount() - row)));
          }
        }
      }
      return pieces;
    }

    static long bytesOf(ChangeCargo cargo) {
      return of(cargo).stream().mapToLong(Piece::bytes).sum();
    }
  }

  private final ChangeCargo cargo;
  private final List<Piece> pieces;
  private final BulkValues bulk = new BulkValues();
  private final List<ByteBuffer> ring = new ArrayList<>();

  CopyOut(ChangeCargo cargo) {
    super(Piece.bytesOf(cargo));
    this.cargo = cargo;
    this.pieces = Piece.of(cargo);
    for (int i = 0; i < SegmentSerialization.IN_FLIGHT_BYTES / BUFFER_BYTES; i++) {
      ring.add(allocate(BUFFER_BYTES));
    }
    encoded(rawBytes(), 0);
  }

  /** Direct memory in the byte order of arrays. */
  static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public Object run() {
    for (int i = 0; i < pieces.size(); i++) {
      pieces.get(i).writeTo(ring.get(i % ring.size()).clear(), bulk);
    }
    return ring;
  }

  @Override
  public void verify(long digest) throws Exception {
    try (Work reading = new CopyIn(cargo)) {
      reading.verify(digest);
    }
  }
}
