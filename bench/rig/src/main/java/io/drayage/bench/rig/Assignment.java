package io.drayage.bench.rig;

import io.drayage.bench.child.StoredCargo;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.PeerJob;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.bench.system.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the children of one system are told that they are for.
 *
 * @param transactor its job
 * @param workers a job for each
 * @param extent how far a commit goes
 * @param digest of what all workers ship in one transaction; null if each has its own
 */
record Assignment(Object transactor, List<?> workers, Extent extent, @Nullable Long digest) {
  /** How far a commit goes. */
  enum Extent {
    /** Until the worker has loaded the snapshot. */
    WHOLE_COMMIT,
    /** Until the cargo has taken effect. */
    EFFECT,
    /** Until the cargo is received: a peer has no database for it to take effect in. */
    RECEIVED
  }

  /**
   * Of a system of ours.
   *
   * @param cargoes one of each worker
   * @param digest of what they ship in one transaction; null if each has its own
   */
  static Assignment of(Job job, List<JobCargo> cargoes, @Nullable Long digest) {
    List<Job> ofWorkers = new ArrayList<>();
    cargoes.forEach(cargo -> ofWorkers.add(job.ofWorker(ofWorkers.size() + 1, cargo)));
    return new Assignment(
        job, ofWorkers, job.commits() == null ? Extent.EFFECT : Extent.WHOLE_COMMIT, digest);
  }

  /**
   * Of a peer.
   *
   * @param cargoes one of each worker
   * @param host the address at which the transactor listens
   */
  static Assignment ofPeer(SystemUnderTest system, List<StoredCargo> cargoes, String host) {
    PeerCodec codec = new PeerCodec(system.serializer(), system.compressor(), system.level());
    return new Assignment(
        new PeerJob(codec, null, host),
        cargoes.stream().map(cargo -> new PeerJob(codec, cargo, null)).toList(),
        Extent.RECEIVED,
        null);
  }
}
