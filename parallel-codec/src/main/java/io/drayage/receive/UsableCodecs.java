package io.drayage.receive;

import io.drayage.codec.Codec;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which codecs work in this JVM, found out once: some load a library and build what they need to
 * find out, which is nothing for the event loop that asks.
 *
 * @param reasons by name, why a codec does not work
 */
record UsableCodecs(Map<String, UnsupportedOperationException> reasons) {
  /** Tries all compressors, and the serializers of these names. */
  static UsableCodecs of(Set<String> serializers) {
    Map<String, UnsupportedOperationException> reasons = new HashMap<>();
    serializers.forEach(name -> attempt(Serializers.ofName(name), reasons));
    Compressors.all().forEach(compressor -> attempt(compressor, reasons));
    return new UsableCodecs(Map.copyOf(reasons));
  }

  private static void attempt(Codec codec, Map<String, UnsupportedOperationException> reasons) {
    try {
      codec.requireUsable();
    } catch (UnsupportedOperationException e) {
      reasons.put(codec.name(), e);
    }
  }

  /**
   * Says whether a codec that was tried works.
   *
   * @throws UnsupportedOperationException if it does not, as it said when it was tried
   */
  void require(Codec codec) {
    @Nullable UnsupportedOperationException reason = reasons.get(codec.name());
    if (reason != null) {
      throw new UnsupportedOperationException(reason.getMessage(), reason);
    }
  }
}
