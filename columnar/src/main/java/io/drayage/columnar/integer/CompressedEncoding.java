package io.drayage.columnar.integer;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Hint;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.ValueSample;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Raw values as a block of a general compressor: for what comes back in whole records, which no
 * look at ranges shows. Of a segment's own stream only.
 */
public final class CompressedEncoding extends Encoding {
  /** Raw bytes, in runs spread over a stream, that together tell what becomes of it. */
  private static final int SAMPLE_BYTES = 16 << 10;

  /** The order of the runs: both halves of the sample are of all parts of the stream. */
  private static final int[] RUN_ORDER = {0, 3, 5, 6, 1, 2, 4, 7};

  /** The same of bytes and shorts, which come back after more of them. */
  private static final int[] NARROW_RUN_ORDER = {0, 3, 1, 2};

  /** Of a short stream, the runs are so much less than all. */
  private static final int SAMPLE_SHARE = 3;

  /** More than this is not expected to be gained by what comes earlier. */
  private static final double MAX_GAIN = 0.4;

  /** If the second half of a sample takes less than this of the first, it found something there. */
  private static final double FINDS_MORE = 0.7;

  /** Values that are copied at a time. */
  private static final int BATCH = 4_096;

  private final boolean isSought;
  private final Zstandard compressor;
  private final double nsPerByte;
  private final double nsPerWideByte;
  private final double nsPerCompressedByte;
  private final double nsPerStream;
  private final double learnNs;
  private final double leastOfNews;

  /**
   * @param nsPerByte what it takes for a raw byte, both ways, however well it compresses
   * @param nsPerWideByte the same of values of 64 bits
   * @param nsPerCompressedByte what it takes besides for a byte that is left
   * @param nsPerStream what it takes besides for a stream
   * @param learnNs what a sample takes
   * @param leastOfNews at least so much is left of what does not recur
   */
  private CompressedEncoding(
      int id,
      String name,
      boolean isSought,
      Zstandard compressor,
      double nsPerByte,
      double nsPerWideByte,
      double nsPerCompressedByte,
      double nsPerStream,
      double learnNs,
      double leastOfNews) {
    super(id, name);
    this.isSought = isSought;
    this.compressor = compressor;
    this.nsPerByte = nsPerByte;
    this.nsPerWideByte = nsPerWideByte;
    this.nsPerCompressedByte = nsPerCompressedByte;
    this.nsPerStream = nsPerStream;
    this.learnNs = learnNs;
    this.leastOfNews = leastOfNews;
  }

  /**
   * As a Zstandard frame.
   *
   * @param isSought whether it may be worth its time
   */
  public static CompressedEncoding zstd(boolean isSought, Zstandard compressor) {
    return new CompressedEncoding(
        22, "ZSTD", isSought, compressor, 0.4, 2, 5, 12_000, 45_000, 0.25);
  }

  /**
   * As a block of LZ4.
   *
   * @param isSought whether it may be worth its time
   */
  public static CompressedEncoding lz4(boolean isSought, Zstandard compressor) {
    return new CompressedEncoding(
        24, "LZ4", isSought, compressor, 0.15, 0.15, 3.5, 1_000, 6_000, 0.5);
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return rawWidth * (rawWidth == Long.BYTES ? nsPerWideByte : nsPerByte);
  }

  @Override
  public double nsPerWrittenByte() {
    return nsPerCompressedByte;
  }

  @Override
  public double nsPerStream() {
    return nsPerStream;
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (isSought) {
      glimpse.addUnseen(this);
    }
  }

  @Override
  public double learnNs(int count, int rawWidth) {
    return learnNs;
  }

  @Override
  public double leastBytes(ValueSample sample, Values values) {
    double news = 1 - sample.recurring(values.rawWidth());
    return leastOfNews * news * values.count() * values.rawWidth();
  }

  /** The bits of a value. */
  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    int rawWidth = values.rawWidth();
    if (!isSought) {
      return null;
    }
    int[] order = rawWidth < Integer.BYTES ? NARROW_RUN_ORDER : RUN_ORDER;
    int runs = order.length;
    int longest = SAMPLE_BYTES / runs / rawWidth;
    int run = Math.min(longest, values.count() / (SAMPLE_SHARE * runs));
    if (run == 0) {
      return null;
    }
    int rawBytes = runs * run * rawWidth;
    ByteBuffer payload = compressor.payload(rawBytes);
    int last = values.count() - run;
    for (int i : order) {
      values.copyRaw((int) ((long) last * i / (runs - 1)), run, payload);
    }
    int first = compressedBytes(payload.flip().limit(rawBytes / 2));
    int both = compressedBytes(payload.limit(rawBytes));
    if (both == 0 || both <= first) {
      return null;
    }
    // What comes later finds more that it can refer to, by the same factor again. If that is not
    // much more, both halves tell as much, but for what a short stream begins with.
    double second = both - first;
    boolean isShort = run < longest;
    double later = isShort ? second : both / 2.0;
    if (second < FINDS_MORE * first) {
      later = Math.max(MAX_GAIN, second / first) * second;
    }
    return new Hint(0, 0, later * Byte.SIZE / (runs / 2 * run));
  }

  /** What becomes of a sample; 0 if it becomes no shorter. */
  private int compressedBytes(ByteBuffer payload) {
    ByteBuffer compressed = compressor.compress(payload, payload.remaining());
    return compressed == null ? 0 : compressed.remaining();
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint hint = estimates.hint(this);
    if (hint != null) {
      // Nothing more, but its bytes are not those of values within others.
      estimates.add(this, hint.estimate() * estimates.count() / Byte.SIZE, 0);
    }
  }

  @Override
  public List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    ByteBuffer payload = compressor.payload(values.count() * values.rawWidth());
    for (int from = 0; from < values.count(); from += BATCH) {
      values.copyRaw(from, Math.min(BATCH, values.count() - from), payload);
    }
    ByteBuffer compressed = compressor.compress(payload.flip(), target.remaining());
    if (compressed == null) {
      throw new BufferOverflowException();
    }
    target.put(compressed);
    return List.of();
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    long rawBytes = (long) count * sink.rawWidth();
    Malformed.unlessWithin(
        "bytes of compressed values", rawBytes, 0, SegmentDecoder.MAX_SERIALIZED_BYTES);
    ByteBuffer payload = compressor.decompress(source, (int) rawBytes);
    Malformed.unlessExactly("compressed values", payload, rawBytes);
    sink.storeRaw(0, count, payload);
    return List.of();
  }
}
