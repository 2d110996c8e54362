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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the simulation is worth: it has to find what is broken if a call does nothing, or something
 * else. Prints at which seed it does.
 */
@Tag("nightly")
@Timeout(900)
class BrokenVariantsTest {
  private static final int SEEDS = 2_000;
  private static final Pattern FOUND = Pattern.compile("AssertionError: seed ([0-9]+)");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coordination/zookeeper/NodeTree.sync",
        "coordination/zookeeper/ZooKeeperCandidacy.endTerm",
        "coordination/zookeeper/ZooKeeperCandidacy.see",
        "memory/ByteBudget.release",
        "objectstore/Sightings.seenFor@io/drayage/simulation/Patches.seenFor",
        "replica/LogFollower.pause",
        "replica/Replica.epoch=0",
        "replica/Replica.follow",
        "snapshot/transaction/TransactionCleaner.needed@io/drayage/simulation/Patches.needed",
        "transactor/transactions/OpenTransactions.expire",
        "simulation/SimStore.makeDurable",
        "simulation/SimStore.requireAbsent",
        "snapshot/StoreIdentity.requireDatabase",
        "store/AddedTables.add",
        "store/ChangeHistory.add",
        "store/ChangeHistory.truncateTo",
        "store/CommitLog.add",
        "store/CommitLog.addUnchanged",
        "store/CommitLog.knownSince=0",
        "store/CommitLog.truncateTo",
        "store/FullContents.addDeleted",
        "store/MemoryStore.reset",
        "store/TableSince.checkDeletes",
        "store/TableSince.checkUpdates",
        "store/column/ColumnWriter.apply@io/drayage/simulation/Patches.applyButOnOneNode",
        "transactor/CommitLogWriter.append",
        "transactor/CommitLogWriter.isSame=1",
        "transactor/CommitMemory.answerOfKnown=0",
        "transactor/PendingCommit.appliedDigest=0",
        "transactor/PendingCommits.requireTerm",
        "transactor/PrimaryRole.withdraw",
        "transactor/Takeover.isOurs=1",
        "worker/CommitAttempts.isCommittedAs=1"
      })
  void isFound(String variant) {
    long beganNs = System.nanoTime();

    Throwable broken =
        catchThrowable(() -> SimulationTest.run(folder, 570, 1, SEEDS, 1, "io/drayage/" + variant));

    assertThat(broken).isInstanceOf(AssertionError.class);
    Matcher found = FOUND.matcher(String.valueOf(broken.getMessage()));
    assertThat(found.find()).as(broken.getMessage()).isTrue();
    System.out.printf(
        "| `%s` | %s | %d |%n",
        variant, found.group(1), (System.nanoTime() - beganNs) / 1_000_000_000);
  }
}
