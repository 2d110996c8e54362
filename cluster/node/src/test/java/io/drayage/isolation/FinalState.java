package io.drayage.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.recovery.SnapshotVerifier;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The contents of a store at the end. */
public final class FinalState {
  private static final String FOREIGN = "its name is not that of a manifest";

  private FinalState() {}

  /**
   * Adds the log of a store to a history, and a session that reads everything.
   *
   * @return the newest snapshot
   * @throws AssertionError if an object in the store is damaged, or the log has a gap
   */
  public static StoreSnapshot addTo(TransactionHistory history, ObjectStore store)
      throws IOException {
    List<String> wrong = new ArrayList<>();
    int count =
        new SnapshotVerifier(new SnapshotCatalog(store))
            .verify(
                finding -> {
                  // A killed S3 server leaves its own files, which are never read.
                  if (!finding.isOk() && !String.valueOf(finding.error()).contains(FOREIGN)) {
                    wrong.add(finding.key() + ": " + finding.error());
                  }
                });
    assertThat(wrong).as("%d wrong objects", count).isEmpty();
    try (Replica replica = Replica.open(store, 2, 1 << 30, 0, AllowedCodecs.INSTALLED)) {
      long unused = replica.advance(Long.MAX_VALUE);
      for (Map.Entry<UUID, Long> entry : replica.transactions().entrySet()) {
        history.logged(new Logged(entry.getKey(), entry.getValue()));
      }
      history.begun(ListSession.readAll(replica.snapshot(), "final"));
      return replica.snapshot();
    }
  }
}
