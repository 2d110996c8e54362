package io.drayage.columnar;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Searches for bytes that the decoder neither refuses nor understands: {@code mvn -Pfuzz test -pl
 * parallel-codec}. What it finds goes into {@code ColumnarDecoderFuzzInputs}, which every build
 * replays.
 */
class ColumnarDecoderFuzz {
  @FuzzTest(maxDuration = "2m")
  void decode(byte[] input) {
    FuzzedSegment.decode(input);
  }
}
