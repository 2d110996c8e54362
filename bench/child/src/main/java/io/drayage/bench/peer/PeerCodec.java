package io.drayage.bench.peer;

import org.jspecify.annotations.Nullable;

/**
 * A peer's codec, as its notation asks.
 *
 * @param serializer the serializer's name
 * @param compressor the compressor's name
 * @param level the compressor's level; null for its default
 */
public record PeerCodec(String serializer, String compressor, @Nullable Integer level) {}
