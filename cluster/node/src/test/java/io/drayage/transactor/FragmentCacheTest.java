package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.StoredBytes;
import io.drayage.snapshot.transaction.Fragment;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The memory of fragments, and the fragments that are dropped when it is short. */
class FragmentCacheTest {
  private static final UUID ONE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(1, 2);
  private static final int COLUMNS = 16;

  /**
   * Bytes of a fragment of one row and 16 columns of ints in a primary. Measured: 3,578 bytes more
   * heap after garbage collection for each of 8,000 fragments that were sent and not committed, by
   * OpenJDK 17 with compressed references. By the histogram, each column has 168 of them: the
   * object, its name, its table of pages and its page.
   */
  private static final long MEASURED_BYTES = 3_578;

  @Test
  void aSmallFragmentCountsAsWhatItTakes() {
    FragmentCache cache = new FragmentCache(1L << 30);
    int fragments = 1_000;
    for (int f = 0; f < fragments; f++) {
      offer(cache, ONE, f, cargo(f, 1));
    }

    assertThat(cache.bytes() / fragments).isBetween(MEASURED_BYTES * 2 / 3, MEASURED_BYTES * 3 / 2);
    assertThat(cache.bytes(ONE)).isEqualTo(cache.bytes());
    assertThat(cache.bytes(OTHER)).isZero();
  }

  @Test
  void aLargeFragmentCountsAsItsValues() {
    FragmentCache cache = new FragmentCache(1L << 30);
    int rows = 1 << 20;
    offer(cache, ONE, 0, cargo(0, rows));
    long inserts = cache.bytes();
    long raw = (long) COLUMNS * rows * Integer.BYTES;
    offer(
        cache,
        OTHER,
        1,
        ChangeCargo.builder(new UUID(2, 1), 0)
            .table(
                "wide",
                table ->
                    table.update(
                        "number",
                        ColumnValues.of(new long[1][rows]),
                        ColumnValues.of(new int[1][rows])))
            .build());

    assertThat(inserts).isBetween(raw, raw + 10_000);
    assertThat(cache.bytes(OTHER))
        .isBetween((long) rows * (Long.BYTES + Integer.BYTES), rows * 12L + 10_000);
  }

  @Test
  void neverTakesMoreThanItMayAndDropsTheOldest() {
    long most = 16 << 20;
    FragmentCache cache = new FragmentCache(most);
    int fragments = 20_000;
    for (int f = 0; f < fragments; f++) {
      offer(cache, f % 2 == 0 ? ONE : OTHER, f, cargo(f, 1));
      assertThat(cache.bytes()).isLessThanOrEqualTo(most);
    }

    assertThat(cache.bytes()).isGreaterThan(most - 2 * MEASURED_BYTES);
    assertThat(cache.bytes(ONE) + cache.bytes(OTHER)).isEqualTo(cache.bytes());
    long there = 0;
    for (int f = 0; f < fragments; f++) {
      there += cache.find(place(f % 2 == 0 ? ONE : OTHER, f)) == null ? 0 : 1;
    }
    assertThat(there).isBetween(most / (MEASURED_BYTES * 3 / 2), most / (MEASURED_BYTES * 2 / 3));
    assertThat(cache.find(place(ONE, 0))).isNull();
    assertThat(cache.take(place(OTHER, 1))).isNull();
    assertThat(cache.find(place(OTHER, fragments - 1))).isNotNull();
    assertThat(cache.take(place(OTHER, fragments - 1))).isNotNull();
  }

  @Test
  void whatIsLargerThanAllMayBeDropsNothing() {
    FragmentCache cache = new FragmentCache(10_000);
    offer(cache, ONE, 0, cargo(0, 1));
    offer(cache, ONE, 1, cargo(1, 1_000));

    assertThat(cache.find(place(ONE, 0))).isNotNull();
    assertThat(cache.find(place(ONE, 1))).isNull();
  }

  @Test
  void nothingIsCountedOfWhatIsTakenOrDropped() {
    FragmentCache cache = new FragmentCache(1L << 30);
    for (int f = 0; f < 10; f++) {
      offer(cache, ONE, f, cargo(f, 1));
      offer(cache, ONE, f, cargo(f, 1)); // Sent again, as after a lost answer.
    }
    offer(cache, OTHER, 0, cargo(0, 1));
    long ofOther = cache.bytes(OTHER);
    assertThat(cache.bytes()).isEqualTo(11 * ofOther);

    assertThat(cache.take(place(ONE, 3))).isNotNull();
    assertThat(cache.find(place(ONE, 3))).isNull();
    assertThat(cache.bytes(ONE)).isEqualTo(9 * ofOther);
    cache.drop(ONE);

    assertThat(cache.bytes()).isEqualTo(ofOther);
    assertThat(cache.find(place(ONE, 4))).isNull();
    assertThat(cache.take(place(OTHER, 0))).isNotNull();
    assertThat(cache.bytes()).isZero();
  }

  private static void offer(FragmentCache cache, UUID transaction, int number, ChangeCargo cargo) {
    ShipmentHeader header =
        new ShipmentHeader(
            new UUID(2, number), 0, Pipeline.SEGMENTS, 1, 0, CommitOptions.DEFAULT, "worker");
    StoredBytes data =
        new StoredBytes(
            "data/%s-%s-%s".formatted(transaction, header.transactionId(), new UUID(3, number)),
            new ObjectDigest(100, 1));
    cache.offer(
        new Fragment(transaction, new SnapshotContents(data, header, new Seal(1, 2)), 100), cargo);
  }

  private static FragmentPlace place(UUID transaction, int number) {
    return new FragmentPlace(transaction, new UUID(2, number));
  }

  private static ChangeCargo cargo(int number, int rows) {
    return ChangeCargo.builder(new UUID(2, number), 0)
        .table(
            "wide",
            table -> {
              for (int column = 0; column < COLUMNS; column++) {
                table.insert("column_number_" + column, ColumnValues.of(new int[1][rows]));
              }
            })
        .build();
  }
}
