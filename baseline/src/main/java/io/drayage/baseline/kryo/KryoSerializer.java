package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.LimitedInputStream;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Kryo 5 over one of three kinds of buffers. Byte for byte what Kryo's defaults write for the
 * classes of a cargo, registered, without references, if the pages of texts are arrays of strings;
 * only a NaN keeps its bits, which Kryo alone would make canonical.
 *
 * <p>{@link KryoDefaultSerializer kryo} and {@link KryoUnsafeSerializer kryo-unsafe} are what the
 * study ran, flaws included: each time Kryo's 4 kB are full, it <em>flushes</em> the stream below,
 * and a compressor ends its block; texts are strings. {@link KryoTunedSerializer kryo-tuned} is
 * Kryo as well as we can, and writes the bytes of texts.
 *
 * <p>What is read is not trusted: classes come by registered numbers only, lengths are charged
 * before anything is allocated, and the cargo is built as if a user had handed it in.
 */
abstract class KryoSerializer implements StreamSerializer {
  /** An int of 4 bytes may take 5, a long 9. */
  private static final int MAX_VARIABLE_SEGMENT_BYTES = 3 << 20;

  /** What Kryo's streams have by default. */
  static final int STUDY_BUFFER_BYTES = 4_096;

  private final int id;
  private final String name;

  /** The size of the buffers between Kryo and the streams of a whole cargo. */
  private final int bufferBytes;

  KryoSerializer(int id, String name, int bufferBytes) {
    this.id = id;
    this.name = name;
    this.bufferBytes = bufferBytes;
  }

  /** Whether ints and longs are shorter when they are near zero, and longer when they are not. */
  boolean isVariableLength() {
    return false;
  }

  /** How pages are written. */
  final KryoPages pages() {
    return new KryoPages(carriesStrings());
  }

  /** Creates an output with a buffer of {@code bytes}, still without a stream below it. */
  abstract Output newOutput(int bytes);

  /** Creates an input with a buffer of {@code bytes}, still without a stream below it. */
  abstract Input newInput(int bytes);

  @Override
  public final int id() {
    return id;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    requireUsable();
    Output output = newOutput(bufferBytes);
    output.setOutputStream(out);
    try {
      KryoCargo.write(output, cargo, pages());
      output.flush();
    } catch (KryoException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getMessage(), e);
    }
  }

  /** Reads a cargo. Arrays and texts are charged before they are allocated. */
  @Override
  public final ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException {
    requireUsable();
    Input input = newInput(bufferBytes);
    input.setInputStream(LimitedInputStream.ofCargo(in, memory.maxBytes()));
    try {
      ChangeCargo cargo = KryoCargo.read(input, new KryoAccount(memory), pages());
      if (!input.end()) {
        throw KryoAccount.refusal("bytes behind the cargo");
      }
      return cargo;
    } catch (RuntimeException e) {
      throw explain(e);
    }
  }

  /** What a broken stream made Kryo or the model throw, as the error of a stream. */
  static IOException explain(RuntimeException e) {
    if (e.getCause() instanceof IOException cause) {
      return cause;
    }
    if (e instanceof KryoBufferUnderflowException) {
      EOFException end = new EOFException("the stream ends in the middle");
      end.initCause(e);
      return end;
    }
    return new IOException("the bytes are not valid: " + e.getMessage(), e);
  }

  @Override
  public final int maxSegmentBytes() {
    return isVariableLength() ? MAX_VARIABLE_SEGMENT_BYTES : Segment.MAX_RAW_BYTES;
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    requireUsable();
    return new KryoSegmentSerializer(this);
  }
}
