package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the simulation is worth: it has to find what is broken if a call does nothing, or something
 * else. Begins with the seed at which it does. A {@link Focus} drives it to states that are rare.
 *
 * <p>A change of the product may move a seed. The test then searches on, and fails with the seed to
 * note here and in docs/reliability.md.
 */
@Tag("nightly")
@Timeout(900)
class BrokenVariantsTest {
  private static final int SEEDS = 2_000;
  private static final Pattern FOUND = Pattern.compile("AssertionError: seed ([0-9]+)");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          coordination/zookeeper/NodeTree.sync | 4 |
          coordination/zookeeper/ZooKeeperCandidacy.endTerm | 20 |
          coordination/zookeeper/ZooKeeperCandidacy.see | 19 | leadTooLate
          memory/ByteBudget.release | 1 |
          objectstore/Sightings.seenFor@io/drayage/simulation/Patches.seenFor | 8 |
          replica/LogFollower.pause | 355 | delayAtPoint,pauseAtPoint,ELECTED,RECOVERED,TAKEN_OVER
          replica/Replica.epoch=0 | 1 |
          replica/Replica.follow | 6 |
          snapshot/transaction/TransactionCleaner.needed@io/drayage/simulation/Patches.needed | 1 |
          transactor/transactions/OpenTransactions.expire | 85 |
          transactor/transactions/TransactionRegistry.hasEnded=0 | 33 |
          simulation/SimStore.makeDurable | 1 |
          simulation/SimStore.requireAbsent | 1 |
          snapshot/StoreIdentity.requireDatabase | 3 | strangers
          store/AddedTables.add | 1 |
          store/ChangeHistory.add | 1 |
          store/ChangeHistory.truncateTo | 13 |
          store/CommitLog.add | 1 |
          store/CommitLog.addUnchanged | 1 |
          store/CommitLog.knownSince=0 | 2 |
          store/CommitLog.truncateTo | 11 | storeFails,diskIsFull,repeatShipments
          store/FullContents.addDeleted | 3 |
          store/MemoryStore.reset | 13 |
          store/TableSince.checkDeletes | 2 |
          store/TableSince.checkUpdates | 2 |
          store/column/ColumnWriter.apply@io/drayage/simulation/Patches.applyButOnOneNode | 1 |
          transactor/CommitLogWriter.append | 1 |
          transactor/CommitLogWriter.isSame=1 | 16 | delayAtPoint,pauseAtPoint,UPLOADED
          transactor/CommitMemory.answerOfKnown=0 | 13 |
          transactor/PendingCommit.appliedDigest=0 | 1 |
          transactor/PendingCommits.requireTerm | 2 | delayAtPoint,HELD
          transactor/PrimaryRole.withdraw | 1 |
          transactor/Takeover.isOurs=1 | 1 |
          worker/CommitAttempts.isCommittedAs=1 | 13 |
          """)
  void isFound(String variant, long first, @Nullable String focus) {
    long beganNs = System.nanoTime();

    Throwable broken =
        catchThrowable(
            () ->
                SimulationTest.run(
                    folder,
                    570,
                    first,
                    first + SEEDS - 1,
                    1,
                    "io/drayage/" + variant,
                    Objects.requireNonNullElse(focus, "")));

    assertThat(broken).isInstanceOf(AssertionError.class);
    Matcher found = FOUND.matcher(String.valueOf(broken.getMessage()));
    assertThat(found.find()).as(broken.getMessage()).isTrue();
    System.out.printf(
        "| `%s` | %s | %d |%n",
        variant, found.group(1), (System.nanoTime() - beganNs) / 1_000_000_000);
    assertThat(Long.parseLong(found.group(1))).as("the seed to note").isEqualTo(first);
  }
}
