package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class LoadingMarkTest {
  @TempDir private Path folder;
  private boolean refusesPuts;
  private ForwardingStore store;

  @BeforeEach
  void open() throws Exception {
    store =
        new ForwardingStore(ObjectStores.open("fs:" + folder)) {
          @Override
          public void put(String key, ByteBuffer content) throws IOException {
            if (refusesPuts) {
              throw new ObjectStoreException(name(), key, "503");
            }
            super.put(key, content);
          }
        };
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<String> marks() throws IOException {
    return store.list(SnapshotKeys.LOADING).stream().map(StoredObject::key).toList();
  }

  private List<Long> marked() throws IOException {
    return marks().stream().map(SnapshotKeys::loadingTimestamp).toList();
  }

  @Test
  void aMarkStaysUntilTheNextOneIsThere() throws Exception {
    try (LoadingMark mark = new LoadingMark(store, 7)) {
      List<String> first = marks();
      assertThat(marked()).containsExactly(7L);

      refusesPuts = true;
      mark.renew();
      assertThat(marks()).isEqualTo(first);

      refusesPuts = false;
      mark.renew();
      assertThat(marks()).hasSize(1).isNotEqualTo(first);
    }
    assertThat(marks()).isEmpty();
  }

  @Test
  void aMarkMovesWhenTheNextOneIsThere() throws Exception {
    try (LoadingMark mark = new LoadingMark(store, 7)) {
      refusesPuts = true;
      mark.moveTo(9);
      assertThat(marked()).containsExactly(7L);

      refusesPuts = false;
      mark.renew();
      assertThat(marked()).containsExactly(9L);
    }
    assertThat(marks()).isEmpty();
  }

  @Test
  void aMarkThatCouldNotBeMadeFollows() throws Exception {
    refusesPuts = true;
    try (LoadingMark mark = new LoadingMark(store, 7)) {
      assertThat(marks()).isEmpty();
      refusesPuts = false;
      mark.renew();
      assertThat(marked()).containsExactly(7L);
    }
  }
}
