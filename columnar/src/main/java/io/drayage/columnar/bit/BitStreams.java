package io.drayage.columnar.bit;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.StreamTooLongException;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads streams of bits: raw, in words of 64, or as one of the {@link BitEncoding}s. Not
 * thread-safe; reused.
 */
public final class BitStreams {
  private static final int RAW_ID = 37;
  private static final String RAW = "BITS";

  /** What writing and reading a raw word takes. */
  private static final double NS_PER_WORD = 1;

  private final double nsPerByte;
  private final List<BitEncoding> encodings;

  /**
   * @param nsPerByte what a byte costs behind the encoding
   * @param within writes and reads the distances
   */
  public BitStreams(double nsPerByte, Streams within) {
    this.nsPerByte = nsPerByte;
    this.encodings = List.of(new BitGaps(within), new BitRuns(within));
  }

  /** At most how many bytes a stream of so many bits takes. */
  public static int maxBytes(int bits) {
    return StreamHeader.BYTES + Bits.words(bits) * Long.BYTES;
  }

  /**
   * Writes a stream, at most {@link #maxBytes}.
   *
   * @param words bits of the last word beyond {@code bits} are clear
   * @param like how a stream like this was written; null if that is not known
   */
  public Scheme write(long[] words, int bits, @Nullable Scheme like, ByteBuffer target) {
    BitCounts counts = BitCounts.of(words, bits);
    BitEncoding encoding = choose(counts);
    int start = StreamHeader.begin(target);
    if (encoding != null) {
      try {
        int end = start + maxBytes(bits);
        Scheme known = like != null && like.id() == encoding.id() ? like.child(0) : null;
        Scheme distances = encoding.write(words, counts, known, target, end);
        StreamHeader.end(target, start, encoding.id());
        int bytes = target.position() - start;
        return new Scheme(encoding.id(), encoding.name(), bits, bytes, List.of(distances));
      } catch (StreamTooLongException e) {
        target.position(start);
        StreamHeader.begin(target);
      }
    }
    target.asLongBuffer().put(words, 0, Bits.words(bits));
    target.position(target.position() + Bits.words(bits) * Long.BYTES);
    StreamHeader.end(target, start, RAW_ID);
    return new Scheme(RAW_ID, RAW, bits, target.position() - start, List.of());
  }

  private @Nullable BitEncoding choose(BitCounts counts) {
    BitEncoding best = null;
    double bestNs = (nsPerByte * Long.BYTES + NS_PER_WORD) * Bits.words(counts.bits());
    for (BitEncoding encoding : encodings) {
      double ns = encoding.ns(counts, nsPerByte);
      if (ns < bestNs) {
        best = encoding;
        bestNs = ns;
      }
    }
    return best;
  }

  /**
   * Reads a stream of {@code bits} bits.
   *
   * @param words filled; bits of the last word beyond {@code bits} are clear afterwards
   */
  public Scheme read(ByteBuffer source, int bits, long[] words) throws ShipmentException {
    int start = source.position();
    int id = StreamHeader.read(source);
    int end = source.position() + StreamHeader.payloadBytes(source);
    int limit = source.limit();
    source.limit(end);
    String name = RAW;
    List<Scheme> distances = List.of();
    if (id == RAW_ID) {
      Malformed.unlessExactly("a set of bits", source, Bits.words(bits) * (long) Long.BYTES);
      source.asLongBuffer().get(words, 0, Bits.words(bits));
      source.position(end);
    } else {
      BitEncoding encoding = encodingOf(id);
      name = encoding.name();
      distances = encoding.read(source, bits, words);
    }
    Malformed.unlessExactly("the end of a set of bits", source, 0);
    source.limit(limit);
    words[Bits.words(bits) - 1] &= -1L >>> -bits;
    return new Scheme(id, name, bits, end - start, distances);
  }

  private BitEncoding encodingOf(int id) throws ShipmentException {
    for (BitEncoding encoding : encodings) {
      if (encoding.id() == id) {
        return encoding;
      }
    }
    throw Malformed.because(format("number %d is no encoding of bits", id));
  }
}
