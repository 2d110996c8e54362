package io.drayage.columnar.integer;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Raw values as a block of a general compressor, for records that repeat. Only for a segment's own
 * stream.
 */
public final class CompressedEncoding extends Encoding {
  /** The raw bytes of a sample, in runs spread over the stream. */
  private static final int SAMPLE_BYTES = 16 << 10;

  /** The order of the runs: each half of the sample has runs of the whole stream. */
  private static final int[] RUN_ORDER = {0, 3, 5, 6, 1, 2, 4, 7};

  /** The order for bytes and shorts. Their runs are longer, as they repeat at longer distances. */
  private static final int[] NARROW_RUN_ORDER = {0, 3, 1, 2};

  /** The runs have at most one of so many values. */
  private static final int SAMPLE_SHARE = 3;

  /** Minimum share to which earlier values are expected to shorten later ones. */
  private static final double MAX_GAIN = 0.4;

  /** A sample repeats if its second half is compressed to less than this share of the first. */
  private static final double FINDS_MORE = 0.7;

  /** Number of values that are copied at a time. */
  private static final int BATCH = 4_096;

  public static final int LZ4_ID = 24;

  private final BlockCompressor compressor;
  private final double leastOfNews;

  /**
   * @param leastOfNews the minimum share that remains of values without an earlier occurrence
   */
  private CompressedEncoding(int id, String name, BlockCompressor compressor, double leastOfNews) {
    super(id, name);
    this.compressor = compressor;
    this.leastOfNews = leastOfNews;
  }

  /** Creates an encoding as a Zstandard frame. */
  public static CompressedEncoding zstd(BlockCompressor compressor) {
    return new CompressedEncoding(22, "ZSTD", compressor, 0.25);
  }

  /** Creates an encoding as a block of LZ4. */
  public static CompressedEncoding lz4(BlockCompressor compressor) {
    return new CompressedEncoding(LZ4_ID, "LZ4", compressor, 0.5);
  }

  @Override
  public double leastBytes(Analysis analysis) {
    Values values = analysis.values();
    double news = analysis.sample().news(values.rawWidth());
    return leastOfNews * news * values.count() * values.rawWidth();
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    Values values = analysis.values();
    int rawWidth = values.rawWidth();
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
    // Most values have more of the stream before them than the sample's second half has. So they
    // are expected to gain as much again as that half gained over the first. If it gained little,
    // the mean of both halves counts. For a short stream, the second alone counts: it has no
    // start-up.
    double second = both - first;
    boolean isShort = run < longest;
    double later = isShort ? second : both / 2.0;
    if (second < FINDS_MORE * first) {
      later = Math.max(MAX_GAIN, second / first) * second;
    }
    return Estimate.of(later / (runs / 2 * run) * values.count());
  }

  /** Returns the bytes of a compressed sample; 0 if it does not become shorter. */
  private int compressedBytes(ByteBuffer payload) {
    ByteBuffer compressed = compressor.compress(payload, payload.remaining());
    return compressed == null ? 0 : compressed.remaining();
  }

  @Override
  public List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    ByteBuffer payload = compressor.payload(values.count() * values.rawWidth());
    for (int from = 0; from < values.count(); from += BATCH) {
      values.copyRaw(from, Math.min(BATCH, values.count() - from), payload);
    }
    compressor.write(payload.flip(), target);
    return List.of();
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    long rawBytes = (long) count * sink.rawWidth();
    Malformed.unlessWithin(
        "bytes of compressed values", rawBytes, 0, SegmentDecoder.MAX_SERIALIZED_BYTES);
    ByteBuffer payload = compressor.decompress(source, (int) rawBytes);
    Malformed.unlessExactly("compressed values", payload, rawBytes);
    sink.storeRaw(0, count, payload);
    return List.of();
  }
}
