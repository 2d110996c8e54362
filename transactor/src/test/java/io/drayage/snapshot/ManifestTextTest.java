package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.testing.ShipmentHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ManifestTextTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");
  private static final UUID TRANSACTION = new UUID(1, 2);

  private static final String GOLDEN =
      """
      drayage-snapshot 1
      kind commit
      timestamp 42
      epoch 3
      parent 9f3a2b1c
      created 2026-11-21T10:15:30Z
      applied 00112233445566ff
      cargo 00000000-0000-0001-0000-000000000002 40 segments 2 4 worker_7
      seal 953 0123456789abcdef
      data data/frames 8388609
      blocks 00000001 fffffffe
      end 42fbeed9
      """;

  private static SnapshotContents contents(ObjectDigest digest) {
    return new SnapshotContents(
        new StoredBytes("data/frames", digest),
        ShipmentHeaders.of(TRANSACTION, 40, Pipeline.SEGMENTS, 2, 4, "worker 7"),
        new Seal(953, 0x0123456789abcdefL));
  }

  private static SnapshotManifest commit() {
    return SnapshotManifest.commit(
        42,
        3,
        0x9f3a2b1c,
        CREATED,
        0x00112233445566ffL,
        contents(new ObjectDigest(8_388_609, 1, -2)));
  }

  private static String encode(SnapshotManifest manifest) {
    return StandardCharsets.UTF_8.decode(ManifestText.encode(manifest)).toString();
  }

  @Test
  void isWrittenAsItAlwaysWas() {
    assertThat(encode(commit())).isEqualTo(GOLDEN);
  }

  @Test
  void isReadAsItWasWritten() {
    int[] checksums = IntStream.range(0, 33).map(i -> i * 0x9E3779B9).toArray();
    ObjectDigest digest = new ObjectDigest(33L * ObjectDigest.BLOCK_BYTES, checksums);
    SnapshotManifest full =
        new SnapshotManifest(
            SnapshotKind.FULL,
            0,
            0,
            0,
            CREATED,
            null,
            contents(digest),
            new StoredBytes("data/past", new ObjectDigest(0)));
    SnapshotManifest takeover = SnapshotManifest.takeover(7, 2, -1, CREATED);

    assertThat(encode(ManifestText.parse(encode(full)))).isEqualTo(encode(full));
    assertThat(ManifestText.parse(encode(takeover))).isEqualTo(takeover);
    SnapshotManifest read = ManifestText.parse(encode(commit()));
    assertThat(read.applied()).isEqualTo(0x00112233445566ffL);
    assertThat(read.transactionId()).isEqualTo(TRANSACTION);
    assertThat(read.parent()).isEqualTo(41);
    assertThat(read.key()).isEqualTo("snapshots/00000000000000000042.commit");
  }

  @Test
  void refusesEveryCutAndEveryFlip() {
    for (int length = 0; length < GOLDEN.length(); length++) {
      String cut = GOLDEN.substring(0, length);
      assertThatThrownBy(() -> ManifestText.parse(cut)).isInstanceOf(RuntimeException.class);
    }
    for (int at = 0; at < GOLDEN.length(); at++) {
      for (int bit = 1; bit < 128; bit <<= 1) {
        StringBuilder flipped = new StringBuilder(GOLDEN);
        flipped.setCharAt(at, (char) (GOLDEN.charAt(at) ^ bit));
        assertThatThrownBy(() -> ManifestText.parse(flipped.toString()))
            .as("%d flipped at %d", bit, at)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
