package io.drayage.columnar;

import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every segment in the encodings that suit its values ({@code docs/columnar-format.md}). */
public final class ColumnarSerializer implements Serializer {
  static final int ID = 9;

  private static final String NAME = "columnar";

  /** Of Zstandard: higher ones take longer and save little. */
  private static final int ZSTD_LEVEL = 1;

  private final String name;
  private final ColumnarOptions options;
  private final boolean followsLink;

  /** Shared by the threads that encode with this. */
  private final ColumnMemory memory = new ColumnMemory();

  /** Of the link that was asked for last, so that its threads share a memory. */
  private volatile @Nullable ColumnarSerializer ofLink;

  /** One that chooses for the link, and with {@link ColumnarOptions#DEFAULT} if it knows none. */
  public ColumnarSerializer() {
    this(NAME, ColumnarOptions.DEFAULT, true);
  }

  /** One that chooses for a certain link. What it writes, any other reads. */
  public ColumnarSerializer(ColumnarOptions options) {
    this(NAME, options, false);
  }

  private ColumnarSerializer(String name, ColumnarOptions options, boolean followsLink) {
    this.name = name;
    this.options = options;
    this.followsLink = followsLink;
  }

  /**
   * One for the rate of a mode, whatever the link is: {@code columnar-fast}, {@code
   * columnar-balanced}, {@code columnar-dense}.
   */
  public static ColumnarSerializer ofMode(ColumnarMode mode) {
    return new ColumnarSerializer(
        NAME + "-" + mode.name().toLowerCase(Locale.ROOT), ColumnarOptions.of(mode), false);
  }

  @Override
  public Serializer forLink(long bytesPerSecond) {
    if (!followsLink) {
      return this;
    }
    ColumnarOptions wanted = ColumnarOptions.ofRate(bytesPerSecond);
    ColumnarSerializer known = ofLink;
    if (known == null || !known.options.equals(wanted)) {
      known = new ColumnarSerializer(name, wanted, true);
      ofLink = known;
    }
    return known;
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

  /** One for each mode. */
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
        && followsLink == that.followsLink;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, options, followsLink);
  }
}
