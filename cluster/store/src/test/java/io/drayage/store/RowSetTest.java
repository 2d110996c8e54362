package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSetTest {
  private static final int ROWS = 300_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void holdsWhatWasPutIn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SortedSet<Long> rows = someRows(random);

    for (RowSet set : allWaysToMake(rows, random)) {
      for (int i = 0; i < 2_000; i++) {
        long row = random.nextInt(ROWS);
        assertThat(set.contains(row))
            .as("seed %d, row %d", seed, row)
            .isEqualTo(rows.contains(row));
      }
      assertThat(rows).as("seed %d", seed).allMatch(set::contains);
      assertThat(set.isEmpty()).isEqualTo(rows.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void findsWhatItHasInCommonWithOthers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SortedSet<Long> mine = someRows(random);
    SortedSet<Long> common = new TreeSet<>();
    List<RowSet> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SortedSet<Long> other = someRows(random);
      others.add(set(other));
      common.addAll(other);
    }
    common.retainAll(mine);

    RowOverlap overlap = set(mine).overlap(others);

    assertThat(overlap.count()).as("seed %d", seed).isEqualTo(common.size());
    common.stream()
        .limit(5)
        .forEach(row -> assertThat(overlap.toString()).as("seed %d", seed).contains("" + row));
  }

  @Test
  void neighboursCostNextToNothing() {
    RowBits all = RowBits.allSet(10_000_000);

    assertThat(RowSet.ofBits(all).bytes()).isLessThan(10_000);
  }

  @Test
  void namesTheFirstRows() {
    RowSet set = RowSet.ofRowIds(Columns.rows(9, 1, 70_000, 5, 6, 7, 8), false);

    assertThat(set.overlap(List.of(set))).hasToString("7 rows (1, 5, 6, 7, 8 ...)");
    assertThat(set.overlap(List.of(RowSet.ofRowIds(Columns.rows(70_000), true))))
        .hasToString("1 row (70000)");
    assertThat(set.overlap(List.of(RowSet.EMPTY)).count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void countsAndListsItsRows(long seed) {
    SortedSet<Long> rows = someRows(new SplittableRandom(seed));

    ColumnValues ids = set(rows).rowIds();

    assertThat(set(rows).count()).as("seed %d", seed).isEqualTo(rows.size());
    assertThat((long[]) ids.toArray())
        .as("seed %d", seed)
        .containsExactly(rows.stream().mapToLong(Long::longValue).toArray());
  }

  /** 64 GiB of row ids, of which one page at a time exists. */
  @Test
  void countsAndListsBillionsOfRowsWithoutMakingThem() {
    int chunks = 1 << 17;
    long[] full = new long[RowChunk.WORDS];
    Arrays.fill(full, -1L);
    RowChunk[] all = new RowChunk[chunks];
    Arrays.fill(all, RowChunk.of(full));
    RowSet set = new RowSet(LongStream.range(0, chunks).map(key -> 2 * key).toArray(), all);

    ColumnValues ids = set.rowIds();

    assertThat(set.count()).isEqualTo(1L << 33);
    assertThat(ids.rowCount()).isEqualTo(1L << 33);
    assertThat(ids.isOnDemand()).isTrue();
    long[] page = (long[]) ids.page(100_000);
    assertThat(page)
        .hasSize(RowChunk.ROWS)
        .startsWith(200_000L << 16)
        .endsWith((200_001L << 16) - 1);
    RowCursor cursor = new RowCursor(List.of(RowSet.EMPTY, set));
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.row()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void walksOverSeveralSetsTogether(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<SortedSet<Long>> rows =
        List.of(someRows(random), someRows(random), new TreeSet<>(), someRows(random));
    List<Long> all = rows.stream().flatMap(Collection::stream).distinct().sorted().toList();
    RowCursor cursor = new RowCursor(rows.stream().map(RowSetTest::set).toList());

    List<Long> found = new ArrayList<>();
    List<SortedSet<Long>> parts = new ArrayList<>();
    rows.forEach(set -> parts.add(new TreeSet<>()));
    while (cursor.next()) {
      found.add(cursor.row());
      for (int set = 0; set < rows.size(); set++) {
        if (cursor.isIn(set)) {
          parts.get(set).add(cursor.row());
        }
      }
    }

    assertThat(found).as("seed %d", seed).isEqualTo(all);
    assertThat(parts).as("seed %d", seed).isEqualTo(rows);
    assertThat(cursor.next()).as("seed %d", seed).isFalse();
  }

  private static List<RowSet> allWaysToMake(SortedSet<Long> rows, SplittableRandom random) {
    List<Long> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    RowBits bits = new RowBits(ROWS);
    rows.forEach(bits::set);
    return List.of(set(rows), RowSet.ofBits(bits), RowSet.ofRowIds(ids(shuffled), false));
  }

  private static RowSet set(SortedSet<Long> rows) {
    return RowSet.ofRowIds(ids(rows), true);
  }

  private static ColumnValues ids(Iterable<Long> rows) {
    List<Long> list = new ArrayList<>();
    rows.forEach(list::add);
    return Columns.rows(list.stream().mapToLong(Long::longValue).toArray());
  }

  /** Returns runs and single rows, dense in some places and sparse in others. */
  private static SortedSet<Long> someRows(SplittableRandom random) {
    SortedSet<Long> rows = new TreeSet<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      long first = random.nextInt(ROWS);
      long end = Math.min(ROWS, first + random.nextInt(30_000));
      int step = 1 + random.nextInt(4) * random.nextInt(4);
      for (long row = first; row < end; row += step) {
        rows.add(row);
      }
    }
    return rows;
  }
}
