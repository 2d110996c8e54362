package io.drayage.store;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.ShipmentException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Applies the commits of another store, as a replica does. */
final class Replays {
  private Replays() {}

  /** A transaction of one cargo. */
  static void replay(MemoryStore copy, ChangeCargo cargo, long timestamp, @Nullable Long applied)
      throws ShipmentException, AppliedDiffersException {
    replay(copy, cargo.transactionId(), timestamp, applied, cargo);
  }

  static void replay(
      MemoryStore copy, UUID id, long timestamp, @Nullable Long applied, ChangeCargo... cargoes)
      throws ShipmentException, AppliedDiffersException {
    LoggedTransaction transaction =
        new LoggedTransaction(id, cargoes[0].baseSnapshot(), "test", null);
    TransactionBuild build = copy.replaying(transaction, timestamp, applied != null);
    for (ChangeCargo cargo : cargoes) {
      build.add(cargo);
    }
    copy.replay(build, applied);
  }
}
