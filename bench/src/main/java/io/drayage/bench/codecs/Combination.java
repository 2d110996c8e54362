package io.drayage.bench.codecs;

import io.drayage.bench.published.PublishedFigures;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import org.jspecify.annotations.Nullable;

/**
 * A serializer, a compressor and the form in which a cargo passes through them.
 *
 * @param serializer the serializer's name
 * @param compressor the compressor's name
 * @param level the compressor's level; null for its default
 * @param threads codec threads of the sender that its segments pass through; null for the calling
 *     thread alone, without a sender
 */
public record Combination(
    String serializer,
    String compressor,
    @Nullable Integer level,
    Form form,
    @Nullable Integer threads) {
  /** No codec, but the reference for those in segments: a plain copy of the same pages. */
  public static final Combination COPY = new Combination("copy", "none", null, Form.SEGMENTS);

  /** One on the calling thread. */
  public Combination(String serializer, String compressor, @Nullable Integer level, Form form) {
    this(serializer, compressor, level, form, null);
  }

  /** The serializer itself. */
  public Serializer newSerializer() {
    return Serializers.ofName(serializer);
  }

  /** The compressor itself, at the level. */
  public Compressor newCompressor() {
    Compressor atDefault = Compressors.ofName(compressor);
    return level == null ? atDefault : atDefault.atLevel(level);
  }

  /** The same in another form. */
  Combination in(Form other) {
    return new Combination(serializer, compressor, level, other);
  }

  /** The same in segments, by a sender with so many codec threads. */
  public Combination onThreads(int count) {
    return new Combination(serializer, compressor, level, Form.SEGMENTS, count);
  }

  /** The study's figure for an input of this size; null if none can stand beside this. */
  @Nullable Double published(PublishedFigures figures, long sizeBytes) {
    boolean isAsPublished =
        form == Form.STREAM
            && (level == null || level == Compressors.ofName(compressor).levels().defaultLevel());
    return isAsPublished ? figures.figure(sizeBytes, serializer, compressor) : null;
  }

  /** As in a system's notation: {@code kryo+lz4}, {@code raw+zstd:1@2}. */
  public String notation() {
    if (equals(COPY)) {
      return serializer;
    }
    return serializer
        + "+"
        + compressor
        + (level == null ? "" : ":" + level)
        + (threads == null ? "" : "@" + threads);
  }

  /** The notation, and the form where that is not in it and not the stream. */
  @Override
  public String toString() {
    boolean inNotation = form == Form.STREAM || threads != null || equals(COPY);
    return inNotation ? notation() : notation() + " " + form;
  }
}
