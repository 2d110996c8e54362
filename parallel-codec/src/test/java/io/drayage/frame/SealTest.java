package io.drayage.frame;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SealTest {
  private static final int[] CHECKSUMS = {17, -1, 0, Integer.MIN_VALUE};

  @Test
  void lostRepeatedOrSwappedFramesShow() {
    Seal whole = seal(0, 1, 2, 3);

    assertThat(seal(0, 1, 2).digest()).isNotEqualTo(whole.digest());
    assertThat(seal(0, 1, 2, 3, 3).digest()).isNotEqualTo(whole.digest());
    assertThat(seal(0, 1, 2, 2).digest()).isNotEqualTo(whole.digest());
    assertThat(seal(1, 0, 2, 3).digest()).isNotEqualTo(whole.digest());
    assertThat(seal(0, 1, 2, 3)).isEqualTo(whole);
  }

  @Test
  void saysWhetherCountOrDigestDiffers() throws ShipmentException {
    new Seal(3, 4).requireSameAs(new Seal(3, 4));
    assertFault(Fault.SEGMENT_MISSING, () -> new Seal(3, 4).requireSameAs(new Seal(2, 4)))
        .hasMessageContaining("the seal states 3 frames, 2 arrived");
    assertFault(Fault.DIGEST, () -> new Seal(3, 4).requireSameAs(new Seal(3, 5)))
        .hasMessageContaining("0000000000000004")
        .hasMessageContaining("0000000000000005");
  }

  /** The seal of frames: frame {@code i} has the checksum of frame {@code numbers[i]}. */
  private static Seal seal(int... numbers) {
    Seal.Digest digest = new Seal.Digest();
    for (int i = 0; i < numbers.length; i++) {
      digest.add(i, CHECKSUMS[numbers[i]]);
    }
    return digest.seal();
  }
}
