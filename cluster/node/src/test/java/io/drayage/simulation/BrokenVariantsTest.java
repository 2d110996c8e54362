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
 * Tests the simulation itself: within 100 seeds it must find a defect in a variant where a call
 * does nothing, or something else. A {@link Focus} drives seeds to a rare state. Prints the seed.
 */
@Tag("nightly")
@Timeout(900)
class BrokenVariantsTest {
  private static final int SEEDS = 100;
  private static final Pattern FOUND = Pattern.compile("AssertionError: seed ([0-9]+)");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          coordination/zookeeper/NodeTree.sync |
          coordination/zookeeper/ZooKeeperCandidacy.endTerm |
          coordination/zookeeper/ZooKeeperCandidacy.see | leadTooLate
          memory/ByteBudget.release |
          objectstore/ObjectStore.put@io/drayage/simulation/CallPatches.putUnlessMark | SLOW_READER
          objectstore/Sightings.seenFor@io/drayage/simulation/CallPatches.seenFor |
          replica/LogFollower.pause | delayAtPoint,pauseAtPoint,PUBLISHED
          replica/Replica.epoch=0 |
          replica/Replica.follow |
          snapshot/transaction/TransactionCleaner.needed@io/drayage/simulation/CallPatches.needed |
          snapshot/StoredText.requireRoom | LONGEST_NAMES
          transactor/OpenTransactions.expire |
          transactor/TransactionRegistry.hasEnded=0 |
          simulation/SimStore.makeDurable |
          simulation/SimStore.requireAbsent |
          snapshot/StoreIdentity.requireDatabase | strangers
          store/AddedTables.add |
          store/ChangeHistory.add |
          store/ChangeHistory.truncateTo | storeFails,diskIsFull
          store/KnownCommits.add |
          store/KnownCommits.addUnchanged |
          store/KnownCommits.knownSince=0 |
          store/KnownCommits.truncateTo | storeFails,diskIsFull,repeatShipments
          store/FullContents.addDeleted |
          store/MemoryStore.reset |
          store/TableRules.requireNotDropped |
          store/TableSince.checkDeletes |
          store/TableSince.checkUpdates |
          store/column/ColumnWriter.apply@io/drayage/simulation/CallPatches.applyButOnOneNode |
          snapshot/LogObject.isSame=1 | delayAtPoint,pauseAtPoint,UPLOADED
          snapshot/SnapshotCatalog.appendTogether@io/drayage/simulation/CallPatches.appendAllButLast |
          snapshot/SnapshotCatalog.appendTogether@io/drayage/simulation/CallPatches.appendNothing |
          transactor/CommitMemory.answerOfKnown=0 |
          transactor/PendingCommit.appliedDigest=0 |
          transactor/PendingCommits.requireTerm | delayAtPoint,HELD
          transactor/PrimaryRole.withdraw |
          transactor/Takeover.isOurs=1 |
          transactor/TermAcceptor.requireOfOne | SLOW_ADOPTION
          worker/CommitAttempts.isCommittedAs=1 | storeFails,diskIsFull
          worker/FragmentSender$Pieces.mayBeStored=1+receive/AdmissionQueue.isAbsent=0 | WIDE_STAGE
          java/util/concurrent/Executors.newSingleThreadExecutor@io/drayage/simulation/CallPatches.oneThreadOfMaintenance | SLOW_DELETIONS
          """)
  void isFound(String variant, @Nullable String faults) throws Exception {
    String focus = Objects.requireNonNullElse(faults, "");
    String changed =
        variant.startsWith("java/")
            ? variant
            : "io/drayage/" + variant.replace("+", "+io/drayage/");
    long beganNs = System.nanoTime();

    Throwable broken =
        catchThrowable(() -> SimulationTest.run(folder, 570, 1, SEEDS, 1, changed, focus));

    assertThat(broken).isInstanceOf(AssertionError.class);
    Matcher found = FOUND.matcher(String.valueOf(broken.getMessage()));
    assertThat(found.find()).as(broken.getMessage()).isTrue();
    System.out.printf(
        "| `%s` | %s | %d |%n",
        variant, found.group(1), (System.nanoTime() - beganNs) / 1_000_000_000);
    long seed = Long.parseLong(found.group(1));
    assertThat(SimulationTest.run(folder, 570, seed, seed, 1, "", focus))
        .as("the same without the change")
        .contains("seed " + seed + " holds");
  }
}
