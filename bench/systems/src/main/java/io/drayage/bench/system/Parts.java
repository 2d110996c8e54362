package io.drayage.bench.system;

import io.drayage.codec.Levels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a transport, or a peer in its place, can be combined with in a notation.
 *
 * @param serializers the names of the serializers
 * @param compressors the names of the compressors, with their levels
 * @param plain the meaning of the transport's name alone; null if it cannot be alone
 */
public record Parts(
    List<String> serializers, Map<String, Levels> compressors, @Nullable String plain) {
  public Parts {
    serializers = List.copyOf(serializers);
    compressors = new TreeMap<>(compressors);
  }
}
