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
 * Kryo 5 with one of three kinds of buffers. The bytes are those of Kryo's defaults for the
 * registered classes of a cargo, without references, if the pages of texts are arrays of strings.
 * Only a NaN differs: it keeps its bits, which Kryo alone would make canonical.
 *
 * <p>{@link KryoDefaultSerializer kryo} and {@link KryoUnsafeSerializer kryo-unsafe} are as in the
 * study, with its flaws: each time 4 kB are full, Kryo <em>flushes</em> the stream below, and a
 * compressor ends its block; texts are strings. {@link KryoTunedSerializer kryo-tuned} is the best
 * use of Kryo that we know, and writes the bytes of texts.
 *
 * <p>The input is not trusted. Classes have registered numbers only, lengths are charged before
 * anything is allocated, and the cargo is built with the checks for a user's cargo.
 */
abstract class KryoSerializer implements StreamSerializer {
  /** The most bytes of a segment: an int of 4 bytes may need 5, a long 9. */
  private static final int MAX_VARIABLE_SEGMENT_BYTES = 3 << 20;

  /** The default buffer size of Kryo's streams. */
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

  /** Whether ints and longs have a variable length: shorter if they are near zero. */
  boolean isVariableLength() {
    return false;
  }

  /** The format of pages. */
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

  /** Converts an exception of Kryo or the model about a broken stream to the error of a stream. */
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
