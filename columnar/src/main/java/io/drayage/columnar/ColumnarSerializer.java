package io.drayage.columnar;

import io.drayage.cargo.PartContent;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.columnar.text.TextStreams;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes every segment in the encodings that suit its values ({@code docs/columnar-format.md}). */
public final class ColumnarSerializer implements Serializer {
  static final int ID = 9;

  private static final String NAME = "columnar";

  /** Higher levels of Zstandard take longer and save little. */
  private static final int ZSTD_LEVEL = 1;

  private final String name;
  private final ColumnarOptions options;
  private final boolean followsRate;

  /** Shared by the threads that encode with this serializer. */
  private final ColumnMemory memory = new ColumnMemory();

  /** The serializer of the latest requested rate, so that its threads share a memory. */
  private volatile @Nullable ColumnarSerializer ofRate;

  /** Examines parts, and writes nothing. Guarded by this. */
  private @Nullable ColumnarSegmentSerializer looking;

  /** Chooses for the given rate, or for {@link ColumnarOptions#DEFAULT} without a rate. */
  public ColumnarSerializer() {
    this(NAME, ColumnarOptions.DEFAULT, true);
  }

  /** Creates a serializer that chooses for a fixed rate. Any other serializer reads its bytes. */
  public ColumnarSerializer(ColumnarOptions options) {
    this(NAME, options, false);
  }

  private ColumnarSerializer(String name, ColumnarOptions options, boolean followsRate) {
    this.name = name;
    this.options = options;
    this.followsRate = followsRate;
  }

  /**
   * Returns the serializer of a mode, at any rate: {@code columnar-fast}, {@code
   * columnar-balanced}, {@code columnar-dense}.
   */
  public static ColumnarSerializer ofMode(ColumnarMode mode) {
    return new ColumnarSerializer(
        NAME + "-" + mode.name().toLowerCase(Locale.ROOT), ColumnarOptions.of(mode), false);
  }

  @Override
  public Serializer forRate(long bytesPerSecond) {
    if (!followsRate) {
      return this;
    }
    ColumnarOptions wanted = ColumnarOptions.ofRate(bytesPerSecond);
    ColumnarSerializer known = ofRate;
    if (known == null || !known.options.equals(wanted)) {
      known = new ColumnarSerializer(name, wanted, true);
      ofRate = known;
    }
    return known;
  }

  @Override
  public synchronized BitSet rawParts(List<PartContent> contents) {
    BitSet raw = new BitSet();
    // At a lower rate hardly any part is best raw.
    if (options.textAim() == TextStreams.Aim.SPEED) {
      looking = looking == null ? newSegmentSerializer() : looking;
      for (int part = 0; part < contents.size(); part++) {
        raw.set(part, looking.isBestRaw(contents.get(part)));
      }
    }
    return raw;
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean readsDataOnly() {
    return true;
  }

  /** Returns one serializer for each mode. */
  @Override
  public List<Serializer> variants() {
    return Stream.of(ColumnarMode.values()).<Serializer>map(ColumnarSerializer::ofMode).toList();
  }

  @Override
  public ColumnarSegmentSerializer newSegmentSerializer() {
    Compressor zstd = Compressors.ofName("zstd").atLevel(ZSTD_LEVEL);
    return new ColumnarSegmentSerializer(options, zstd, memory);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ColumnarSerializer that
        && name.equals(that.name)
        && options.equals(that.options)
        && followsRate == that.followsRate;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, options, followsRate);
  }
}
