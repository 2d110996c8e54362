package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.StoredObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadingMarkTest {
  @TempDir private Path folder;
  @AutoClose private FaultyStore store;

  @BeforeEach
  void open() throws Exception {
    store = new FaultyStore(ObjectStores.open("fs:" + folder));
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

      store.refuseWrites(SnapshotKeys.LOADING, "503");
      mark.renew();
      assertThat(marks()).isEqualTo(first);

      store.mend();
      mark.renew();
      assertThat(marks()).hasSize(1).isNotEqualTo(first);
    }
    assertThat(marks()).isEmpty();
  }

  @Test
  void aMarkMovesWhenTheNextOneIsThere() throws Exception {
    try (LoadingMark mark = new LoadingMark(store, 7)) {
      store.refuseWrites(SnapshotKeys.LOADING, "503");
      mark.moveTo(9);
      assertThat(marked()).containsExactly(7L);

      store.mend();
      mark.renew();
      assertThat(marked()).containsExactly(9L);
    }
    assertThat(marks()).isEmpty();
  }

  @Test
  void aMarkThatCouldNotBeMadeFollows() throws Exception {
    store.refuseWrites(SnapshotKeys.LOADING, "503");
    try (LoadingMark mark = new LoadingMark(store, 7)) {
      assertThat(marks()).isEmpty();
      store.mend();
      mark.renew();
      assertThat(marked()).containsExactly(7L);
    }
  }
}
