package io.drayage.columnar;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * Searches for bytes that the decoder neither refuses nor understands. Findings belong into {@code
 * ColumnarDecoderFuzzInputs}, which every build replays.
 *
 * <pre>mvn -Pfuzz test -pl columnar -am -Dtest=ColumnarDecoderFuzz \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class ColumnarDecoderFuzz {
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @FuzzTest(maxDuration = "3m")
  void decode(byte[] input) {
    FuzzedSegment.decode(input);
  }
}
