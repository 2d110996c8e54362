package io.drayage.bench.codecs;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for deserialization: every column but texts is copied out of direct memory into new
 * arrays. No cargo can be made with less work.
 */
final class CopyIn extends Work {
  private record Source(ColumnType type, int rows, ByteBuffer bytes) {}

  private final List<Source> sources = new ArrayList<>();
  private final BulkValues bulk = new BulkValues();

  CopyIn(ChangeCargo cargo) {
    super(CopyOut.Piece.bytesOf(cargo));
    for (CopyOut.Piece piece : CopyOut.Piece.of(cargo)) {
      sources.add(
          new Source(
              piece.values().type(),
              piece.rows(),
              piece.writeTo(CopyOut.allocate(piece.bytes()), bulk)));
    }
    encoded(rawBytes(), 0);
  }

  @Override
  public List<ColumnValues> run() {
    List<ColumnValues> copies = new ArrayList<>(sources.size());
    for (Source source : sources) {
      ColumnValues copy = ColumnValues.allocate(source.type, source.rows, false);
      bulk.read(source.bytes.rewind(), copy, 0, source.rows);
      copies.add(copy);
    }
    return copies;
  }

  @Override
  public void verify(long digest) throws ShipmentException {
    List<ColumnValues> copies = run();
    for (int i = 0; i < copies.size(); i++) {
      Source source = sources.get(i);
      CopyOut.Piece copy = new CopyOut.Piece(copies.get(i), 0, source.rows);
      if (!copy.writeTo(CopyOut.allocate(copy.bytes()), bulk).equals(source.bytes.rewind())) {
        throw new ShipmentException(Fault.DIGEST, "piece %,d was not copied as it is".formatted(i));
      }
    }
  }
}
