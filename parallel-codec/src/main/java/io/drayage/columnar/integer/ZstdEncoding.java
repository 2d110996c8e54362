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
 * Raw values as a Zstandard frame: for what comes back in whole records, which no look at ranges
 * shows. Of a segment's own stream only.
 */
public final class ZstdEncoding extends Encoding {
  /** What Zstandard takes for a raw byte, both ways, however well it compresses. */
  private static final double NS_PER_BYTE = 1;

  /** What it takes besides for a byte that is left. */
  private static final double NS_PER_COMPRESSED_BYTE = 4;

  /** Runs of raw bytes, spread over a stream, that together tell what becomes of it. */
  private static final int SAMPLE_RUNS = 4;

  private static final int RUN_BYTES = 8 << 10;
  private static final double LEARN_NS = 50_000;

  /** Values that are copied at a time. */
  private static final int BATCH = 4_096;

  private final boolean isSought;
  private final Zstandard zstd;

  /**
   * @param isSought whether it may be worth its time
   */
  public ZstdEncoding(boolean isSought, Zstandard zstd) {
    super(22, "ZSTD");
    this.isSought = isSought;
    this.zstd = zstd;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return RawEncoding.nsPerValue(rawWidth) + rawWidth * NS_PER_BYTE;
  }

  @Override
  public double nsPerWrittenByte() {
    return NS_PER_COMPRESSED_BYTE;
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (isSought) {
      glimpse.addUnseen(this);
    }
  }

  @Override
  public double learnNs() {
    return LEARN_NS;
  }

  /** The bits of a value. */
  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    if (!isSought) {
      return null;
    }
    int run = RUN_BYTES / values.rawWidth();
    int runs = values.count() < SAMPLE_RUNS * run ? 1 : SAMPLE_RUNS;
    int number = runs == 1 ? values.count() : run;
    int rawBytes = runs * number * values.rawWidth();
    ByteBuffer payload = zstd.payload(rawBytes);
    for (int i = 0; i < runs; i++) {
      int last = values.count() - number;
      values.copyRaw(runs == 1 ? 0 : (int) ((long) last * i / (runs - 1)), number, payload);
    }
    ByteBuffer compressed = zstd.compress(payload.flip(), rawBytes);
    return compressed == null
        ? null
        : new Hint(0, 0, (double) compressed.remaining() * Byte.SIZE / (runs * number));
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint hint = estimates.hint(this);
    if (hint != null) {
      // No more costs, but its bytes are not those of values within others.
      estimates.add(this, hint.estimate() * estimates.count() / Byte.SIZE, 0);
    }
  }

  @Override
  public List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    ByteBuffer payload = zstd.payload(values.count() * values.rawWidth());
    for (int from = 0; from < values.count(); from += BATCH) {
      values.copyRaw(from, Math.min(BATCH, values.count() - from), payload);
    }
    ByteBuffer compressed = zstd.compress(payload.flip(), target.remaining());
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
    ByteBuffer payload = zstd.decompress(source, (int) rawBytes);
    Malformed.unlessExactly("compressed values", payload, rawBytes);
    sink.storeRaw(0, count, payload);
    return List.of();
  }
}
