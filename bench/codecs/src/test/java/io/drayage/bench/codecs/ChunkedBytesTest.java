package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ChunkedBytesTest {
  private static final long SEED = 20;

  @Test
  void givesBackWhatWasWritten() throws IOException {
    byte[] bytes = new byte[(3 << 20) + 17];
    new Random(SEED).nextBytes(bytes);
    ChunkedBytes chunked = new ChunkedBytes(Integer.MAX_VALUE);
    assertThat(chunked.newInputStream().read()).isEqualTo(-1);
    chunked.write(bytes[0]);
    chunked.write(bytes, 1, bytes.length - 1);
    assertThat(chunked.bytes()).isEqualTo(bytes.length);
    for (int repeat = 0; repeat < 2; repeat++) {
      try (InputStream in = chunked.newInputStream()) {
        assertThat(in.read()).isEqualTo(bytes[0] & 0xFF);
        byte[] rest = in.readAllBytes();
        assertThat(Arrays.equals(rest, 0, rest.length, bytes, 1, bytes.length)).isTrue();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
      }
    }
  }

  @Test
  void countsMoreThanItHolds() {
    ChunkedBytes ring = new ChunkedBytes(64);
    byte[] bytes = new byte[5_000_001];
    for (int i = 0; i < 30; i++) {
      ring.write(bytes, 0, bytes.length);
    }
    ring.write(1);
    assertThat(ring.bytes()).isEqualTo(150_000_031);
    ring.reset();
    assertThat(ring.bytes()).isZero();
  }
}
