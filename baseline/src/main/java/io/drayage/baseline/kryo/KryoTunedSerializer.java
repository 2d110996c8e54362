package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.segment.SegmentSerializer;

/**
 * {@code kryo-tuned}, what a user of today would do: a large buffer, arrays of fixed length copied
 * in bulk without {@code Unsafe}, and nothing flushed but the buffer itself.
 */
public final class KryoTunedSerializer extends KryoSerializer {
  /** As much as a segment. */
  private static final int BUFFER_BYTES = 1 << 20;

  public KryoTunedSerializer() {
    super(5, "kryo-tuned", BUFFER_BYTES);
  }

  @Override
  Output newOutput(int bytes) {
    return new KryoBulkOutput(bytes);
  }

  @Override
  Input newInput(int bytes) {
    return new KryoBulkInput(bytes);
  }

  /** Pages are copied to and from a segment's buffer directly. */
  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new KryoBulkSegmentSerializer(new KryoSegmentSerializer(this));
  }
}
