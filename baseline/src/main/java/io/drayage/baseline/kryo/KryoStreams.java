package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.segment.SegmentSerializer;

/** One way to run Kryo: the buffers through which it writes and reads. Thread-safe, stateless. */
interface KryoStreams {
  /** The size of the buffers between Kryo and the streams of a whole cargo. */
  int bufferBytes();

  /**
   * Whether ints and longs take fewer bytes when they are near zero, and more when they are not.
   */
  boolean isVariableLength();

  /** An output with a buffer of {@code bufferBytes}, still without a stream below it. */
  Output newOutput(int bufferBytes);

  /** An input with a buffer of {@code bufferBytes}, still without a stream below it. */
  Input newInput(int bufferBytes);

  /** A serializer of single segments over such buffers. */
  default SegmentSerializer newSegmentSerializer() {
    return new KryoSegmentSerializer(this);
  }

  /**
   * Checks that they can be used in this JVM.
   *
   * @throws UnsupportedOperationException if this JVM lacks what they need, saying what helps
   */
  default void requireUsable() {}
}
