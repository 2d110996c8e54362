package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that a part is learned once, no matter which threads write its segments. */
@Timeout(30)
class ColumnMemoryTest {
  private static final int THREADS = 4;

  private final ColumnMemory memory = new ColumnMemory();
  private final AtomicInteger learned = new AtomicInteger();

  private ColumnMemory.Column learn() {
    learned.incrementAndGet();
    return new ColumnMemory.Column(false, null);
  }

  private static Part part() {
    return new Part(0, "t", PartKind.INSERTED_VALUES, "c", ColumnType.LONG, false, 1, 8);
  }

  @Test
  void learnsAPartOnceForAllThreads() throws Exception {
    for (int round = 1; round <= 100; round++) {
      Part part = part();
      CountDownLatch start = new CountDownLatch(1);
      List<Waiting.Running<ColumnMemory.Column>> columns = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        columns.add(
            Waiting.start(
                () -> {
                  start.await();
                  return memory.of(part, false, this::learn);
                }));
      }
      start.countDown();
      for (Waiting.Running<ColumnMemory.Column> column : columns) {
        assertThat(column.get()).isSameAs(columns.get(0).get());
      }
      assertThat(learned).as("round %d", round).hasValue(round);
    }
  }

  @Test
  void equalPartsAreLearnedEach() {
    ColumnMemory.Column first = memory.of(part(), false, this::learn);

    assertThat(memory.of(part(), false, this::learn)).isNotSameAs(first);
    assertThat(learned).hasValue(2);
  }

  @Test
  void learnsAgainIfACompressorFollows() {
    Part part = part();
    ColumnMemory.Column without = memory.of(part, false, this::learn);

    assertThat(memory.of(part, true, this::learn)).isNotSameAs(without);
    assertThat(memory.of(part, false, this::learn)).isSameAs(without);
  }

  @Test
  void learnsAgainWhatFailed() {
    Part part = part();
    Supplier<ColumnMemory.Column> fails =
        () -> {
          throw new IllegalStateException("no column");
        };

    assertThatThrownBy(() -> memory.of(part, false, fails)).hasMessage("no column");
    assertThat(memory.of(part, false, this::learn)).isNotNull();
  }
}
