package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.child.ControlMessages.Prepared;
import io.drayage.bench.child.ControlMessages.Shipped;
import io.drayage.bench.child.ControlMessages.Verified;
import io.drayage.bench.result.MeasuredShipment;
import io.drayage.bench.rig.Assignment.Extent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The arrived state of the cargoes that a pair has shipped.
 *
 * @param prepared the cargoes of the workers
 * @param together the digest of all cargoes, if they are one transaction; otherwise null
 * @param deadline for a digest
 */
record Arrival(
    Child transactor,
    List<Child> workers,
    List<Prepared> prepared,
    Extent extent,
    @Nullable Long together,
    Duration deadline) {
  /** Computes the digests without comparing them. */
  void digest() throws ChildException, InterruptedException {
    transactor.call(Command.VERIFY, expected(1), Verified.class, deadline);
    if (extent == Extent.WHOLE_COMMIT) {
      for (Child worker : workers) { // A burst consists of separate commits.
        worker.call(Command.VERIFY, expected(1), Applied.class, deadline);
      }
    }
  }

  private Expected expected(int commits) {
    return new Expected(commits, together != null);
  }

  /** Compares the sent cargoes with the applied ones, and with the ones that workers loaded. */
  List<MeasuredShipment> verify(List<Shipped> shipped) throws ChildException, InterruptedException {
    Verified verified =
        transactor.call(
            Command.VERIFY,
            expected(together == null ? workers.size() : 1),
            Verified.class,
            deadline);
    Map<Long, Applied> byTimestamp =
        verified.commits().stream()
            .collect(Collectors.toMap(Applied::timestamp, Function.identity()));
    List<MeasuredShipment> shipments = new ArrayList<>();
    for (int i = 0; i < shipped.size(); i++) {
      Shipped sent = shipped.get(i);
      Applied applied =
          extent == Extent.EFFECT
              ? verified.commits().get(0)
              : byTimestamp.get(sent.report().snapshotTimestamp());
      if (applied == null) {
        throw ChildException.refused(
            format(
                "a worker reports snapshot %d, which the transactor does not have",
                sent.report().snapshotTimestamp()));
      }
      shipments.add(
          new MeasuredShipment(
              prepared.get(i).rawBytes(),
              sent.report(),
              applied.times(),
              sent.loaded(),
              sent.cost(),
              together == null ? prepared.get(i).digest() : together,
              applied.digest(),
              hasReplica(i) ? mismatch(workers.get(i), byTimestamp) : null,
              extent == Extent.RECEIVED));
    }
    return shipments;
  }

  /** Checks whether a worker has a copy. In one transaction only the coordinator has one. */
  private boolean hasReplica(int worker) {
    return extent == Extent.WHOLE_COMMIT && (together == null || worker == 0);
  }

  /** Compares the newest snapshot in a worker's copy with the transactor's. */
  private @Nullable String mismatch(Child worker, Map<Long, Applied> byTimestamp)
      throws ChildException, InterruptedException {
    Applied loaded = worker.call(Command.VERIFY, expected(1), Applied.class, deadline);
    Applied applied = byTimestamp.get(loaded.timestamp());
    if (applied != null && applied.digest() == loaded.digest()) {
      return null;
    }
    return format(
        "a worker loaded snapshot %d with digest %016x, the transactor's has %s",
        loaded.timestamp(),
        loaded.digest(),
        applied == null ? "no such snapshot" : format("%016x", applied.digest()));
  }
}
