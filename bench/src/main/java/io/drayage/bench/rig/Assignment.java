package io.drayage.bench.rig;

import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.PeerJob;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.system.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;

/**
 * What the children of one system are told that they are for.
 *
 * @param transactor its job
 * @param workers a job for each
 * @param cargoInMemory whether the transactor's memory holds the cargo
 * @param extent how far a commit goes
 */
record Assignment(Object transactor, List<?> workers, boolean cargoInMemory, Extent extent) {
  /** How far a commit goes. */
  enum Extent {
    /** Until the worker has loaded the snapshot. */
    WHOLE_COMMIT,
    /** Until the cargo has taken effect. */
    EFFECT,
    /** Until the cargo is received: a peer has no database for it to take effect in. */
    RECEIVED
  }

  /** Of a system of ours. */
  static Assignment of(Job job, int workers) {
    List<Job> ofWorkers = new ArrayList<>();
    for (int i = 1; i <= workers; i++) {
      ofWorkers.add(job.ofWorker(i));
    }
    return new Assignment(
        job,
        ofWorkers,
        job.streaming() == null,
        job.commits() == null ? Extent.EFFECT : Extent.WHOLE_COMMIT);
  }

  /**
   * Of a peer.
   *
   * @param cargoes the cargo of each worker, or why there is none
   * @param host the address at which the transactor listens
   */
  static Assignment ofPeer(
      SystemUnderTest system, List<CargoFiles.OfWorker> cargoes, long maxCargoBytes, String host) {
    PeerCodec codec = new PeerCodec(system.serializer(), system.compressor(), system.level());
    List<PeerJob> ofWorkers =
        cargoes.stream()
            .map(cargo -> new PeerJob(codec, cargo.file(), cargo.whyNone(), null, maxCargoBytes))
            .toList();
    return new Assignment(
        new PeerJob(codec, null, null, host, maxCargoBytes), ofWorkers, true, Extent.RECEIVED);
  }
}
