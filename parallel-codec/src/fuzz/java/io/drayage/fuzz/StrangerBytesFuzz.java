package io.drayage.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * Searches for bytes that a reader neither refuses nor understands. One at a time: {@code mvn
 * -Pfuzz test -pl parallel-codec -Dtest=StrangerBytesFuzz#manifest}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StrangerBytesFuzz {
  private static final String DURATION = "3m";

  @FuzzTest(maxDuration = DURATION)
  void frameHeader(byte[] input) {
    StrangerBytes.FRAME_HEADER.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void manifest(byte[] input) {
    StrangerBytes.MANIFEST.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void open(byte[] input) {
    StrangerBytes.OPEN.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void join(byte[] input) {
    StrangerBytes.JOIN.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void seal(byte[] input) {
    StrangerBytes.SEAL.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void cargoFile(byte[] input) {
    StrangerBytes.CARGO_FILE.accept(input);
  }

  @FuzzTest(maxDuration = DURATION)
  void shipment(byte[] input) {
    StrangerBytes.SHIPMENT.accept(input);
  }
}
