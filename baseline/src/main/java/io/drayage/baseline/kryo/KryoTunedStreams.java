package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.segment.SegmentSerializer;

/**
 * What a user of today would do: a large buffer, arrays of fixed length copied in bulk without
 * {@code Unsafe}, and nothing flushed but the buffer itself.
 */
final class KryoTunedStreams implements KryoStreams {
  /** As much as a segment. */
  private static final int BUFFER_BYTES = 1 << 20;

  @Override
  public int bufferBytes() {
    return BUFFER_BYTES;
  }

  @Override
  public boolean isVariableLength() {
    return false;
  }

  @Override
  public Output newOutput(int bufferBytes) {
    return new KryoBulkOutput(bufferBytes);
  }

  @Override
  public Input newInput(int bufferBytes) {
    return new KryoBulkInput(bufferBytes);
  }

  /** Pages are copied to and from a segment's buffer directly. */
  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new KryoBulkSegmentSerializer(new KryoSegmentSerializer(this));
  }
}
