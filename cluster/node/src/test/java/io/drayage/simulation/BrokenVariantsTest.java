package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the simulation is worth: it has to find what is broken if a call does nothing, or something
 * else. Begins with the seed at which it did when that was last noted, and prints at which it does.
 */
@Tag("nightly")
@Timeout(900)
class BrokenVariantsTest {
  private static final int SEEDS = 2_000;
  private static final Pattern FOUND = Pattern.compile("AssertionError: seed ([0-9]+)");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "coordination/zookeeper/NodeTree.sync, 1",
    "coordination/zookeeper/ZooKeeperCandidacy.endTerm, 20",
    "coordination/zookeeper/ZooKeeperCandidacy.see, 110",
    "memory/ByteBudget.release, 1",
    "objectstore/Sightings.seenFor@io/drayage/simulation/Patches.seenFor, 3",
    "replica/LogFollower.pause, 154",
    "replica/Replica.epoch=0, 1",
    "replica/Replica.follow, 2",
    "snapshot/transaction/TransactionCleaner.needed@io/drayage/simulation/Patches.needed, 1",
    "transactor/transactions/OpenTransactions.expire, 6",
    "transactor/transactions/TransactionRegistry.hasEnded=0, 33",
    "simulation/SimStore.makeDurable, 1",
    "simulation/SimStore.requireAbsent, 1",
    "snapshot/StoreIdentity.requireDatabase, 107",
    "store/AddedTables.add, 1",
    "store/ChangeHistory.add, 1",
    "store/ChangeHistory.truncateTo, 13",
    "store/CommitLog.add, 1",
    "store/CommitLog.addUnchanged, 1",
    "store/CommitLog.knownSince=0, 2",
    "store/CommitLog.truncateTo, 280",
    "store/FullContents.addDeleted, 2",
    "store/MemoryStore.reset, 2",
    "store/TableSince.checkDeletes, 1",
    "store/TableSince.checkUpdates, 2",
    "store/column/ColumnWriter.apply@io/drayage/simulation/Patches.applyButOnOneNode, 1",
    "transactor/CommitLogWriter.append, 1",
    "transactor/CommitLogWriter.isSame=1, 154",
    "transactor/CommitMemory.answerOfKnown=0, 13",
    "transactor/PendingCommit.appliedDigest=0, 1",
    "transactor/PendingCommits.requireTerm, 549",
    "transactor/PrimaryRole.withdraw, 1",
    "transactor/Takeover.isOurs=1, 1",
    "worker/CommitAttempts.isCommittedAs=1, 5"
  })
  void isFound(String variant, long first) {
    long beganNs = System.nanoTime();

    Throwable broken =
        catchThrowable(
            () ->
                SimulationTest.run(
                    folder, 570, first, first + SEEDS - 1, 1, "io/drayage/" + variant));

    assertThat(broken).isInstanceOf(AssertionError.class);
    Matcher found = FOUND.matcher(String.valueOf(broken.getMessage()));
    assertThat(found.find()).as(broken.getMessage()).isTrue();
    System.out.printf(
        "| `%s` | %s | %d |%n",
        variant, found.group(1), (System.nanoTime() - beganNs) / 1_000_000_000);
  }
}
