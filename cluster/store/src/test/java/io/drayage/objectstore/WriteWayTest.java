package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WriteWayTest {
  private static WriteWay measured(long cachedNs, long directNs) {
    WriteWay way = new WriteWay();
    for (int i = 0; i < 2 * WriteWay.TRIAL_PIECES; i++) {
      boolean direct = way.nextIsDirect();
      assertThat(direct).isEqualTo(i >= WriteWay.TRIAL_PIECES);
      // One of the writes is disturbed.
      way.written(
          direct, i % WriteWay.TRIAL_PIECES == 3 ? 99_000_000 : direct ? directNs : cachedNs);
    }
    return way;
  }

  @Test
  void usesThePageCacheUnlessItIsMuchSlower() {
    WriteWay near = measured(900_000, 500_000);
    assertThat(near.nextIsDirect()).isFalse();
    assertThat(near.describe()).isEqualTo("page cache (900 us per MiB; past it 500 us)");

    WriteWay slow = measured(3_000_000, 1_000_000);
    assertThat(slow.nextIsDirect()).isTrue();
    assertThat(slow.describe()).startsWith("direct (3,000 us");
  }

  @Test
  void looksAgain() {
    WriteWay way = measured(3_000_000, 1_000_000);
    int cached = 0;
    while (way.nextIsDirect()) {
      way.written(true, 1_000_000);
    }
    do {
      way.written(false, 100_000);
      cached++;
    } while (!way.nextIsDirect());
    assertThat(cached).isEqualTo(WriteWay.TRIAL_PIECES);
    for (int i = 1; i < WriteWay.TRIAL_PIECES; i++) {
      assertThat(way.nextIsDirect()).isTrue();
    }
    assertThat(way.nextIsDirect()).isFalse();
  }

  @Test
  void doesWithoutWhatTheFileSystemCannot() {
    WriteWay way = measured(3_000_000, 1_000_000);
    way.excludeDirect();
    assertThat(way.nextIsDirect()).isFalse();
    assertThat(way.describe()).isEqualTo("page cache");
    assertThat(new WriteWay().describe()).isEqualTo("not measured");
  }
}
