package io.drayage.codec;

import java.util.List;
import java.util.stream.Stream;

/** A serializer with a compressor. The text is as in a system's notation: {@code raw+none}. */
public record CodecPair(Serializer serializer, Compressor compressor) {
  /** Every serializer with every compressor. */
  static List<CodecPair> all() {
    return Serializers.all().stream()
        .flatMap(
            serializer ->
                Compressors.all().stream().map(compressor -> new CodecPair(serializer, compressor)))
        .toList();
  }

  /** The pair with these names. */
  public static CodecPair of(String serializer, String compressor) {
    return new CodecPair(Serializers.ofName(serializer), Compressors.ofName(compressor));
  }

  /** Every serializer without a compressor, and every compressor with the plain serializer. */
  public static List<CodecPair> eachCodec() {
    Compressor none = Compressors.ofId(Compressor.STORED_ID);
    Serializer raw = Serializers.ofName("raw");
    return Stream.concat(
            Serializers.all().stream().map(serializer -> new CodecPair(serializer, none)),
            Compressors.all().stream().map(compressor -> new CodecPair(raw, compressor)))
        .distinct()
        .toList();
  }

  @Override
  public String toString() {
    return serializer.name() + "+" + compressor.name();
  }
}
