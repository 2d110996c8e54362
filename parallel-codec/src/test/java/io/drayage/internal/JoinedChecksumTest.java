package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class JoinedChecksumTest {
  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  @Test
  void isThatOfBothPartsWhereverTheyAreCut() {
    byte[] bytes = new byte[3_000_017];
    new SplittableRandom(1).nextBytes(bytes);
    int whole = crc(bytes, 0, bytes.length);
    for (int cut : new int[] {0, 1, 24, 4096, 1 << 20, bytes.length - 1, bytes.length}) {
      int first = crc(bytes, 0, cut);
      int second = crc(bytes, cut, bytes.length);
      assertThat(JoinedChecksum.of(first, second, bytes.length - cut)).isEqualTo(whole);
      assertThat(JoinedChecksum.ofSecond(first, whole, bytes.length - cut)).isEqualTo(second);
    }
  }

  @Test
  void aFramesIsThatOfAllItsBytes() {
    for (int payloadBytes : new int[] {0, 1, 1000, 1 << 20}) {
      byte[] bytes = new byte[FrameHeader.BYTES + payloadBytes];
      new SplittableRandom(payloadBytes).nextBytes(bytes);
      ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 7).position(7);
      ByteBuffer frame = buffer.slice();
      frame.put(bytes).flip();
      FrameHeader.write(frame, FrameType.SEGMENT, 5);
      CRC32C crc = new CRC32C();
      crc.update(frame.duplicate());

      assertThat(FrameHeader.wholeChecksum(frame)).isEqualTo((int) crc.getValue());
      assertThat(frame.position()).isZero();
    }
  }

  @Test
  void refusesLengthsItCannotJoin() {
    assertThatThrownBy(() -> JoinedChecksum.of(1, 2, 1 << 28))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("268,435,456 bytes");
    assertThatThrownBy(() -> JoinedChecksum.of(1, 2, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
