package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.integer.CompressedEncoding;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.BitStreams;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.StreamTooLongException;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one depth. Writes each stream in the encoding that the {@link Chooser} chooses, or
 * like another stream; reads streams, and refuses all other bytes. Not thread-safe.
 */
final class StreamCodec implements Streams {
  private final int depth;
  private final @Nullable StreamCodec within;
  private final @Nullable BitStreams bitStreams;
  private final List<Encoding> encodings;
  private final @Nullable Encoding[] byId = new Encoding[Encoding.MAX_ID + 1];
  private final Encoding raw;
  private final @Nullable Encoding lz4;
  private final List<Encoding> candidates;
  private final Chooser chooser;

  /**
   * Creates the codec for the streams of segments, and their inner streams.
   *
   * @param zstd for numbers; stays the caller's
   */
  StreamCodec(ColumnarOptions options, BlockCompressor zstd) {
    this(0, options, new MiniBlock(), zstd);
  }

  private StreamCodec(int depth, ColumnarOptions options, MiniBlock packing, BlockCompressor zstd) {
    this.depth = depth;
    Workspace workspace = new Workspace(packing);
    this.within = depth == MAX_DEPTH ? null : new StreamCodec(depth + 1, options, packing, zstd);
    this.bitStreams = within == null ? null : new BitStreams(options.nsPerByte(), within);
    this.encodings = Encodings.create(depth, workspace, within, bitStreams, zstd);
    this.candidates = encodings.stream().filter(e -> options.considers(e.costs())).toList();
    this.raw = encodings.get(0);
    for (Encoding encoding : encodings) {
      byId[encoding.id()] = encoding;
    }
    Encoding fast = byId[CompressedEncoding.LZ4_ID];
    this.lz4 = candidates.contains(fast) && !options.comparesWritten() ? fast : null;
    this.chooser = new Chooser(options, candidates);
  }

  /** The encodings of this depth; raw values come first. */
  List<Encoding> encodings() {
    return encodings;
  }

  /** The encodings that may be chosen; raw values come first. */
  List<Encoding> candidates() {
    return candidates;
  }

  /** The streams one deeper. */
  StreamCodec within() {
    if (within == null) {
      throw new IllegalStateException(format("a stream at depth %d has no inner streams", depth));
    }
    return within;
  }

  /** Streams of bits whose distances are streams one deeper. */
  BitStreams bitStreams() {
    if (bitStreams == null) {
      throw new IllegalStateException(format("a stream at depth %d has no inner bits", depth));
    }
    return bitStreams;
  }

  @Override
  public Scheme write(Values values, @Nullable Scheme like, ByteBuffer target, int maxBytes) {
    int start = target.position();
    int limit = target.limit();
    long rawBytes = (long) values.count() * values.rawWidth();
    long most = Math.max(0, Math.min(maxBytes, StreamHeader.BYTES + rawBytes));
    target.limit((int) Math.min(limit, start + most));
    Scheme written = null;
    if (values.count() > 0) {
      written = like == null ? null : writeLike(like, values, target);
      written = written == null ? writeBest(values, target) : written;
    }
    target.limit(limit);
    if (written != null) {
      return written;
    }
    if (StreamHeader.BYTES + rawBytes > maxBytes) {
      throw new StreamTooLongException();
    }
    target.position(start);
    return writeRaw(values, target);
  }

  /** Writes a stream that is the model for many others. */
  Scheme writeFirst(Values values, ByteBuffer target) {
    setFirstOfMany(true);
    try {
      return write(values, null, target);
    } finally {
      setFirstOfMany(false);
    }
  }

  private void setFirstOfMany(boolean isFirst) {
    chooser.setFirstOfMany(isFirst);
    if (within != null) {
      within.setFirstOfMany(isFirst);
    }
  }

  /** Writes a stream like another, without reading its values first; null if it is not similar. */
  private @Nullable Scheme writeLike(Scheme like, Values values, ByteBuffer target) {
    Encoding encoding = byId[like.id()];
    if (encoding == null || encoding == raw) {
      return null;
    }
    int start = target.position();
    Scheme written = tryToWrite(encoding, values, like, target);
    if (written != null && !written.isMuchLongerThan(like)) {
      return written;
    }
    target.position(start);
    return null;
  }

  /**
   * Writes a stream in the encoding that seems best, repeatedly, until the written encoding is the
   * best; null if raw values are best.
   */
  private @Nullable Scheme writeBest(Values values, ByteBuffer target) {
    int start = target.position();
    chooser.begin(values);
    Encoding last = raw;
    Scheme written = null;
    if (lz4 != null && chooser.mostlyRecurs()) {
      written = tryToWrite(lz4, values, chooser.scheme(lz4), target);
      if (written != null && chooser.isGoodEnough(lz4, written)) {
        return written;
      }
      chooser.noteEstimate(lz4, written);
    }
    while (true) {
      Encoding best = chooser.best();
      if (best == raw) {
        return null;
      }
      if (best == last && written != null) {
        return written;
      }
      Scheme estimated = chooser.scheme(best);
      target.position(start);
      written = tryToWrite(best, values, estimated, target);
      boolean isCompared = depth == 0 && chooser.comparesWritten();
      if (written != null && !isCompared && !written.isMuchLongerThan(estimated)) {
        return written;
      }
      chooser.note(best, written);
      last = best;
    }
  }

  /** Writes a stream in one encoding; null if that fails. */
  private @Nullable Scheme tryToWrite(
      Encoding encoding, Values values, Scheme scheme, ByteBuffer target) {
    try {
      return writeAs(encoding, values, scheme, target);
    } catch (BufferOverflowException | StreamTooLongException e) {
      return null; // The encoding needs more bytes than raw values.
    }
  }

  /** Writes values in one encoding; null if it does not suit them. */
  @Nullable Scheme writeAs(Encoding encoding, Values values, Scheme scheme, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    List<Scheme> children = encoding.write(values, scheme, target);
    if (children == null) {
      return null;
    }
    StreamHeader.end(target, start, encoding.id());
    return new Scheme(
        encoding.id(),
        encoding.name(),
        scheme.parameter(),
        scheme.width(),
        values.count(),
        target.position() - start,
        children);
  }

  /** Writes raw values without examining them. */
  Scheme writeRaw(Values values, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    values.writeRaw(target);
    StreamHeader.end(target, start, raw.id());
    int bytes = target.position() - start;
    return new Scheme(raw.id(), raw.name(), values.count(), bytes, List.of());
  }

  @Override
  public Scheme read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    int start = source.position();
    int id = StreamHeader.read(source);
    Encoding encoding = id < byId.length ? byId[id] : null;
    if (encoding == null) {
      throw Malformed.because(format("number %d is no encoding of values at depth %d", id, depth));
    }
    int limit = source.limit();
    source.limit(source.position() + StreamHeader.payloadBytes(source));
    List<Scheme> children = encoding.read(source, count, sink);
    Malformed.unlessExactly("the end of a stream", source, 0);
    source.limit(limit);
    return new Scheme(id, encoding.name(), count, source.position() - start, children);
  }
}
