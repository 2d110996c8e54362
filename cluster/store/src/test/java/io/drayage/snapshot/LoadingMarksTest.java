package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadingMarksTest {
  @TempDir private Path folder;
  private ObjectStore store;
  private LoadingMarks marks;

  @BeforeEach
  void open() throws Exception {
    store = ObjectStores.open("fs:" + folder);
    marks = new LoadingMarks(store);
  }

  @AfterEach
  void close() {
    marks.close();
    store.close();
  }

  private List<Long> marked() throws Exception {
    return store.list(SnapshotKeys.LOADING).stream()
        .map(each -> SnapshotKeys.loadingTimestamp(each.key()))
        .toList();
  }

  /** The threads that renew marks. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("drayage-loading"))
        .collect(Collectors.toSet());
  }

  @Test
  void manyReadersHaveOneMarkForEachFullSnapshotAndOneThread() throws Exception {
    Set<Thread> before = threads();
    List<LoadingMarks.Marked> readers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      readers.add(marks.mark(7 + i % 2));
    }
    assertThat(marked()).containsExactly(7L, 8L);
    Set<Thread> own = threads();
    own.removeAll(before);
    assertThat(own).hasSize(1);

    for (int i = 0; i < 98; i++) {
      readers.get(i).close();
      readers.get(i).close();
    }
    assertThat(marked()).containsExactly(7L, 8L);
    readers.get(98).close();
    assertThat(marked()).containsExactly(8L);
    readers.get(99).close();
    assertThat(marked()).isEmpty();
    for (Thread each : own) {
      each.join();
    }
    try (LoadingMarks.Marked again = marks.mark(8)) {
      assertThat(again).isNotNull();
      assertThat(marked()).containsExactly(8L);
    }
  }

  @Test
  void nothingIsMarkedOnceTheyAreClosed() throws Exception {
    LoadingMarks.Marked reader = marks.mark(7);
    marks.close();
    assertThat(marked()).isEmpty();
    try (LoadingMarks.Marked late = marks.mark(8)) {
      assertThat(late).isNotNull();
      reader.close();
      assertThat(marked()).isEmpty();
    }
  }
}
