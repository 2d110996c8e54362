package io.drayage.serializer.columnar;

import io.drayage.cargo.ChangeCargo;
import io.drayage.columnar.ColumnarOptions;
import io.drayage.columnar.ColumnarSegmentSerializer;
import io.drayage.compressor.Compressor;
import io.drayage.compressor.Compressors;
import io.drayage.frame.FrameHeader;
import io.drayage.segment.CargoFrames;
import io.drayage.segment.SegmentSerializer;
import io.drayage.serializer.Serializer;
import io.drayage.serializer.raw.RawSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Every segment in the encodings that suit its values ({@code docs/columnar-format.md}). As a
 * stream, a cargo is its frames, one after the other ({@link CargoFrames}).
 */
public final class ColumnarSerializer implements Serializer {
  static final int ID = 9;

  private final ColumnarOptions options;

  /** One with {@link ColumnarOptions#DEFAULT}. */
  public ColumnarSerializer() {
    this(ColumnarOptions.DEFAULT);
  }

  /** One that chooses for a certain link. What it writes, any other reads. */
  public ColumnarSerializer(ColumnarOptions options) {
    this.options = options;
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "columnar";
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
    return new ColumnarSegmentSerializer(options, new RawSerializer().newSegmentSerializer());
  }
}
