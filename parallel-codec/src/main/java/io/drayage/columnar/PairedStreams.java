package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** The streams within an encoding of texts. For one thread. */
final class PairedStreams implements IntegerStreams {
  private final StreamWriter writer;
  private final StreamReader reader;

  PairedStreams(StreamWriter writer, StreamReader reader) {
    this.writer = writer;
    this.reader = reader;
  }

  @Override
  public void writeInts(int[] values, int count, ByteBuffer target) {
    writer.write(Values.of(Kind.INT, values, count), target);
  }

  @Override
  public void writeLongs(long[] values, int count, ByteBuffer target) {
    writer.write(Values.of(Kind.LONG, values, count), target);
  }

  @Override
  public void readInts(ByteBuffer source, int count, int[] target) throws ShipmentException {
    reader.read(source, count, Room.of(Kind.INT, target));
  }

  @Override
  public void readLongs(ByteBuffer source, int count, long[] target) throws ShipmentException {
    reader.read(source, count, Room.of(Kind.LONG, target));
  }
}
