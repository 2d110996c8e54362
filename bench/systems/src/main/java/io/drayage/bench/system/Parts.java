package io.drayage.bench.system;

import io.drayage.codec.Levels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a transport, or a peer in its place, goes together with in a notation.
 *
 * @param serializers the names of the serializers
 * @param compressors the names of the compressors, and which levels each has
 * @param plain what the transport's name alone stands for; null if it does not stand alone
 */
public record Parts(
    List<String> serializers, Map<String, Levels> compressors, @Nullable String plain) {
  public Parts {
    serializers = List.copyOf(serializers);
    compressors = new TreeMap<>(compressors);
  }
}
