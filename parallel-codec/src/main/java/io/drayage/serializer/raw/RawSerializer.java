package io.drayage.serializer.raw;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.compressor.Compressors;
import io.drayage.frame.FrameHeader;
import io.drayage.segment.CargoFrames;
import io.drayage.segment.SegmentSerializer;
import io.drayage.serializer.Serializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The plain form of a cargo: little-endian values, copied in bulk. In the segments pipeline each
 * segment is written by a {@link RawSegmentSerializer}; as a stream, a cargo is its frames, one
 * after the other ({@link CargoFrames}).
 */
public final class RawSerializer implements Serializer {
  static final int ID = 2;

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    frames().write(cargo, out);
  }

  /** Reads exactly the frames of one cargo; each is at most {@link FrameHeader} allows. */
  @Override
  public ChangeCargo readCargo(InputStream in, long maxCargoBytes) throws IOException {
    return frames().read(in, maxCargoBytes);
  }

  private CargoFrames frames() {
    return new CargoFrames(newSegmentSerializer(), ID, Compressors.ofId(Compressor.STORED_ID));
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new RawSegmentSerializer();
  }
}
