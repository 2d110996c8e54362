package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.StoredObject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestFullTest {
  private static final Instant WRITTEN = Instant.parse("2026-11-29T10:00:00Z");

  @Test
  void countsTheLogSinceTheNewest() {
    List<StoredObject> manifests =
        List.of(
            object("00000000000000000003.full", WRITTEN.minusSeconds(9)),
            object("00000000000000000004.commit", WRITTEN),
            object("00000000000000000005.commit", WRITTEN),
            object("00000000000000000005.full", WRITTEN),
            object("00000000000000000006.commit", WRITTEN.plusSeconds(1)),
            object("00000000000000000007.commit", WRITTEN.plusSeconds(2)),
            object("of-another", WRITTEN.plusSeconds(3)));

    assertThat(NewestFull.of(manifests)).contains(new NewestFull(5, WRITTEN, 2));
  }

  @Test
  void aStoreWithoutOneHasNone() throws Exception {
    assertThat(NewestFull.of(List.of())).isEmpty();
    MemoryObjects store = new MemoryObjects("memory");
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    store.put(key("00000000000000000001.commit"), ByteBuffer.allocate(1));
    assertThat(catalog.newestFull()).isEmpty();
    store.put(key("00000000000000000000.full"), ByteBuffer.allocate(1));
    assertThat(catalog.newestFull())
        .hasValueSatisfying(
            newest -> {
              assertThat(newest.timestamp()).isZero();
              assertThat(newest.entriesSince()).isOne();
            });
  }

  private static StoredObject object(String name, Instant modified) {
    return new StoredObject(key(name), 1, modified);
  }

  private static String key(String name) {
    return SnapshotKeys.MANIFESTS + name;
  }
}
