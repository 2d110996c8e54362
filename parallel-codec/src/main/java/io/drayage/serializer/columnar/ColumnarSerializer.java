package io.drayage.serializer.columnar;

import io.drayage.columnar.ColumnarMode;
import io.drayage.columnar.ColumnarOptions;
import io.drayage.columnar.ColumnarSegmentSerializer;
import io.drayage.segment.SegmentSerializer;
import io.drayage.serializer.raw.RawSerializer;
import io.drayage.serializer.support.FramedSerializer;
import java.util.Locale;

/**
 * Every segment in the encodings that suit its values ({@code docs/columnar-format.md}). As a
 * stream, a cargo is its frames, one after the other ({@link FramedSerializer}).
 */
public final class ColumnarSerializer extends FramedSerializer {
  static final int ID = 9;

  private static final String NAME = "columnar";

  private final String name;
  private final ColumnarOptions options;

  /** One with {@link ColumnarOptions#DEFAULT}. */
  public ColumnarSerializer() {
    this(ColumnarOptions.DEFAULT);
  }

  /** One that chooses for a certain link. What it writes, any other reads. */
  public ColumnarSerializer(ColumnarOptions options) {
    this(NAME, options);
  }

  private ColumnarSerializer(String name, ColumnarOptions options) {
    this.name = name;
    this.options = options;
  }

  /** One of a mode: {@code columnar-fast}, {@code columnar}, {@code columnar-dense}. */
  public static ColumnarSerializer ofMode(ColumnarMode mode) {
    boolean isDefault = mode == ColumnarMode.BALANCED;
    return new ColumnarSerializer(
        isDefault ? NAME : NAME + "-" + mode.name().toLowerCase(Locale.ROOT),
        ColumnarOptions.of(mode));
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
  public SegmentSerializer newSegmentSerializer() {
    return new ColumnarSegmentSerializer(options, new RawSerializer().newSegmentSerializer());
  }
}
