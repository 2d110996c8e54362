package io.drayage.codec;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A serializer with a compressor; prints as in a system's notation: {@code raw+none}. */
public record CodecPair(Serializer serializer, Compressor compressor) {
  /** Object streams write every NaN of an array of doubles with the canonical bits. */
  private static final Set<String> CANONICALISING_IN_STREAM = Set.of("java", "java-buffered");

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

  /** {@link #eachCodec}, and two in which both are at work, for tests that cost a shipment each. */
  public static List<CodecPair> forTransports() {
    return Stream.concat(eachCodec().stream(), Stream.of(of("kryo", "lz4"), of("java", "zstd")))
        .toList();
  }

  /** Every serializer without a compressor, and every compressor with the plain serializer. */
  static List<CodecPair> eachCodec() {
    Compressor none = Compressors.ofId(Compressor.STORED_ID);
    Serializer raw = Serializers.ofName("raw");
    return Stream.concat(
            Serializers.all().stream().map(serializer -> new CodecPair(serializer, none)),
            Compressors.all().stream().map(compressor -> new CodecPair(raw, compressor)))
        .distinct()
        .toList();
  }

  /** Whether a NaN arrives with the bits it was sent with. */
  boolean keepsNanPayloads(Form form) {
    return form == Form.SEGMENTS || !CANONICALISING_IN_STREAM.contains(serializer.name());
  }

  /** How this pair carries a cargo in {@code form}. */
  Trip trip(Form form) {
    return switch (form) {
      case STREAM -> new StreamTrip(this);
      case SEGMENTS -> new SegmentsTrip(this);
    };
  }

  @Override
  public String toString() {
    return serializer.name() + "+" + compressor.name();
  }
}
